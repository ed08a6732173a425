"""Unix time that is not misled when the clock of the system jumps.

A wrong time would end matches that nobody abandoned, show their codes, and delete them.  Between
two questions time advances as much as a steady clock does.  A jump of the system's clock is
followed once it has lasted `LASTING` seconds; until then it may be corrected without effect.
"""

from __future__ import annotations

import time
from collections.abc import Callable

JUMP = 60.0
"""Seconds by which both clocks may differ: smaller steps are followed at once."""
LASTING = 3600.0


def _awake() -> float:
    """Return steady seconds that count on while the machine sleeps, where the system has them."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class Clock:
    """Unix time; `system` may jump, `steady` does not."""

    def __init__(
        self, system: Callable[[], float] = time.time, steady: Callable[[], float] = _awake
    ) -> None:
        self._system = system
        self._steady = steady
        self._offset = system() - steady()
        self._jumped: float | None = None

    def __call__(self) -> float:
        """Return the time."""
        steady = self._steady()
        offset = self._system() - steady
        if abs(offset - self._offset) < JUMP:
            self._offset = offset
            self._jumped = None
        elif self._jumped is None:
            self._jumped = steady
        elif steady - self._jumped > LASTING:
            self._offset = offset
            self._jumped = None
        return steady + self._offset
