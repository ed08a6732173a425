"""The threads of one search, and the calling thread: it waits, reports progress, and ends them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullscows.kernels.arrays import workspace as ws
from bullscows.search.interrupts import Interrupts, deferred_interrupts

POLL_SECONDS = 0.1
"""The interval of progress reports and checks of the clock."""


@dataclass(frozen=True)
class Outcome:
    """How the threads of a search ended."""

    value: int
    """The result of the first that ended; if they were stopped, the best of their lower bounds."""
    stopped: bool
    """Whether a time limit or Ctrl-C ended them."""
    interrupted: bool
    """Whether there was a Ctrl-C."""


def run_together(
    runs: Sequence[Callable[[], int]],
    words: NDArray[np.int64],
    *,
    clock: Callable[[], float],
    time_limit: float | None = None,
    report: Callable[[float], None] | None = None,
) -> Outcome:
    """Run the kernels of a search, each in a thread, and stop all when one has ended.

    A run ends soon after `words`, the signals of the threads
    (`bullscows.kernels.arrays.workspace`), say stop.  `report` is called with the seconds so far,
    every `POLL_SECONDS`; an exception stops the threads and is raised again, except
    `KeyboardInterrupt`, which counts as a Ctrl-C.
    """
    with deferred_interrupts() as interrupts, ThreadPoolExecutor(len(runs)) as pool:
        try:
            running = [pool.submit(run) for run in runs]
            interrupted = _watch(running, interrupts, clock, time_limit, report)
            first = next((future for future in running if future.done()), None)
            stopped = first is None or bool(words[ws.SIGNAL_STOP])
        finally:
            words[ws.SIGNAL_STOP] = 1
        wait(running)
        interrupted = interrupts.take() or interrupted
    if stopped or interrupted or first is None:
        return Outcome(max(future.result() for future in running), True, interrupted)
    return Outcome(first.result(), False, interrupted)


def _watch(
    running: Sequence[Future[int]],
    interrupts: Interrupts,
    clock: Callable[[], float],
    time_limit: float | None,
    report: Callable[[float], None] | None,
) -> bool:
    """Wait until a thread has ended or the time is over; return whether Ctrl-C came before."""
    started = clock()
    while not any(future.done() for future in running):
        elapsed = clock() - started
        left = POLL_SECONDS if time_limit is None else min(POLL_SECONDS, time_limit - elapsed)
        try:
            wait(running, timeout=max(left, 0), return_when=FIRST_COMPLETED)
            elapsed = clock() - started
            if report is not None:
                report(elapsed)
            interrupts.check()
        except KeyboardInterrupt:
            return True
        if time_limit is not None and elapsed >= time_limit:
            break
    return False
