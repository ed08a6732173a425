"""Searches in a thread of the tests' own process, whose state tests can reach, and heavy tasks."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from bullscows.game.result import Analysis
from bullscows_web.search.searcher import Done, Searcher, Tablebase, Work, is_loaded, perform
from bullscows_web.search.service import Processes
from bullscows_web.server.settings import Settings
from bullscows_web.web.exceptions import BusyError

Result = TypeVar("Result")


@contextmanager
def asking(client: Any, searcher: Searcher) -> Iterator[None]:
    """Let a server ask another searcher meanwhile."""
    executor: ThreadExecutor = client.app.state.executor
    before = executor.searcher
    executor.searcher = searcher
    try:
        yield
    finally:
        executor.searcher = before


class StandIn(Searcher):
    """A searcher with the trees of a server, to be asked in place of its own."""

    def __init__(self, client: Any, seconds: float = 1.0, memory: int = sys.maxsize) -> None:
        super().__init__(client.app.state.search.tablebase, seconds, memory)


class KnownAnalysis(StandIn):
    """Finds one analysis, whatever it is asked."""

    def __init__(self, client: Any, analysis: Analysis) -> None:
        super().__init__(client)
        self.found = analysis

    def analysis(self, *_: Any, **__: Any) -> Analysis:
        return self.found


def searcher_of(client: Any) -> Searcher:
    """Return the state of a server's search in a thread."""
    searcher: Searcher = client.app.state.executor.searcher
    return searcher


def copied(done: Done[Result]) -> Done[Result]:
    """Return the end of a task as it arrives from a process."""
    arrived: Done[Result] = pickle.loads(pickle.dumps(done))
    return arrived


class ThreadExecutor:
    """Runs tasks one after the other in a thread, without limits; results are pickled as usual."""

    def __init__(
        self, trees: Path | Tablebase, seconds: float = 1.0, *, loaded: bool = False
    ) -> None:
        tablebase = Tablebase.open(trees) if isinstance(trees, Path) else trees
        self.searcher = Searcher(tablebase, seconds, sys.maxsize)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="search")
        if loaded:
            assert self.searcher.load()

    def schedule(self, work: Work[Result], _: float) -> Future[Done[Result]]:
        return self._thread.submit(lambda: copied(perform(self.searcher, work)))

    def has_lost(self, _: Future[Any]) -> bool:
        return False

    def restart(self) -> None:
        raise AssertionError("a thread does not fail")

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)


class IdleExecutor:
    """Has no processes and ends no task, for servers that nobody asks to search."""

    def schedule(self, *_: Any) -> Future[Done[Result]]:
        return Future()

    def has_lost(self, _: Future[Any]) -> bool:
        return False

    def restart(self) -> None:
        raise AssertionError("nothing fails")

    def close(self) -> None:
        """There is nothing to end."""


class BusyExecutor(ThreadExecutor):
    """Has no process free for any task."""

    def schedule(self, work: Work[Result], seconds: float) -> Future[Done[Result]]:
        if work is is_loaded:
            return super().schedule(work, seconds)
        raise BusyError("search", 4, 4.0)


class HeavyExecutor(Processes):
    """Runs one heavy task, as long as there is one, in place of each task of a request."""

    def __init__(self, settings: Settings, work: Work[Any], seconds: float) -> None:
        super().__init__(settings)
        self.heavy: Work[Any] | None = work
        self.seconds = seconds

    def schedule(self, work: Work[Any], seconds: float) -> Future[Done[Any]]:
        if work is is_loaded or self.heavy is None:
            return super().schedule(work, seconds)
        return super().schedule(self.heavy, self.seconds)


def spin(_: Searcher) -> None:
    """Take processor time without end."""
    while True:
        pass


def fill(_: Searcher) -> int:
    """Take a gigabyte of memory."""
    return len(bytearray(1 << 30))


def crash(_: Searcher) -> None:
    """End the process from within, as a fault in machine code does."""
    os.kill(os.getpid(), signal.SIGSEGV)


def process(_: Searcher) -> int:
    """Return the number of the process."""
    return os.getpid()
