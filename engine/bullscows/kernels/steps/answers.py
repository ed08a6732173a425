"""Answers of a small set to the guesses of a batch: read for their bounds, kept for the trials.

A guess is in another line of the response table for each candidate, so reading dominates the cost.
`Workspace.answer_rows` keeps a row for each guess: an answer for each candidate, then the sizes of
the parts.  Most guesses fail after one or two parts, so the places of a part are only written when
they are needed.
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
    """Read the answers of a small node to ``guesses[turn, begin:end]`` into rows from `row` on.

    The sizes of the parts go into `Workspace.sizes`, as
    `bullscows.kernels.steps.batches.count_sizes` writes them for larger nodes.
    """
    members, guesses, rows = (
        work.members[node.turn],
        work.guesses[node.turn],
        work.answer_rows[node.turn],
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
    """As `split` of `splits`, from the row that starts at `begin`, without places."""
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
