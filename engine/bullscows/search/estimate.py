"""Estimate of the work of a proof: Knuth's estimator, with its error.

A proof that no strategy beats a known one has to refute every guess of every position on the way
(D. E. Knuth, *Estimating the efficiency of backtrack programs*, 1975).  A *draw* walks down the
bounded tree: of a position that is too long for one search a guess is drawn, its small parts are
searched, then one of the large ones is drawn, and so on.  The work on the way, divided by the
probability of the way, has the work of the proof as its expected value.

The *limit* of a part is what those before it, smallest first, and the bounds of those after it
leave of the best cost known.  Beams replace the unknown values of large parts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import table_after
from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.timer import OutOfTimeError, Timer
from bullscows.kernels.pruning import TIED_SIZE
from bullscows.search.bounded_tree import SETTLED, BoundedTree, Entry, Option, TreeNode
from bullscows.search.position import Progress
from bullscows.search.position_search import Search

BEAMS = (1, 4, 16)
"""The widths of the beams."""

WIDEST_SIZE = 1000
"""Positions of more candidates do without the widest beam."""

SLACK_POWER = 3
"""Guesses are drawn by this power of the distance of their bounds to the limit."""

SIZE_POWER = 5
"""Parts are drawn by this power of their number of candidates."""


@dataclass(frozen=True)
class Estimate:
    """The mean of draws."""

    draws: int
    work: NDArray[np.float64]
    """(2,): nodes, and seconds of processor time."""
    error: NDArray[np.float64] | None
    """The standard error of the mean; None if there is only one draw."""
    largest: float
    """The share of the largest draw in the sum: if it is large, the error is underestimated."""
    upper: int
    """The cost of the known strategy."""


def estimate(
    question: Question,
    *,
    upper: int | None = None,
    seconds: float | None = None,
    draws: int | None = None,
    seed: int = 1,
    slice_seconds: float = 5.0,
    progress: Callable[[Estimate], None] | None = None,
) -> Estimate | None:
    """Estimate the proof that no strategy costs less than `upper`, by default what a beam finds.

    Draws until the time is over or the draws are done; a search of more than `slice_seconds` is
    split.  Returns None if no draw has ended.  Ctrl-C is raised.
    """
    known = None
    done: list[NDArray[np.float64]] = []
    with suppress(OutOfTimeError):
        walk = _Walk(question, upper, slice_seconds, Timer(seconds))
        while draws is None or len(done) < draws:
            done.append(walk.draw(walk.tree.root, walk.upper - 1, Random(f"{seed} {len(done)}")))
            works = np.array(done)
            error = works.std(axis=0, ddof=1) / len(done) ** 0.5 if len(done) > 1 else None
            largest = float(works[:, 0].max() / (works[:, 0].sum() or 1.0))
            known = Estimate(len(done), works.mean(axis=0), error, largest, walk.upper)
            if progress is not None:
                progress(known)
    return known


class _Walk:
    """Draws of one proof, and what they have measured."""

    def __init__(self, question: Question, upper: int | None, most: float, timer: Timer) -> None:
        table = table_after(question.history)
        self.tree = BoundedTree(table, question.weights(), question.history)
        self._most = most
        self._timer = timer
        self._beams = [Search(table, self.tree.weights, width=width) for width in BEAMS]
        self._costs: dict[Entry, int] = {}
        self._measured: dict[tuple[Entry, int], NDArray[np.float64] | None] = {}
        self.upper = self._cost(self.tree.root) if upper is None else upper

    def draw(self, node: TreeNode, limit: int, chance: Random) -> NDArray[np.float64]:
        """Return the work of a position: measured, or that of one guess and part, scaled up."""
        if (node.entry, limit) not in self._measured and node is not self.tree.root:
            search = Search(self.tree.table, self.tree.weights)
            work, found = self._searched(search, node, limit, self._most)
            is_late = search.stopped and found <= limit
            self._measured[node.entry, limit] = None if is_late else work
        measured = self._measured.get((node.entry, limit))
        if measured is not None:
            return measured
        cap = min(limit, self._cost(node) - 1)
        options = [option for option in self.tree.split(node) if option.least <= cap]
        if not options:
            return np.zeros(2)
        slacks = [float(cap + 1 - option.least) ** SLACK_POWER for option in options]
        drawn = chance.choices(range(len(options)), slacks)[0]
        work, large = self._parts(node, options[drawn], cap)
        if large:
            sizes = [float(part.count) ** SIZE_POWER for part, _ in large]
            place = chance.choices(range(len(large)), sizes)[0]
            work = work + self.draw(*large[place], chance) * sum(sizes) / sizes[place]
        return work * sum(slacks) / slacks[drawn]

    def _parts(
        self, node: TreeNode, option: Option, cap: int
    ) -> tuple[NDArray[np.float64], list[tuple[TreeNode, int]]]:
        """Search the small parts of a guess; return the work, and the large ones with limits."""
        search = Search(self.tree.table, self.tree.weights, table_bits=16)
        work = np.zeros(2)
        large = []
        total = option.least
        for answer, size, least in reversed(option.parts):
            if size > SETTLED and total <= cap:
                part = self.tree.after(node, option, answer)
                limit = cap - total + least
                if size <= TIED_SIZE:
                    more, found = self._searched(search, part, limit)
                    work = work + more
                else:
                    large.append((part, limit))
                    found = self._cost(part)
                total += found - least
        return work, large

    def _cost(self, node: TreeNode) -> int:
        """Return the cost of the best strategy that a beam finds, or `INFINITE`."""
        if node.entry not in self._costs:
            beams = self._beams if node.count <= WIDEST_SIZE else self._beams[:-1]
            found = [self._searched(beam, node, INFINITE - 1)[1] for beam in beams]
            self._costs[node.entry] = min(found)
        return self._costs[node.entry]

    def _searched(
        self, search: Search, node: TreeNode, limit: int, seconds: float | None = None
    ) -> tuple[NDArray[np.float64], int]:
        """Return the work of a search, and the value, or a lower bound."""
        self._timer.check()
        before = np.array([search.counters()["nodes"], time.process_time()])
        position = node.position(self.tree.table)
        found = search.value(position, budget=limit, timer=Timer(seconds), progress=self._check)
        if search.interrupted:
            raise KeyboardInterrupt
        return np.array([search.counters()["nodes"], time.process_time()]) - before, found.lower

    def _check(self, _: Progress) -> None:
        self._timer.check()
