"""Ctrl-C and time limits, checked between the steps of a thread that waits for others.

Python raises `KeyboardInterrupt` between any two of its instructions.  If it is raised while the
lock of a future is being acquired, the lock is never released, and the thread with the result waits
without end.  So a loop that waits for threads or processes records the signal and asks for it.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds after which another signal is raised at once, if the first was not asked for."""


class Timer:
    """A time limit in seconds from now, or none."""

    def __init__(self, seconds: float | None) -> None:
        self._ends = None if seconds is None else time.monotonic() + seconds

    def share(self, part: float = 1.0) -> float | None:
        """Return a part of the seconds left; None: no limit."""
        if self._ends is None:
            return None
        return part * max(self._ends - time.monotonic(), 0.0)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.share() == 0.0


class Interrupts:
    """Signals that came since the last question for them."""

    def __init__(self) -> None:
        self._since: float | None = None

    def take(self) -> bool:
        """Return whether there was an interrupt, and forget it."""
        since, self._since = self._since, None
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
    blocks share their signals.  Signals with other handlers (ignored ones, those of a server) are
    left alone.  Only the main thread receives signals, so other threads never get any.
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
