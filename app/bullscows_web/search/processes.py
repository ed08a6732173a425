"""The search processes: a pool next to the web process, with hard limits.

Each process is forked from a server of multiprocessing that has imported everything, so that a
process that was killed is replaced within milliseconds.  If the platform has no `forkserver`,
processes are spawned.

A task that takes more processor time than its limit is killed by the operating system, with its
process: no code of the task has to check a clock.  A task that is cancelled is killed as well.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Generic, Protocol, TypeAlias, TypeVar

from pebble import ProcessPool

from bullscows.analysis.memory import MEGABYTE
from bullscows.errors import EngineError
from bullscows.game.history import InconsistentError
from bullscows_web.search.known import Known
from bullscows_web.search.searcher import Searcher
from bullscows_web.server.http_server import Format, configure_logging
from bullscows_web.server.settings import Settings
from bullscows_web.web.metrics import Outcome, Source

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Work: TypeAlias = Callable[[Searcher], Result]
"""Something to do in a search process.  It is pickled: a function of a module, or a `partial`."""

PRELOADED = ["__main__", "bullscows_web.main", "bullscows.analysis.timed_search"]
"""Modules that a process has from the start."""
NICENESS = 10
"""Priority below that of the web process, whose pages take milliseconds."""
UNUSED = 100 * MEGABYTE
"""Memory that the system counts for a process that does not use it, such as stacks of threads."""
HANGING_FACTOR = 30
"""A task that takes longer than this multiple of its processor time hangs, and is killed."""


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The end of a task."""

    result: Result | EngineError
    """The value that it returned, or the error that it raised."""
    sources: Sequence[Source]
    """The source of each analysis, for the metrics."""
    searches: Sequence[tuple[Outcome, float]]
    """The end of each search, and its seconds."""


class Executor(Protocol):
    """The place where tasks run: `Processes`, or a thread in tests."""

    def schedule(self, work: Work[Result], seconds: float) -> Future[Done[Result]]:
        """Run a task of at most `seconds` of processor time; to cancel it kills it."""
        ...

    def restart(self) -> None:
        """Recover from a failure of the pool itself."""
        ...

    def close(self) -> None:
        """Kill all tasks."""
        ...


class Processes:
    """The pool; a process is started when it is first needed, or needed again."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._restarting = Lock()
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPool:
        settings = self._settings
        has_fork = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if has_fork else "spawn")
        if has_fork:
            context.set_forkserver_preload(PRELOADED)
        memory = settings.memory_limit_mb * MEGABYTE
        limits = settings.trees_dir, settings.search_timeout, memory, settings.log_format
        return ProcessPool(settings.search_processes, 0, _start, limits, context)

    def schedule(self, work: Work[Result], seconds: float) -> Future[Done[Result]]:
        """Run a task of at most `seconds` of processor time; to cancel it kills it.

        The future raises `pebble.ProcessExpired` or `TimeoutError` if the task was killed. Raises
        `BrokenProcessPool` if the pool has failed.
        """
        factor = HANGING_FACTOR if hasattr(signal, "setitimer") else 1
        try:
            return self._pool.schedule(_perform, (work, seconds), timeout=factor * seconds)
        except RuntimeError as error:
            raise BrokenProcessPool from error

    def restart(self) -> None:
        """Replace a pool that has failed, unless another thread has done so."""
        with self._restarting:
            if not self._pool.active:
                self.close()
                self._pool = self._new_pool()

    def close(self) -> None:
        """Kill all processes."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


# -- in a search process ---------------------------------------------------------------------------

_searcher: Searcher | None = None
"""The state of this process, which all its tasks share."""


def _start(trees: Path, seconds: float, memory: int, log_format: Format) -> None:
    """Limit this process, and open what tasks need."""
    global _searcher
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # at once, also in the middle of a kernel
    configure_logging(log_format)
    logging.getLogger("bullscows_web.trees").setLevel(logging.CRITICAL)  # the web process says it
    logging.getLogger("bullscows_web.search.known").setLevel(logging.CRITICAL)
    _limit(memory)
    _searcher = Searcher(Known.open(trees), seconds, memory)
    _searcher.load()


def _limit(memory: int) -> None:
    """Limit memory and priority, if the platform can."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory + UNUSED
    limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
    with suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def _perform(work: Work[Result], seconds: float) -> Done[Result]:
    """Run a task; SIGPROF ends the process after `seconds` of its processor time."""
    assert _searcher is not None, "the pool has started this process"
    if not hasattr(signal, "setitimer"):
        return perform(_searcher, work)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return perform(_searcher, work)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def perform(searcher: Searcher, work: Work[Result]) -> Done[Result]:
    """Run a task, and tell what it did."""
    searcher.sources = []
    searcher.searches = []
    result: Result | EngineError
    try:
        result = work(searcher)
    except InconsistentError as error:
        _ = error.corrections  # counted here, and pickled with the error
        result = error
    except EngineError as error:
        result = error
    return Done(result, searcher.sources, searcher.searches)


def is_loaded(searcher: Searcher) -> bool:
    """Return whether a process can search: the first task of a pool."""
    return searcher.is_loaded
