"""Queue for expensive work: bounded concurrency, bounded waiting time.

Pages of a large tree need Python's own time (the GIL).  If ten were made at once, all of them and
every game would be late.  So they are made one after the other, and a game waits for one of them at
most.  A request that waits too long gets a 503 with `Retry-After`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import TypeVar

from anyio.to_thread import run_sync

from bullscows_web.web.exceptions import BusyError, Wanted

PLACES = 1
"""Concurrency limit of expensive work."""
PATIENCE = 4.0
"""Maximum waiting time, in seconds."""
LINE = 200
"""Maximum number of waiting requests."""

Result = TypeVar("Result")


class WorkQueue:
    """Where to get a turn; for the event loop of one server.

    Serves `places` at once, while `line` at most wait, for `patience` seconds; `counted` makes what
    counts one who waits or is served.
    """

    def __init__(
        self,
        places: int = PLACES,
        patience: float = PATIENCE,
        line: int = LINE,
        counted: Callable[[], AbstractContextManager[object]] = nullcontext,
        what: Wanted = "turn",
    ) -> None:
        self._count = places
        self._places = asyncio.Semaphore(places)
        self._patience = patience
        self._line = line
        self._counted = counted
        self._what: Wanted = what
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and have it; raise `BusyError` if it doesn't come."""
        if self._waiting >= self._line:
            raise BusyError(self._what, self._count + self._waiting)
        with self._counted():
            await self._place()
            try:
                yield
            finally:
                self._places.release()

    async def _place(self) -> None:
        """Wait for a place; who has it gives it back."""
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                await self._places.acquire()
        except TimeoutError:
            raise BusyError(self._what, self._count + self._waiting - 1) from None
        finally:
            self._waiting -= 1

    async def make(self, work: Callable[[], Result]) -> Result:
        """Return what `work` returns, which is done in another thread when it has its turn."""
        async with self.turn():
            return await run_sync(work)
