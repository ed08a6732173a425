"""Estimate of the cost of a proof: the mean of random draws, with its error.

Each draw is an order to a process (`bullscows.jobs.estimate.sampler`).  Draws in progress when the
time is over are left out.  Long draws are more likely to be left out than short ones, so their
number is reported: the estimate may be too small.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from itertools import count
from statistics import fmean, stdev

from bullscows.game.question import Question
from bullscows.jobs.estimate.sampler import Draw, Sampler, Work
from bullscows.jobs.pools import Pool, PoolError
from bullscows.search.threads import Timer, deferred_interrupts

POLL_SECONDS = 0.2

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
    def of(
        cls,
        draws: Sequence[Draw],
        seconds_left: float = 0.0,
        *,
        left_out: int = 0,
        is_interrupted: bool = False,
    ) -> Estimate:
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
            seconds_left=seconds_left,
            left_out=left_out,
            is_interrupted=is_interrupted,
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

    Draws in progress when the time is over are left out: returns None if none had ended.
    `progress` is called after each draw.  Raises `PoolError` if a process died, `EngineError` if no
    search can answer the question.
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
        self._pool, self._timer = pool, Timer(seconds)
        self._made: dict[int, Draw] = {}
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
            for future in done:
                drawn = self._drawn(future)
                self._made[drawn.number] = drawn
            yield

    def _drawn(self, future: Future[Draw]) -> Draw:
        error = future.exception()
        if error is not None and self._pool.lost_worker(error):
            raise PoolError(
                "a process that made draws died: out of memory? Take fewer (--processes)"
            )
        return future.result()

    def estimate(self, *, is_interrupted: bool = False) -> Estimate | None:
        """Return what is known, in the order of the draws; None if none has ended."""
        if not self._made:
            return None
        made = [self._made[number] for number in sorted(self._made)]
        left, is_over = self._timer.share() or 0.0, self._timer.is_over
        left_out = len(self._running) if is_over else 0
        return Estimate.of(made, left, left_out=left_out, is_interrupted=is_interrupted)
