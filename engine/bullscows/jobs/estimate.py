"""Estimate of the cost of a proof: Knuth's estimator, with its error.

A proof that no strategy beats a known one has to refute every guess of every position on
the way (D. E. Knuth, *Estimating the efficiency of backtrack programs*, 1975).  A *draw* walks
down from the question: if a position is too long for one task, one of its guesses is drawn, its
small parts are searched, then one of the large ones that must be searched before the guess can be
refuted is drawn, and so on.  The work on the way, divided by the probability of the way, has the
work of all tasks as its expected value, whatever the probabilities are; those used here grow with
the expected cost of a guess or a part, for a small variance.

The *limit* of a task is what the search of a whole position leaves it: smallest part first, each
gets what those before it, by their values, and those after it, by their bounds, leave of the best
cost known.  The values of large parts are unknown, so beams replace them: strategies found in a
moment, whose cost is a few thousandths above the least.

Each draw is an order to a process.  Draws in progress when the time is over are left out.  Long
draws are more likely to be left out than short ones, so their number is reported.
"""

from __future__ import annotations

import random
import threading
import time
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import accumulate, count
from statistics import fmean, stdev
from typing import TypeVar

from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.timer import Timer
from bullscows.jobs.plan import tree_of
from bullscows.jobs.pools import POLL_SECONDS, Pool
from bullscows.jobs.store.file import JobsError
from bullscows.kernels.pruning import SMALL, TIED_SIZE
from bullscows.search.search import Search
from bullscows.search.threads import deferred_interrupts
from bullscows.search.tree import SETTLED, Option, TreeNode

Branch = TypeVar("Branch")

BEAMS = (1, 4, 16)
"""The widths of the beams that replace values."""

LARGE = 1000
"""Positions of more candidates do without the widest beam, which takes seconds there."""

COUNT_POWER, LIMIT_POWER, LEAST_SIZE = 5, 12, 0.02
"""The expected work of a position grows with this power of its candidates, and of its limit as a
share of its cost, both above the bound by size; with a constant added, because an underestimated
task weighs more.  Fitted to the parts of 5 of 8 digits."""

SLACK_POWER = 3
"""Guesses to compare are drawn by this power of the distance of their bounds to the limit."""

COMPARED = 12
"""The number of guesses of which one is drawn by all their parts."""

TOO_MANY = 1.5
"""Positions with this multiple of the candidates of one that was too long are split untried."""

SMALL_TABLE_BITS = 16
"""The transposition table for few candidates has ``2**SMALL_TABLE_BITS`` entries."""

ALL = 0
"""The width of a beam with all guesses."""


@dataclass(frozen=True)
class Work:
    """Nodes and processor time of a search."""

    nodes: float = 0.0
    seconds: float = 0.0
    """Processor time."""

    def __add__(self, other: Work) -> Work:
        return Work(self.nodes + other.nodes, self.seconds + other.seconds)

    def __mul__(self, factor: float) -> Work:
        return Work(self.nodes * factor, self.seconds * factor)


@dataclass(frozen=True)
class LimitedTask:
    """A position to search, as far as the search of the whole would go."""

    key: str
    """The address of the position."""
    limit: int
    """The value is wanted if it is at most this; otherwise a proof that it is more."""
    node: TreeNode = field(compare=False, repr=False)


@dataclass(frozen=True)
class Draw:
    """The result of one walk."""

    number: int
    total: Work
    """An estimate of the work of all tasks."""
    upper: int
    """The cost of the known strategy."""
    seconds: float
    """Processor time of the draw, tasks abandoned included."""


