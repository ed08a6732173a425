"""Ctrl-C, heard between the steps of whoever waits for threads or processes.

Python raises `KeyboardInterrupt` between any two of its instructions.  Executors and futures do
not bear that everywhere: where it comes while the lock of a future is being taken, nobody gives
the lock back, and the thread that has the result waits for ever, as does whoever ends the
executor.  So a loop that waits for others hears of it where it asks.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupts:
    """What has come since somebody last asked."""

    def __init__(self) -> None:
        self._came = False

    def take(self) -> bool:
        """Return whether there was an interrupt; it is the caller's now."""
        came, self._came = self._came, False
        return came

    def check(self) -> None:
        """Raise the `KeyboardInterrupt` that came, if one did."""
        if self.take():
            raise KeyboardInterrupt

    def _note(self, *_: object) -> None:
        self._came = True


@contextmanager
def heard() -> Iterator[Interrupts]:
    """Keep signals that would raise `KeyboardInterrupt` until the block asks for them.

    One that the block has not asked for is raised at its end.  Signals that do something else
    stay as they are: ignored ones, those of a server.  Only the main thread gets signals, so
    elsewhere there never is any.
    """
    interrupts = Interrupts()
    ours = [each for each in (signal.SIGINT, signal.SIGTERM) if _interrupts(each)]
    for each in ours:
        signal.signal(each, interrupts._note)
    try:
        yield interrupts
    finally:
        for each in ours:
            signal.signal(each, signal.default_int_handler)
    interrupts.check()


def _interrupts(which: signal.Signals) -> bool:
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(which) is signal.default_int_handler
    )
