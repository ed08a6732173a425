"""Queue for expensive work: bounded concurrency and waiting time, identical requests coalesced.

Pages of a large tree need Python's own time (the GIL).  If ten were made at once, all of them and
every game would be late.  So they are made one after the other, and a game waits for one of them at
most.  A request that waits too long gets a 503 with `Retry-After`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Any, TypeVar

from anyio.to_thread import run_sync

from bullscows_web.web.errors import BusyError

PLACES = 1
"""Default concurrency."""
PATIENCE = 4.0
"""Default maximum waiting time, in seconds."""
LINE = 200
"""Default maximum number of waiting requests."""

Result = TypeVar("Result")


class WorkQueue:
    """A work queue of one event loop.

    Parameters
    ----------
    places
        Concurrency.
    patience
        Maximum waiting time, in seconds.
    line
        Maximum number of waiting requests.
    counted
        Makes a context manager that counts a request while it waits or runs.
    """

    def __init__(
        self,
        places: int = PLACES,
        patience: float = PATIENCE,
        line: int = LINE,
        counted: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._count = places
        self._places = asyncio.Semaphore(places)
        self._patience = patience
        self._line = line
        self._counted = counted
        self._waiting = 0
        self._making: dict[Hashable, asyncio.Future[Any]] = {}

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it; raise `BusyError` if the wait is too long."""
        if self._waiting >= self._line:
            raise BusyError("turn", self._count + self._waiting)
        with self._counted():
            await self._place()
            try:
                yield
            finally:
                self._places.release()

    async def _place(self) -> None:
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                await self._places.acquire()
        except TimeoutError:
            raise BusyError("turn", self._count + self._waiting - 1) from None
        finally:
            self._waiting -= 1

    async def make(self, work: Callable[[], Result]) -> Result:
        """Run `work` in another thread when it has its turn, and return its result."""
        async with self.turn():
            return await run_sync(work)

    async def once(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """Run `work`, or wait for the run in progress with the same `key`; return the result.

        Results are not cached here.  A client that disconnects does not cancel the others' run.
        """
        making: asyncio.Future[Result] | None = self._making.get(key)
        if making is None:
            making = asyncio.ensure_future(self.make(work))
            self._making[key] = making
            making.add_done_callback(lambda _: self._making.pop(key))
        return await asyncio.shield(making)
