"""Changes of matches as they happen, whichever process made them.

A process asks the database twice a second for the versions of all matches that are watched here,
in one query, and wakes those whose match changed.  Its own changes wake them at once.  A stream
carries versions only, so it needs no token: who is woken asks for the view.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager

from bullscows_web.match.match import StoreError

logger = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two questions to the database."""
LIFETIME = 15.0
"""Seconds after which a stream ends and the client connects again: less than a server that stops
gives its requests."""
STREAMS = 200
"""The most streams of a process; others ask for the view now and then."""


class Watcher:
    """Watches matches for the streams of one process.

    Parameters
    ----------
    versions
        Returns the versions of those matches that exist.
    """

    def __init__(self, versions: Callable[[Collection[str]], Awaitable[dict[str, int]]]) -> None:
        self._read = versions
        self._versions: dict[str, int] = {}
        self._streams: dict[str, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        """Whether no stream can be added."""
        return sum(map(len, self._streams.values())) >= STREAMS

    def tell(self, id: str, version: int) -> None:
        """Wake the streams of a match if this version is new."""
        if id in self._streams and self._versions.get(id, 0) < version:
            self._versions[id] = version
            for event in self._streams[id]:
                event.set()

    async def changes(self, id: str, version: int) -> AsyncIterator[int]:
        """Yield the version of a match, and each later one, for `LIFETIME` seconds."""
        ends = asyncio.get_running_loop().time() + LIFETIME
        with self._stream(id, version) as event:
            while True:
                event.clear()
                yield max(version, self._versions.get(id, 0))
                try:
                    async with asyncio.timeout_at(ends):
                        await event.wait()
                except TimeoutError:
                    return

    @contextmanager
    def _stream(self, id: str, version: int) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        self._streams.setdefault(id, set()).add(event)
        self._versions[id] = max(version, self._versions.get(id, 0))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())
        try:
            yield event
        finally:
            self._streams[id].discard(event)
            if not self._streams[id]:
                del self._streams[id], self._versions[id]

    async def _watch(self) -> None:
        while self._streams:
            await asyncio.sleep(INTERVAL)
            try:
                for id, version in (await self._read(list(self._streams))).items():
                    self.tell(id, version)
            except StoreError as error:  # streams end by themselves
                logger.warning("matches cannot be watched: %s", error)

    def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