class Sampler:
    """Draws tasks of one `Proof`; raises `GameTooLargeError` or `SearchError` if none can be."""

    def __init__(
        self,
        question: Question,
        *,
        upper: int | None = None,
        plies: int = 1,
        slice_seconds: float = 5.0,
    ) -> None:
        self._tree = tree_of(question, plies)
        self._slice = slice_seconds
        self._too_many = self._tree.table.size + 1
        self._known: dict[str, int] = {}
        self._done: dict[LimitedTask, Work] = {}
        self.parts = cache(self._settled)
        self._narrow: dict[int, Search] = {}
        root = self._tree.root
        self.upper = self.attainable(root) if upper is None else upper
        self.root = LimitedTask(root.key, self.upper - 1, root)

    def draw(self, seed: int, number: int) -> Draw:
        """Walk down once; the way depends on seed, number and which tasks are too long."""
        started = time.process_time()
        choices = random.Random(f"{seed} {number}")
        total = self._estimated(self.root, choices)
        return Draw(number, total, self.upper, time.process_time() - started)

    def _estimated(self, task: LimitedTask, choices: random.Random) -> Work:
        """Return the work of a task: measured, or estimated from one of its guesses and parts."""
        work = self.search(task)
        if work is not None:
            return work
        share, option = self._chosen(task, choices)
        if option is None:
            return Work()
        done, parts = self.parts(task, option)
        if parts:
            part_share, part = _drawn(parts, choices.random())
            done += self._estimated(part, choices) * (1 / part_share)
        return done * (1 / share)

    def search(self, task: LimitedTask) -> Work | None:
        """Run a task with an empty table; None if it is to be split.

        Tasks with few candidates have no time limit, like those of `bullscows.jobs.coordinator`.
        """
        if task.node.count <= SETTLED:
            return Work()
        if task not in self._done:
            work = self._tried(task)
            if work is None:
                return None
            self._done[task] = work
        return self._done[task]

    def _tried(self, task: LimitedTask) -> Work | None:
        node = task.node
        if node.count <= TIED_SIZE:
            return _searched(self._new_search(node.count), task)[1]
        if self._tree.is_split(node) or node.count >= self._too_many:
            return None
        search = self._new_search(node.count)
        started = time.process_time()
        found = search.value(
            node.position(self._tree.table), budget=task.limit, time_limit=self._slice
        )
        if search.interrupted:
            raise KeyboardInterrupt
        if search.stopped and not found.exact and found.lower <= task.limit:
            self._too_many = min(self._too_many, round(TOO_MANY * node.count))
            return None
        return Work(search.counters()["nodes"], time.process_time() - started)

    def options(self, task: LimitedTask) -> list[tuple[float, Option]]:
        """Return the guesses that a split task has to search, each with its expected work."""
        sized = [(self._size(task, option), option) for option in self._listed(task)]
        return [(size, option) for size, option in sized if size > 0]

    def _chosen(self, task: LimitedTask, choices: random.Random) -> tuple[float, Option | None]:
        """Draw a guess; with it comes the number by which its work is to be divided.

        Of many guesses some are drawn by their bounds, then one of these by its expected work:
        resampled importance sampling, whose expected value is the same.
        """
        listed = self._listed(task)
        if len(listed) <= COMPARED:
            drawn = self.options(task)
            scale = {option.guess: size for size, option in drawn}
        else:
            cap = self._cap(task)
            slacks = [(cap + 1 - option.least) ** SLACK_POWER for option in listed]
            drawn = []
            scale = {}
            for index in choices.choices(range(len(listed)), slacks, k=COMPARED):
                size = self._size(task, listed[index])
                drawn.append((size * sum(slacks) / slacks[index] / COMPARED, listed[index]))
                scale[listed[index].guess] = size
        total = sum(size for size, _ in drawn)
        if total == 0:
            return 1.0, None
        option = _drawn(drawn, choices.random())[1]
        return scale[option.guess] / total, option

    def _listed(self, task: LimitedTask) -> list[Option]:
        """Return the guesses that their bounds do not refute at once."""
        cap = self._cap(task)
        return [option for option in self._tree.split(task.node) if option.least <= cap]

    def _size(self, task: LimitedTask, option: Option) -> float:
        """Return the expected work of a guess; 0 if checks of its smallest parts refute it."""
        size, below = 0.0, None
        for below in self._sequence(task, option, lambda node, _: self.attainable(node)):
            size += self._part_size(below)
        if below is None or (
            below.node.count <= SMALL and self.attainable(below.node) > below.limit
        ):
            return 0.0
        return size

    def _part_size(self, task: LimitedTask) -> float:
        """Return the expected work of a part, small if the limit is far below the cost."""
        node = task.node
        bound = self._tree.least(node)
        needed = self.attainable(node) - bound
        tightness = 1.0 if needed <= 0 else min((task.limit - bound) / needed, 1.0)
        return float(node.count**COUNT_POWER * (tightness**LIMIT_POWER + LEAST_SIZE))

    def _settled(
        self, task: LimitedTask, option: Option
    ) -> tuple[Work, list[tuple[float, LimitedTask]]]:
        """Search the small parts of a guess; return the large ones, each with its probability."""
        search = self._new_search(TIED_SIZE)
        work = [Work()]

        def value(node: TreeNode, limit: int) -> int:
            if node.count > TIED_SIZE:
                return self.attainable(node)
            found, done = _searched(search, LimitedTask(node.key, limit, node))
            work.append(done)
            return found

        tasks = list(self._sequence(task, option, value))
        large = [below for below in tasks if below.node.count > TIED_SIZE]
        sizes = [self._part_size(below) for below in large]
        return sum(work[1:], work[0]), [
            (size / sum(sizes), below) for size, below in zip(sizes, large, strict=True)
        ]

    def _sequence(
        self, task: LimitedTask, option: Option, value: Callable[[TreeNode, int], int]
    ) -> Iterator[LimitedTask]:
        """Yield the parts in the order of a search, until the guess can be refuted."""
        for node, limit in self._tree.limits(task.node, option, self._cap(task), value):
            yield LimitedTask(node.key, limit, node)

    def _cap(self, task: LimitedTask) -> int:
        """Return the largest cost at which a guess is of interest: the best one is known."""
        return min(task.limit, self.attainable(task.node) - 1)

    def attainable(self, node: TreeNode) -> int:
        """Return the cost of the best of a few beams, the least if few are left, or `INFINITE`."""
        if node.count <= SETTLED:
            return self._tree.least(node)
        if node.key not in self._known:
            best = INFINITE
            for beam in self._beams(node.count):
                found = beam.value(node.position(self._tree.table), budget=best - 1)
                if beam.interrupted:
                    raise KeyboardInterrupt
                best = best if found.upper is None else min(best, found.upper)
            self._known[node.key] = best
        return self._known[node.key]

    def _beams(self, count: int) -> list[Search]:
        """Return the searches for a strategy of this number of candidates, the quickest first."""
        widths = (ALL,) if count <= SMALL else BEAMS[: 2 if count > LARGE else None]
        for width in widths:
            if width not in self._narrow:
                self._narrow[width] = Search(self._tree.table, self._tree.weights, width=width)
        return [self._narrow[width] for width in widths]

    def _new_search(self, count: int) -> Search:
        """Return a search with an empty table; large tables take time to allocate."""
        bits = SMALL_TABLE_BITS if count <= TIED_SIZE else None
        clock = time.process_time
        return Search(self._tree.table, self._tree.weights, table_bits=bits, clock=clock)


