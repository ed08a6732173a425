"""What the guesses of a wave tell of a small set: read when they are bounded, kept for their trial.

A guess stands in another line of the response table for each candidate, so reading costs more than
anything that is done with it.  What was read is kept in `Workspace.told`, a row for each guess:
an answer for each candidate, and behind them the sizes of the parts.  Most guesses fall when one or
two of their parts have been looked at, so the places of a part are only written when it is needed.
"""

from __future__ import annotations

from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem
from bullscows.kernels.compiling.jit import inlined, int64, kernel, uint64
from bullscows.kernels.steps.splits import order_parts
from bullscows.kernels.vectors.rows import COMPRESSES, part_sizes, place_at_once
from bullscows.kernels.vectors.sizes import NOBODY, ROW


@kernel
def read_answers(
    problem: Problem, work: ws.Workspace, node: ws.Node, begin: int, end: int, row: int
) -> None:
    """Read what the guesses ``guesses[turn, begin:end]`` tell of a small node.

    Into rows of `Workspace.told`, the first into `row`; the sizes of the parts into
    `Workspace.sizes`, as `bullscows.kernels.steps.waves.count_sizes` does for larger nodes.
    """
    members, guesses, rows = (
        work.members[node.turn],
        work.guesses[node.turn],
        work.told[node.turn],
    )
    responses = problem.responses
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
    """Move row `row` of a guess to row `kept`, and the sizes of its parts behind it.

    `place` is where the guess stands in its block.
    """
    if kept >= ws.KEPT:
        work.row_of[node.turn, guess] = -1
        return
    work.row_of[node.turn, guess] = kept
    rows, sizes = work.told[node.turn], work.sizes
    source, target = uint64(row) * uint64(ws.KEPT_ROW), uint64(kept) * uint64(ws.KEPT_ROW)
    if source != target:
        for i in range(uint64(ROW)):
            rows[target + i] = rows[source + i]
    first = uint64(place) * uint64(problem.answers)
    for answer in range(uint64(problem.answers)):
        rows[target + uint64(ROW) + answer] = sizes[first + answer]


@inlined
def kept_answers(work: ws.Workspace, node: ws.Node, guess: int) -> int:
    """Return where the row of a guess of the wave begins, -1 if none was kept."""
    if node.size > ws.LOCAL_SIZE:
        return int64(-1)
    return max(int64(work.row_of[node.turn, guess]) * int64(ws.KEPT_ROW), int64(-1))


@inlined
def split_kept(problem: Problem, work: ws.Workspace, node: ws.Node, begin: int) -> int:
    """As `split` of `splits`, by the row that begins at `begin`, without places."""
    part, rows = work.part[node.turn], work.told[node.turn]
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
    """Write the places of one part; those of parts behind it are lost."""
    rows, places = work.told[node.turn], work.places[node.turn]
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
    part, rows, places = work.part[node.turn], work.told[node.turn], work.places[node.turn]
    for answer in range(uint64(problem.answers)):
        part[uint64(ws.AFTER) + answer] = part[uint64(ws.START) + answer]
    for i in range(uint64(node.size)):
        answer = uint64(rows[uint64(begin) + i])
        at = part[uint64(ws.AFTER) + answer]
        places[uint64(at)] = i
        part[uint64(ws.AFTER) + answer] = at + 1
