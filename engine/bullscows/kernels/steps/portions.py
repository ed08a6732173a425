"""What each open part of a guess may cost when it is asked: a portion of what the limit leaves.

Few guesses are nearly as good as the best: of the others a little more about each part is enough
to leave them, and that is far cheaper than all about the first (docs/proof.md, "Histogram").  So
a part of a large set is first asked whether it takes twice its portion, by size, of what is left;
a part that does is asked again after the others, and portions are doubled after each so many
questions as there were open parts.
"""

from __future__ import annotations

from typing import NamedTuple

from bullscows.game.objective import INFINITE
from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem, Techniques
from bullscows.kernels.compiling.jit import Numbers, inlined, int64

QUEUE = 64
"""Room for the answers of open parts, which wait in a ring from `ORDER` on: more than there are
answers."""

FAR, MOST_DOUBLINGS = 1 << 40, 20
"""No number overflows: what is left is taken for no more, and is doubled no more often."""


class Allowance(NamedTuple):
    """What a part may cost when it is asked."""

    budget: int
    all: int
    """What it may cost at most, if the others cost no more than is known."""


@inlined
def open_sizes(part: Numbers, left: int) -> int:
    """Return how many candidates the `left` open parts have together."""
    total = int64(0)
    for i in range(left):
        total += part[ws.SIZE + part[ws.ORDER + i]]
    return total


@inlined
def allowance(
    problem: Problem, node: ws.Node, part: Numbers, answer: int, spare: int, sizes: int, rounds: int
) -> Allowance:
    """Return what the part of an answer may cost.

    Parameters
    ----------
    spare
        What the limit leaves beyond the bounds of all parts.
    sizes
        The candidates of all parts that are open still.
    rounds
        How many times as many questions as there were open parts have been asked, with this one.
    """
    if not problem.flags & Techniques.SLACK.value:
        return Allowance(int64(INFINITE) - 1, int64(INFINITE) - 1)
    least, size = part[ws.LEAST + answer], part[ws.SIZE + answer]
    most = least + spare
    if node.size < problem.portioned or node.manner != ws.BY_BOUND or size >= sizes:
        return Allowance(most, most)
    times = int64(2) << min(rounds, int64(MOST_DOUBLINGS))
    grown = min(spare, int64(FAR)) * times
    portion = grown // sizes * size + grown % sizes * size // sizes
    return Allowance(least + min(spare, portion), most)


@inlined
def put_back(part: Numbers, answer: int, end: int) -> int:
    """Put a part at the end of the ring; return the new end."""
    part[ws.ORDER + end % QUEUE] = answer
    return end + 1


@inlined
def raise_least(part: Numbers, answer: int, value: int) -> int:
    """Take a bound of a part over if it is better than what was known; return the gain."""
    gain = max(value - part[ws.LEAST + answer], int64(0))
    part[ws.LEAST + answer] += gain
    return int64(gain)
