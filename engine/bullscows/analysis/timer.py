"""How long a question may still take."""

from __future__ import annotations

import time


class Timer:
    """So many seconds from now, or no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._ends = None if seconds is None else time.monotonic() + seconds

    def share(self, part: float = 1.0) -> float | None:
        """Return a part of the time that is left."""
        if self._ends is None:
            return None
        return part * max(self._ends - time.monotonic(), 0.0)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.share() == 0.0
