"""The parts that a guess makes of a set: which candidates are in which, and their order.

The parts of the current guess at turn t are in row t of `Workspace.part`, by answer; their
members are in row t + 1 of `Workspace.members`, one part after the other.

Of a small set, `Workspace.answer_rows` keeps the answers to the guesses of a batch, which are read
for their bounds: a guess is in another line of the response table for each candidate, so reading
dominates the cost.  Most guesses fail after one or two parts, so the places of a part are only
written when they are needed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from bullscows.kernels import instructions as vec
from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Numbers, inlined, int64, kernel
from bullscows.kernels.instructions import ARRAY, BYTE, LONG, NUMBER, WORD, machine_code
from bullscows.kernels.problem import Problem
from bullscows.kernels.pruning import Pruning
from bullscows.kernels.workspace import NOBODY, ROW


@inlined
def split(problem: Problem, work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Write where the parts of a guess begin, their sizes, and the order of those above two.

    Sets too large for a table of their own get the members of the parts as well.  Returns the
    number of parts with more than two candidates, whose answers are in ``part[turn, ORDER:]``, the
    smallest first; -1 if all candidates give the same answer.
    """
    start = node.start
    count = node.size
    answers = problem.answers
    members = work.members[node.turn]
    places = work.places[node.turn]
    part = work.part[node.turn]
    answer_of = work.answer_of
    responses = problem.responses
    for answer in range(answers):
        part[ws.SIZE + answer] = 0
    for i in range(count):
        answer = responses[members[start + i] * problem.stride + guess]
        answer_of[i] = answer
        part[ws.SIZE + answer] += 1
    end = int64(0)
    most = int64(0)
    for answer in range(answers):
        size = part[ws.SIZE + answer]
        part[ws.START + answer] = end
        part[ws.AFTER + answer] = end
        end += size
        most = max(most, size)
    if most == node.size:
        return int64(-1)
    for i in range(count):
        answer = answer_of[i]
        at = part[ws.AFTER + answer]
        places[at] = i
        part[ws.AFTER + answer] = at + 1
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
    found = int64(0)
    for answer in range(problem.win):
        size = part[ws.SIZE + answer]
        keys[found] = size * 64 + answer
        found += int64(size > 2)
    for i in range(found):
        key = keys[i]
        rank = int64(0)
        for j in range(found):
            rank += int64(keys[j] < key)
        if not problem.flags & Pruning.PART_ORDER.value:
            rank = i
        part[ws.ORDER + rank] = key & 63
    return found


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
        children[i] = members[node.start + places[i]]


@inlined
def write_local(problem: Problem, work: ws.Workspace, node: ws.Node) -> None:
    """Write the responses of a small set's members to each other into ``local[turn]``."""
    members = work.members[node.turn]
    local = work.local[node.turn]
    responses = problem.responses
    count = node.size
    for i in range(count):
        row = members[node.start + i] * problem.stride
        for j in range(count):
            local[i * count + j] = responses[row + members[node.start + j]]


# -- cached answers --------------------------------------------------------------------------------


@kernel
def read_answers(
    problem: Problem, work: ws.Workspace, node: ws.Node, begin: int, end: int, row: int
) -> None:
    """Read the answers of a small node to ``guesses[turn, begin:end]`` into rows from `row` on.

    The sizes of the parts go into `Workspace.sizes`, as by `batches.count_sizes` for larger nodes.
    """
    members = work.members[node.turn]
    guesses = work.guesses[node.turn]
    rows = work.answer_rows[node.turn]
    responses = problem.responses
    first = row * ws.CACHED_ROW
    for i in range(node.size):
        secret = members[node.start + i] * problem.stride
        at = first + i
        for j in range(begin, end):
            rows[at] = responses[secret + guesses[j]]
            at += ws.CACHED_ROW
    for j in range(end - begin):
        at = first + j * ws.CACHED_ROW
        for i in range(node.size, ROW):
            rows[at + i] = NOBODY
        part_sizes(rows, at, problem.answers, work.sizes, j * problem.answers)


@inlined
def cache_answers(
    problem: Problem,
    work: ws.Workspace,
    node: ws.Node,
    guess: int,
    place: int,
    row: int,
    to: int,
) -> None:
    """Move row `row` of a guess to row `to`, and append the sizes of its parts.

    `place` is the index of the guess in its block.
    """
    if to >= ws.CACHED:
        work.row_of[node.turn, guess] = -1
        return
    work.row_of[node.turn, guess] = to
    rows = work.answer_rows[node.turn]
    sizes = work.sizes
    source = row * ws.CACHED_ROW
    target = to * ws.CACHED_ROW
    if source != target:
        for i in range(ROW):
            rows[target + i] = rows[source + i]
    first = place * problem.answers
    for answer in range(problem.answers):
        rows[target + ROW + answer] = sizes[first + answer]


