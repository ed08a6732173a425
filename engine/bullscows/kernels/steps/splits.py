"""The parts that a guess makes of a set: which candidates are in which, and their order.

The parts of the current guess at turn t are in row t of `Workspace.part`, by answer; their
members are in row t + 1 of `Workspace.members`, one part after the other.
"""

from __future__ import annotations

from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem, Pruning
from bullscows.kernels.compiling.jit import Numbers, inlined, int64, kernel, uint64


@inlined
def split(problem: Problem, work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Write where the parts of a guess begin, their sizes, and the order of those above two.

    Sets too large for a table of their own get the members of the parts as well.  Returns the
    number of parts with more than two candidates, whose answers are in ``part[turn, ORDER:]``, the
    smallest first; -1 if all candidates give the same answer.
    """
    start, count = uint64(node.start), uint64(node.size)
    members = work.members[node.turn]
    part = work.part[node.turn]
    places = work.places[node.turn]
    answer_of = work.answer_of
    responses = problem.responses
    stride = uint64(problem.stride)
    column = uint64(guess)
    answers = uint64(problem.answers)
    for answer in range(answers):
        part[uint64(ws.SIZE) + answer] = 0
    for i in range(count):
        answer = uint64(responses[uint64(members[start + i]) * stride + column])
        answer_of[i] = answer
        part[uint64(ws.SIZE) + answer] += 1
    end, most = int64(0), int64(0)
    for answer in range(answers):
        size = part[uint64(ws.SIZE) + answer]
        part[uint64(ws.START) + answer] = end
        part[uint64(ws.AFTER) + answer] = end
        end += size
        most = max(most, size)
    if most == node.size:
        return int64(-1)
    for i in range(count):
        answer = uint64(answer_of[i])
        at = part[uint64(ws.AFTER) + answer]
        places[uint64(at)] = i
        part[uint64(ws.AFTER) + answer] = at + 1
    found = order_parts(problem, work, part)
    if node.size > ws.LOCAL_SIZE:
        write_parts(work, node)
    return found


@inlined
def order_parts(problem: Problem, work: ws.Workspace, part: Numbers) -> int:
    """Write the answers whose parts have more than two candidates, the smallest part first.

    Without branches that depend on the sizes, which processors predict badly.
    """
    keys = work.scratch
    found = uint64(0)
    for answer in range(uint64(problem.win)):
        size = part[uint64(ws.SIZE) + answer]
        keys[found] = size * 64 + int64(answer)
        found += uint64(size > 2)
    for i in range(found):
        key = keys[i]
        rank = uint64(0)
        for j in range(found):
            rank += uint64(keys[j] < key)
        if not problem.flags & Pruning.PART_ORDER.value:
            rank = i
        part[uint64(ws.ORDER) + rank] = key & 63
    return int64(found)


@kernel
def set_parts(problem: Problem, work: ws.Workspace, node: ws.Node, guess: int) -> None:
    """Write the parts of a guess that gives information, without bounds."""
    split(problem, work, node, guess)
    write_parts(work, node)


@inlined
def write_parts(work: ws.Workspace, node: ws.Node) -> None:
    """Write the members of the parts into ``members[turn + 1, :count]``, part by part."""
    members = work.members[node.turn]
    children = work.members[node.turn + 1]
    places = work.places[node.turn]
    for i in range(node.size):
        children[i] = members[node.start + int64(places[i])]


@inlined
def write_local(problem: Problem, work: ws.Workspace, node: ws.Node) -> None:
    """Write the responses of a small set's members to each other into ``local[turn]``."""
    members = work.members[node.turn]
    local = work.local[node.turn]
    responses = problem.responses
    count = node.size
    for i in range(count):
        row = uint64(members[node.start + i]) * uint64(problem.stride)
        for j in range(count):
            local[i * count + j] = responses[row + uint64(members[node.start + j])]
