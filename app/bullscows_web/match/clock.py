"""The time of matches: Unix time that no jump of the system's clock can move.

A wrong time would end matches that nobody abandoned, show their codes, and delete them.  So the
time of matches never goes back, and goes on only while a server runs:

- In a process it advances as a steady clock does.  Steps of the system's clock of less than `JUMP`
  seconds are followed; a larger one, forwards or backwards, only changes how far the time is
  `behind` the system's clock.
- A process that starts goes on from the latest time in the database.  The time since then counts
  if the system's clock says that it is less than `GAP`; otherwise it counts as nothing, because
  a clock that is wrong and a server that was down look the same.

Matches therefore never age by more than `GAP` at a start, and live longer by the time for which no
server ran.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

JUMP = 60.0
"""Seconds by which both clocks may differ: smaller steps are followed at once."""
GAP = 3600.0
"""Seconds without a server that count at most, more than between two times that are stored."""


def _awake() -> float:
    """Return steady seconds that count on while the machine sleeps, where the system has them."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class Clock:
    """The time of matches; `system` may jump, `steady` does not."""

    def __init__(
        self, system: Callable[[], float] = time.time, steady: Callable[[], float] = _awake
    ) -> None:
        self._system = system
        self._steady = steady
        self._offset = system() - steady()
        self._behind = 0.0
        self._lock = Lock()

    def __call__(self) -> float:
        """Return the time."""
        with self._lock:
            steady = self._steady()
            offset = self._system() - steady
            step = offset - self._offset
            self._offset = offset
            if abs(step) >= JUMP:
                self._behind += step
            return steady + offset - self._behind

    @property
    def behind(self) -> float:
        """Seconds by which the system's clock is ahead; negative if it is not."""
        return self._behind

    def go_on(self, latest: float, behind: float) -> None:
        """Go on from the latest time of another process, which was `behind` its system's clock."""
        with self._lock:
            system = self._system()
            elapsed = system - behind - latest
            self._offset = system - self._steady()
            self._behind = behind if 0 <= elapsed < GAP else system - latest
