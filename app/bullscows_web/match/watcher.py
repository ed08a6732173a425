"""Changes of matches as they happen, whichever process made them.

A process asks the database twice a second for the news of all matches that are watched here, in one
query, and wakes the streams of those that changed.  Its own changes wake them at once.  A match is
watched while a stream is open and `POLLED` seconds after a poll, so that polls are answered from
memory.  A stream carries versions only, so it needs no token: who is woken asks for the view.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager

from bullscows_web.match.rules import News, StoreError

logger = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two questions to the database."""
POLLED = 10.0
"""Seconds for which a match is watched after a poll."""
LIFETIME = 15.0
"""Seconds after which a stream ends and the client connects again: less than a server that stops
gives its requests."""
STREAMS = 200
"""The most streams of a process; others ask for the view now and then."""


class Watcher:
    """Watches matches for polls and streams; `read` returns the news of those that exist."""

    def __init__(self, read: Callable[[Collection[str]], Awaitable[dict[str, News]]]) -> None:
        self._read = read
        self._news: dict[str, News] = {}
        self._polled: dict[str, float] = {}
        self._streams: dict[str, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        """Whether no stream can be added."""
        return sum(map(len, self._streams.values())) >= STREAMS

    def tell(self, id: str, news: News) -> None:
        """Replace the news of a watched match, and wake its streams if the version is new."""
        known = self._news.get(id)
        if known is None or news.version < known.version:
            return
        self._news[id] = news
        if news.version > known.version:
            for event in self._streams.get(id, ()):
                event.set()

    async def news(self, id: str) -> News | None:
        """Return the news of a match, `INTERVAL` old at most; None if it does not exist."""
        if id not in self._news:
            self._news |= await self._read([id])
        if id in self._news:
            self._polled[id] = asyncio.get_running_loop().time()
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._watch())
        return self._news.get(id)

    async def changes(self, id: str, version: int) -> AsyncIterator[int]:
        """Yield the version of a match, and each later one, for `LIFETIME` seconds."""
        ends = asyncio.get_running_loop().time() + LIFETIME
        with self._stream(id) as event:
            while True:
                event.clear()
                if id in self._news:
                    version = max(version, self._news[id].version)
                yield version
                try:
                    async with asyncio.timeout_at(ends):
                        await event.wait()
                except TimeoutError:
                    return

    @contextmanager
    def _stream(self, id: str) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        self._streams.setdefault(id, set()).add(event)
        try:
            yield event
        finally:
            self._streams[id].discard(event)
            if not self._streams[id]:
                del self._streams[id]

    async def _watch(self) -> None:
        while self._news:
            await asyncio.sleep(INTERVAL)
            since = asyncio.get_running_loop().time() - POLLED
            for id in [id for id in self._news if id not in self._streams]:
                if self._polled[id] < since:
                    self._forget(id)
            try:
                watched = list(self._news)
                found = await self._read(watched)
            except StoreError as error:  # streams end by themselves, polls ask the database
                logger.warning("matches cannot be watched: %s", error)
                found = {}
            for id in watched:
                if id in found:
                    self.tell(id, found[id])
                else:
                    self._forget(id)

    def _forget(self, id: str) -> None:
        del self._news[id], self._polled[id]

    async def close(self) -> None:
        """Stop watching, when the database has answered."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
