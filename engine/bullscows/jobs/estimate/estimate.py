"""Estimate of the cost of a proof: the mean of random draws, with its error.

Each draw is an order to a process (`bullscows.jobs.estimate.sampler`).  Draws in progress when the
time is over are left out.  Long draws are more likely to be left out than short ones, so their
number is reported: the estimate may be too small.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from statistics import fmean, stdev

from bullscows.game.question import Question
from bullscows.jobs.estimate.sampler import Draw, Sampler, Work
from bullscows.jobs.pools import Pool, PoolError
from bullscows.search.threads import Interrupts, deferred_interrupts

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
            len(draws),
            Work(fmean(nodes), fmean(seconds)),
            error,
            max(nodes) / (sum(nodes) or 1.0),
            draws[0].upper,
            sum(draw.seconds for draw in draws),
            seconds_left,
            left_out,
            is_interrupted,
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
    drawing = _Drawing(proof, pool, seconds, draws)
    try:
        with deferred_interrupts() as interrupts:
            drawing.run(progress, interrupts)
    except KeyboardInterrupt:
        return drawing.estimate(is_interrupted=True)
    return drawing.estimate()


class _Drawing:
    """The draws of one estimate: those made, and those in progress."""

    def __init__(self, proof: Proof, pool: Pool, seconds: float | None, draws: int | None) -> None:
        self._pool = pool
        self._draw = partial(Proof.draw, proof)
        self._seconds = seconds
        self._most = draws
        self._begun = 0
        self._made: dict[int, Draw] = {}
        self._running: set[Future[Draw]] = set()
        self._started = time.monotonic()

    def run(self, progress: Callable[[Estimate], None] | None, interrupts: Interrupts) -> None:
        while True:
            interrupts.check()
            while len(self._running) < self._pool.slots and self._may_begin():
                self._running.add(self._pool.submit(self._draw, self._begun))
                self._begun += 1
            if not self._running or self._is_over():
                return
            done, self._running = wait(
                self._running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED
            )
            for future in done:
                draw = self._drawn(future)
                self._made[draw.number] = draw
            known = self.estimate()
            if progress is not None and known is not None:
                progress(known)

    def _may_begin(self) -> bool:
        if self._most is not None and self._begun >= self._most:
            return False
        return not self._is_over()

    def _is_over(self) -> bool:
        return self._seconds is not None and self._left() == 0

    def _left(self) -> float:
        if self._seconds is None:
            return 0.0
        return max(self._seconds - (time.monotonic() - self._started), 0.0)

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
        left_out = len(self._running) if self._is_over() else 0
        return Estimate.of(made, self._left(), left_out=left_out, is_interrupted=is_interrupted)
