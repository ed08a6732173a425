"""Ctrl-C, heard between the steps of whoever waits for threads or processes.

Python raises `KeyboardInterrupt` between any two of its instructions.  Executors and futures do
not bear that everywhere: where it comes while the lock of a future is being taken, nobody gives
the lock back, and the thread that has the result waits for ever, as does whoever ends the
executor.  So a loop that waits for others hears of it where it asks.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds after which another signal is raised at once, if nobody has asked for the first."""


class Interrupts:
    """What has come since somebody last asked."""

    def __init__(self) -> None:
        self._since: float | None = None

    def take(self) -> bool:
        """Return whether there was an interrupt; it is the caller's now."""
        since, self._since = self._since, None
        return since is not None

    def check(self) -> None:
        """Raise the `KeyboardInterrupt` that came, if one did."""
        if self.take():
            raise KeyboardInterrupt

    def note(self, *_: object) -> None:
        """Take a signal."""
        now = time.monotonic()
        if self._since is not None and now - self._since > PATIENCE:
            raise KeyboardInterrupt
        self._since = self._since or now


@contextmanager
def heard() -> Iterator[Interrupts]:
    """Keep signals that would raise `KeyboardInterrupt` until the block asks for them.

    One that the block has not asked for is raised at its end, unless the block fails.  Within
    another such block both hear the same.  Signals that do something else stay as they are:
    ignored ones, those of a server.  Only the main thread gets signals, so elsewhere there never
    is any.
    """
    signals = signal.SIGINT, signal.SIGTERM
    around = [getattr(signal.getsignal(each), "__self__", None) for each in signals]
    outer = next((each for each in around if isinstance(each, Interrupts)), None)
    if outer is not None and _is_main_thread():
        yield outer
        return
    interrupts = Interrupts()
    ours = [each for each in signals if _interrupts(each)]
    try:
        for each in ours:
            signal.signal(each, interrupts.note)
        yield interrupts
    finally:
        for each in ours:
            signal.signal(each, signal.default_int_handler)
    interrupts.check()


def _interrupts(which: signal.Signals) -> bool:
    return _is_main_thread() and signal.getsignal(which) is signal.default_int_handler


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