def _searched(search: Search, task: LimitedTask) -> tuple[int, Work]:
    """Search a small position; return its value, or a bound above the limit, and the work."""
    position = task.node.position(search.table)
    before = search.counters()["nodes"]
    started = time.process_time()
    found = search.cost(position, task.limit)
    return found, Work(search.counters()["nodes"] - before, time.process_time() - started)


def _drawn(branches: Sequence[tuple[float, Branch]], chance: float) -> tuple[float, Branch]:
    """Return the branch that a number from [0, 1) selects, and its size."""
    ends = list(accumulate(share for share, _ in branches))
    return branches[min(bisect(ends, chance * ends[-1]), len(branches) - 1)]


# -- many draws ------------------------------------------------------------------------------------

_kept = threading.local()  # the sampler of the last proof


@dataclass(frozen=True)
class Proof:
    """The proof to estimate, and how its tasks are drawn."""

    question: str
    upper: int | None = None
    """The cost of a known strategy: the proof is that none costs less.  None: by a beam."""
    seed: int = 1
    plies: int = 1
    """Turns to split before anything is tried."""
    slice_seconds: float = 5.0
    """Processor time after which a task is split."""

    def draw(self, number: int) -> Draw:
        """Draw once; a process keeps what it knows of the proof for the next draw."""
        kept: tuple[Proof, Sampler] | None = getattr(_kept, "sampler", None)
        if kept is None or kept[0] != self:
            question = Question.parse(self.question)
            sampler = Sampler(
                question, upper=self.upper, plies=self.plies, slice_seconds=self.slice_seconds
            )
            kept = _kept.sampler = (self, sampler)
        return kept[1].draw(self.seed, number)


