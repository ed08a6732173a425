"""Budgets of the open parts of a guess: a share of the remaining budget first, then more.

Few guesses are nearly as good as the best.  To refute the others, a slightly better bound of each
part is enough, and far cheaper than the value of one (docs/proof.md, "Histogram").  So a part of a
large set is first searched with twice its share, by size, of what the limit leaves.  A part that
exceeds it is searched again after the others, and shares are doubled after each round.
"""

from __future__ import annotations

from bullscows.game.objective import INFINITE
from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem, Pruning
from bullscows.kernels.compiling.jit import Numbers, inlined, int64

QUEUE = 64
"""Room for the answers of open parts, which wait in a ring from `ORDER` on."""

FAR = 1 << 40
"""Limit on the remaining budget; it prevents overflow."""
MOST_DOUBLINGS = 20
"""Limit on the number of doublings; it prevents overflow."""


@inlined
def open_sizes(part: Numbers, left: int) -> int:
    """Return the number of candidates of the `left` open parts together."""
    total = int64(0)
    for i in range(left):
        total += part[ws.SIZE + part[ws.ORDER + i]]
    return total


@inlined
def part_budget(
    problem: Problem, node: ws.Node, part: Numbers, answer: int, spare: int, sizes: int, rounds: int
) -> tuple[int, int]:
    """Return the budget of a part, and the most that it may cost if the others cost their bounds.

    `spare` is the limit minus the bounds of all parts, `sizes` the candidates of all open parts,
    and `rounds` the number of searches, this one included, divided by that of open parts at first.
    """
    if not problem.flags & Pruning.SLACK.value:
        return int64(INFINITE) - 1, int64(INFINITE) - 1
    least = part[ws.LEAST + answer]
    size = part[ws.SIZE + answer]
    most = least + spare
    if node.size < problem.budgeted or node.order != ws.BY_BOUND or size >= sizes:
        return int64(most), int64(most)
    times = int64(2) << min(rounds, int64(MOST_DOUBLINGS))
    grown = min(spare, int64(FAR)) * times
    share = grown // sizes * size + grown % sizes * size // sizes
    return int64(least + min(spare, share)), int64(most)


@inlined
def put_back(part: Numbers, answer: int, end: int) -> int:
    """Put a part at the end of the ring; return the new end."""
    part[ws.ORDER + end % QUEUE] = answer
    return end + 1


@inlined
def raise_least(part: Numbers, answer: int, value: int) -> int:
    """Take over a better bound of a part; return the gain."""
    gain = max(value - part[ws.LEAST + answer], int64(0))
    part[ws.LEAST + answer] += gain
    return int64(gain)
