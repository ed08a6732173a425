"""The parts that a guess makes of a set: which candidates are in which, and their order.

The parts of the current guess at turn t are in row t of `Workspace.part`, by answer; their
members are in row t + 1 of `Workspace.members`, one part after the other.

Of a small set, `Workspace.answer_rows` keeps the answers to the guesses of a batch, which are read
for their bounds: a guess is in another line of the response table for each candidate, so reading
dominates the cost.  Most guesses fail after one or two parts, so the places of a part are only
written when they are needed.
"""

from __future__ import annotations

from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem, Pruning
from bullscows.kernels.compiling.jit import Numbers, inlined, int64, kernel, uint64
from bullscows.kernels.thresholds import NOBODY, ROW
from bullscows.kernels.vectors.rows import COMPRESSES, part_sizes, place_at_once


@inlined
def split(problem: Problem, work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Write where the parts of a guess begin, their sizes, and the order of those above two.

    Sets too large for a table of their own get the members of the parts as well.  Returns the
    number of parts with more than two candidates, whose answers are in ``part[turn, ORDER:]``, the
    smallest first; -1 if all candidates give the same answer.
    """
    start, count = uint64(node.start), uint64(node.size)
    members, places = work.members[node.turn], work.places[node.turn]
    part, answer_of, responses = work.part[node.turn], work.answer_of, problem.responses
    stride, column, answers = uint64(problem.stride), uint64(guess), uint64(problem.answers)
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
    members, children = work.members[node.turn], work.members[node.turn + 1]
    places = work.places[node.turn]
    for i in range(node.size):
        children[i] = members[node.start + int64(places[i])]


@inlined
def write_local(problem: Problem, work: ws.Workspace, node: ws.Node) -> None:
    """Write the responses of a small set's members to each other into ``local[turn]``."""
    members, local = work.members[node.turn], work.local[node.turn]
    responses, count = problem.responses, node.size
    for i in range(count):
        row = uint64(members[node.start + i]) * uint64(problem.stride)
        for j in range(count):
            local[i * count + j] = responses[row + uint64(members[node.start + j])]


# -- answers that are kept -------------------------------------------------------------------------


@kernel
def read_answers(
    problem: Problem, work: ws.Workspace, node: ws.Node, begin: int, end: int, row: int
) -> None:
    """Read the answers of a small node to ``guesses[turn, begin:end]`` into rows from `row` on.

    The sizes of the parts go into `Workspace.sizes`, as by `batches.count_sizes` for larger nodes.
    """
    members, guesses = work.members[node.turn], work.guesses[node.turn]
    rows, responses = work.answer_rows[node.turn], problem.responses
    first = uint64(row) * uint64(ws.KEPT_ROW)
    for i in range(uint64(node.size)):
        secret = uint64(members[uint64(node.start) + i]) * uint64(problem.stride)
        at = first + i
        for j in range(uint64(begin), uint64(end)):
            rows[at] = responses[secret + uint64(guesses[j])]
            at += uint64(ws.KEPT_ROW)
    for j in range(end - begin):
        at = first + uint64(j) * uint64(ws.KEPT_ROW)
        for i in range(uint64(node.size), uint64(ROW)):
            rows[at + i] = NOBODY
        part_sizes(rows, int64(at), int64(problem.answers), work.sizes, j * problem.answers)


@inlined
def keep_answers(
    problem: Problem, work: ws.Workspace, node: ws.Node, guess: int, place: int, row: int, kept: int
) -> None:
    """Move row `row` of a guess to row `kept`, and append the sizes of its parts.

    `place` is the index of the guess in its block.
    """
    if kept >= ws.KEPT:
        work.row_of[node.turn, guess] = -1
        return
    work.row_of[node.turn, guess] = kept
    rows, sizes = work.answer_rows[node.turn], work.sizes
    source, target = uint64(row) * uint64(ws.KEPT_ROW), uint64(kept) * uint64(ws.KEPT_ROW)
    if source != target:
        for i in range(uint64(ROW)):
            rows[target + i] = rows[source + i]
    first = uint64(place) * uint64(problem.answers)
    for answer in range(uint64(problem.answers)):
        rows[target + uint64(ROW) + answer] = sizes[first + answer]


@inlined
def kept_answers(work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Return the start of the row of a guess of the batch, -1 if none was kept."""
    if node.size > ws.LOCAL_SIZE:
        return int64(-1)
    return max(int64(work.row_of[node.turn, guess]) * int64(ws.KEPT_ROW), int64(-1))


@inlined
def split_kept(problem: Problem, work: ws.Workspace, node: ws.Node, begin: int) -> int:
    """As `split`, from the row that starts at `begin`, without places."""
    part, rows = work.part[node.turn], work.answer_rows[node.turn]
    at = uint64(begin) + uint64(ROW)
    end, most = int64(0), int64(0)
    for answer in range(uint64(problem.answers)):
        size = int64(rows[at + answer])
        part[uint64(ws.SIZE) + answer] = size
        part[uint64(ws.START) + answer] = end
        end += size
        most = max(most, size)
    return order_parts(problem, work, part) if most < node.size else int64(-1)


@inlined
def place_part(work: ws.Workspace, node: ws.Node, begin: int, answer: int) -> None:
    """Write the places of one part, which may overwrite those of later parts."""
    rows, places = work.answer_rows[node.turn], work.places[node.turn]
    start = work.part[node.turn][ws.START + answer]
    if COMPRESSES:
        place_at_once(rows, int64(begin), int64(answer), places, int64(start))
        return
    at = uint64(start)
    for i in range(uint64(node.size)):
        places[at] = i
        at += uint64(rows[uint64(begin) + i] == answer)


@inlined
def place_parts(problem: Problem, work: ws.Workspace, node: ws.Node, begin: int) -> None:
    """Write the places of all parts."""
    part, rows, places = work.part[node.turn], work.answer_rows[node.turn], work.places[node.turn]
    for answer in range(uint64(problem.answers)):
        part[uint64(ws.AFTER) + answer] = part[uint64(ws.START) + answer]
    for i in range(uint64(node.size)):
        answer = uint64(rows[uint64(begin) + i])
        at = part[uint64(ws.AFTER) + answer]
        places[uint64(at)] = i
        part[uint64(ws.AFTER) + answer] = at + 1
