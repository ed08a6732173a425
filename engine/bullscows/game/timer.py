"""Time limits: the seconds that are left, and the end of work that would take longer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from bullscows.errors import EngineError

ReportText: TypeAlias = Callable[[str], None]
"""Function that is called with a sentence about the progress."""

LAST_MOMENT = 0.5
"""Seconds for what begins or ends a search, however little time is left."""

TRIAL = 0.1
"""Work is not judged by its pace before this share of its time."""


class OutOfTimeError(EngineError, TimeoutError):
    """Work that a time limit ended before it had a result."""

    def __init__(self) -> None:
        super().__init__("the time limit ended the work before it had a result")


class Timer:
    """A time limit in seconds from now, or none.

    Examples
    --------
    >>> Timer(0.0).is_over, Timer(None).share()
    (True, None)
    """

    def __init__(
        self, seconds: float | None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._ends = None if seconds is None else clock() + seconds

    def share(self, part: float = 1.0) -> float | None:
        """Return a part of the seconds left; None: no limit."""
        if self._ends is None:
            return None
        return part * max(self._ends - self._clock(), 0.0)

    def part(self, share: float) -> Timer:
        """Return the limit of work that gets a part of the time left."""
        return Timer(self.share(share), clock=self._clock)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.share() == 0.0

    def extended(self) -> Timer:
        """Return this limit, or one of `LAST_MOMENT` seconds from now if that ends later."""
        left = self.share()
        return Timer(None if left is None else max(left, LAST_MOMENT), clock=self._clock)

    def check(self, least: float = 0.0) -> None:
        """Raise `OutOfTimeError` unless more than `least` seconds are left."""
        left = self.share()
        if left is not None and left <= least:
            raise OutOfTimeError

    def pace(self, part: float) -> Callable[[float], None]:
        """Return a check of work that is useful only if it ends within a part of the time left.

        The check gets the share of the work that is done, and raises `OutOfTimeError` as soon as
        the rest is expected to take too long, so that little time and memory is spent in vain.
        """
        allowed = self.share(part)
        began = self._clock()

        def check(done: float) -> None:
            if allowed is not None and self._clock() - began > allowed * max(done, TRIAL):
                raise OutOfTimeError

        return check


UNLIMITED = Timer(None)