@inlined
def cached_answers(work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Return the start of the row of a guess of the batch, -1 if it has none."""
    if node.size > ws.LOCAL_SIZE:
        return int64(-1)
    return max(int64(work.row_of[node.turn, guess]) * int64(ws.CACHED_ROW), int64(-1))


@inlined
def split_cached(problem: Problem, work: ws.Workspace, node: ws.Node, begin: int) -> int:
    """As `split`, from the row that starts at `begin`, without places."""
    part = work.part[node.turn]
    rows = work.answer_rows[node.turn]
    end = int64(0)
    most = int64(0)
    for answer in range(problem.answers):
        size = int64(rows[begin + ROW + answer])
        part[ws.SIZE + answer] = size
        part[ws.START + answer] = end
        end += size
        most = max(most, size)
    return order_parts(problem, work, part) if most < node.size else int64(-1)


@inlined
def place_part(work: ws.Workspace, node: ws.Node, begin: int, answer: int) -> None:
    """Write the places of one part, which may overwrite those of later parts."""
    rows = work.answer_rows[node.turn]
    places = work.places[node.turn]
    at = work.part[node.turn][ws.START + answer]
    if COMPRESSES:
        place_at_once(rows, begin, answer, places, at)
        return
    for i in range(node.size):
        places[at] = i
        at += int64(rows[begin + i] == answer)


@inlined
def place_parts(problem: Problem, work: ws.Workspace, node: ws.Node, begin: int) -> None:
    """Write the places of all parts."""
    part = work.part[node.turn]
    rows = work.answer_rows[node.turn]
    places = work.places[node.turn]
    for answer in range(problem.answers):
        part[ws.AFTER + answer] = part[ws.START + answer]
    for i in range(node.size):
        answer = rows[begin + i]
        at = part[ws.AFTER + answer]
        places[at] = i
        part[ws.AFTER + answer] = at + 1


# -- rows of answers -------------------------------------------------------------------------------

# The answer of each candidate of a small set to a guess, a byte for each.  A row is three vectors
# long.  Compared with an answer it gives a bit for each candidate: how many there are is the size
# of the part, and where they are says who is in it.

_LANES = 64

COMPRESSES = vec.has("avx512vbmi2")
"""Whether the processor compresses chosen bytes by one instruction.

That saves 5 % of the time for 5 of 8 digits (median of nine pairs of runs)."""


def _matches(builder: Any, row: Any, answer: Any) -> Any:
    """Return which bytes of a vector are an answer, as a word of bits."""
    equal = builder.icmp_unsigned("==", row, vec.spread(builder, answer, _LANES))
    return builder.bitcast(equal, LONG)


@machine_code("none", ARRAY, NUMBER, NUMBER, ARRAY, NUMBER)
def part_sizes(builder: Any, rows: Any, at: Any, answers: Any, sizes: Any, to: Any) -> None:
    """Write how often each answer occurs in the row that begins at `at` into `sizes`, int32.

    The first is written at `to`.
    """
    found = builder.gep(sizes, [to])
    row = [
        vec.load(builder, builder.gep(rows, [builder.add(at, LONG(place))]), _LANES)
        for place in range(0, ROW, _LANES)
    ]

    def step(answer: Any, _before: Any) -> Any:
        total = LONG(0)
        for bytes_ in row:
            bits = _matches(builder, bytes_, builder.trunc(answer, BYTE))
            total = builder.add(total, builder.ctpop(bits))
        builder.store(builder.trunc(total, WORD), builder.gep(found, [answer]))
        return []

    vec.loop(builder, answers, [], step)


@machine_code("none", ARRAY, NUMBER, NUMBER, ARRAY, NUMBER)
def place_at_once(builder: Any, rows: Any, at: Any, answer: Any, places: Any, to: Any) -> None:
    """Write the indices of an answer in the row that begins at `at` into `places`, from `to` on.

    Writes up to `BEHIND` entries behind the last of the part.
    """
    answer = builder.trunc(answer, BYTE)
    end = to
    bytes_ = ir.VectorType(BYTE, _LANES)
    wide = ir.VectorType(WORD, _LANES)
    for place in range(0, ROW, _LANES):
        row = vec.load(builder, builder.gep(rows, [builder.add(at, LONG(place))]), _LANES)
        bits = _matches(builder, row, answer)
        mask = builder.bitcast(bits, ir.VectorType(ir.IntType(1), _LANES))
        numbers = vec.vector(BYTE, _LANES, list(range(place, place + _LANES)))
        name = "llvm.x86.avx512.mask.compress.v64i8"
        none = vec.vector(BYTE, _LANES, 0)
        chosen = vec.instruction(builder, name, bytes_, [numbers, none, mask])
        into = builder.bitcast(builder.gep(places, [end]), wide.as_pointer())
        builder.store(builder.zext(chosen, wide), into, align=1)
        end = builder.add(end, builder.ctpop(bits))