@dataclass(frozen=True)
class Estimate:
    """The mean of draws."""

    draws: int
    work: Work
    """Of all tasks of the proof."""
    error: Work | None
    """The standard error of the mean; None if there is only one draw."""
    largest: float
    """The share of the largest draw in the sum: if it is large, the error is underestimated."""
    upper: int
    """The cost of the known strategy."""
    spent: float
    """Processor time of the draws."""
    seconds_left: float = 0.0
    left_out: int = 0
    """Number of draws in progress when the time was over."""
    is_interrupted: bool = False

    @classmethod
    def of(cls, draws: Sequence[Draw]) -> Estimate:
        """Return the mean of draws; one at least."""
        nodes = [draw.total.nodes for draw in draws]
        seconds = [draw.total.seconds for draw in draws]
        error = None
        if len(draws) > 1:
            error = Work(stdev(nodes), stdev(seconds)) * (len(draws) ** -0.5)
        return cls(
            draws=len(draws),
            work=Work(fmean(nodes), fmean(seconds)),
            error=error,
            largest=max(nodes) / (sum(nodes) or 1.0),
            upper=draws[0].upper,
            spent=sum(draw.seconds for draw in draws),
        )


def estimate(
    proof: Proof,
    pool: Pool,
    *,
    seconds: float | None = None,
    draws: int | None = None,
    progress: Callable[[Estimate], None] | None = None,
) -> Estimate | None:
    """Draw until the time is over or the draws are done; Ctrl-C ends it with what is known.

    Returns None if no draw had ended.  `progress` is called after each.  Raises `JobsError` if a
    process died, `EngineError` if no search can answer the question.
    """
    drawing = _Drawing(pool, seconds)
    try:
        with deferred_interrupts() as interrupts:
            for _ in drawing.steps(partial(Proof.draw, proof), draws):
                interrupts.check()
                known = drawing.estimate()
                if progress is not None and known is not None:
                    progress(known)
    except KeyboardInterrupt:
        return drawing.estimate(is_interrupted=True)
    return drawing.estimate()


class _Drawing:
    """The draws of one estimate: those made, and those in progress."""

    def __init__(self, pool: Pool, seconds: float | None) -> None:
        self._pool = pool
        self._timer = Timer(seconds)
        self._made: list[Draw] = []
        self._running: set[Future[Draw]] = set()

    def steps(self, draw: Callable[[int], Draw], most: int | None) -> Iterator[None]:
        """Draw as long as there is time, a moment at a time."""
        numbers = count() if most is None else iter(range(most))
        while True:
            while len(self._running) < self._pool.slots and not self._timer.is_over:
                if (number := next(numbers, None)) is None:
                    break
                self._running.add(self._pool.submit(draw, number))
            if not self._running or self._timer.is_over:
                return
            done, self._running = wait(
                self._running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED
            )
            self._made += map(self._drawn, done)
            yield

    def _drawn(self, future: Future[Draw]) -> Draw:
        error = future.exception()
        if error is not None and self._pool.lost_worker(error):
            raise JobsError(
                "a process that made draws died: out of memory? Take fewer (--processes)"
            )
        return future.result()

    def estimate(self, *, is_interrupted: bool = False) -> Estimate | None:
        """Return what is known, in the order of the draws; None if none has ended."""
        if not self._made:
            return None
        made = sorted(self._made, key=lambda draw: draw.number)
        left = self._timer.share() or 0.0
        left_out = len(self._running) * self._timer.is_over
        return replace(
            Estimate.of(made), seconds_left=left, left_out=left_out, is_interrupted=is_interrupted
        )
