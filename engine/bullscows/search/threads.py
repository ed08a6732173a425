"""The threads of one search, and the calling thread: it waits, reports progress, and ends them.

Python raises `KeyboardInterrupt` between any two of its instructions.  If it is raised while the
lock of a future is being acquired, the lock is never released, and the thread with the result waits
without end.  So a loop that waits for threads or processes records the signal and asks for it.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from bullscows.game.timer import UNLIMITED, Timer
from bullscows.kernels import workspace as ws
from bullscows.kernels.compiling.jit import Numbers

PATIENCE = 1.0
"""Seconds after which another signal is raised at once, if the first was not asked for."""


class Interrupts:
    """Signals that came since the last question for them."""

    def __init__(self) -> None:
        self._since: float | None = None

    def take(self) -> bool:
        """Return whether there was an interrupt, and forget it."""
        since = self._since
        self._since = None
        return since is not None

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if there was an interrupt."""
        if self.take():
            raise KeyboardInterrupt

    def note(self, *_: object) -> None:
        """Handle a signal."""
        now = time.monotonic()
        if self._since is not None and now - self._since > PATIENCE:
            raise KeyboardInterrupt
        self._since = self._since or now


@contextmanager
def deferred_interrupts() -> Iterator[Interrupts]:
    """Hold signals that would raise `KeyboardInterrupt` until the block asks for them.

    A signal that the block has not asked for is raised at its end, unless the block fails.  Nested
    blocks share their signals, which only the main thread receives.  Signals with other handlers
    (ignored ones, those of a server) are left alone.
    """
    signals = signal.SIGINT, signal.SIGTERM
    is_main = threading.current_thread() is threading.main_thread()
    around = [getattr(signal.getsignal(each), "__self__", None) for each in signals]
    outer = next((each for each in around if isinstance(each, Interrupts)), None)
    if outer is not None and is_main:
        yield outer
        return
    interrupts = Interrupts()
    default = signal.default_int_handler
    ours = [each for each in signals if is_main and signal.getsignal(each) is default]
    try:
        for each in ours:
            signal.signal(each, interrupts.note)
        yield interrupts
    finally:
        for each in ours:
            signal.signal(each, default)
    interrupts.check()


POLL_SECONDS = 0.1
"""The interval of progress reports and checks of the clock."""


def run_together(
    runs: Sequence[Callable[[], int]],
    words: Numbers,
    *,
    timer: Timer = UNLIMITED,
    report: Callable[[float], None] | None = None,
) -> tuple[int, bool, bool]:
    """Run the kernels of a search, each in a thread, and stop all when one has ended.

    Returns the result of the first that ended, or, if they were stopped, the best of their lower
    bounds; whether a time limit or Ctrl-C stopped them; and whether there was a Ctrl-C.

    A run ends soon after `words`, which are `Workspace.signal`, say stop.  `report` is called with
    the seconds so far, every `POLL_SECONDS`; an exception stops the threads and is raised again,
    except `KeyboardInterrupt`, which counts as a Ctrl-C.
    """
    with deferred_interrupts() as interrupts, ThreadPoolExecutor(len(runs)) as pool:
        try:
            running = [pool.submit(run) for run in runs]
            interrupted = _watch(running, interrupts, timer, report)
            first = next((future for future in running if future.done()), None)
            stopped = first is None or bool(words[ws.SIGNAL_STOP])
        finally:
            words[ws.SIGNAL_STOP] = 1
        wait(running)
        interrupted = interrupts.take() or interrupted
    if stopped or interrupted or first is None:
        return max(future.result() for future in running), True, interrupted
    return first.result(), False, interrupted


def _watch(
    running: Sequence[Future[int]],
    interrupts: Interrupts,
    timer: Timer,
    report: Callable[[float], None] | None,
) -> bool:
    """Wait until a thread has ended or the time is over; return whether Ctrl-C came before."""
    started = time.monotonic()
    while not any(future.done() for future in running):
        left = timer.share()
        pause = POLL_SECONDS if left is None else min(POLL_SECONDS, left)
        try:
            wait(running, timeout=pause, return_when=FIRST_COMPLETED)
            if report is not None:
                report(time.monotonic() - started)
            interrupts.check()
        except KeyboardInterrupt:
            return True
        if timer.is_over:
            break
    return False
