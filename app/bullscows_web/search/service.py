"""The search as requests use it: what is known at once, the queue, and the search processes.

A route asks `SearchService.look_up` first.  If that finds nothing, `SearchService.run` waits for a
process.  If the client goes away meanwhile, the task is cancelled.

The processes are a pool with hard limits.  Each is forked from a server of multiprocessing that has
imported everything, so that a process that was killed is replaced within milliseconds.  If the
platform has no `forkserver`, processes are spawned.  A task that takes more processor time than its
limit is killed by the operating system, with its process: no code of the task has to check a clock.
A task that is cancelled is killed as well.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, contextmanager
from threading import Lock
from typing import Annotated, Any, Literal, Protocol, TypeVar
from weakref import WeakSet

from anyio.to_thread import run_sync
from fastapi import Request
from pebble import ProcessExpired, ProcessPool
from starlette.requests import ClientDisconnect

from bullscows.analysis.analyst import checked
from bullscows.analysis.memory import MEGABYTE
from bullscows.errors import EngineError
from bullscows.game.history import MAX_CODES, MAX_HISTORY, History
from bullscows.game.question import Question
from bullscows.game.result import Finding
from bullscows_web.search.searcher import (
    Done,
    Tablebase,
    Work,
    is_loaded,
    perform_limited,
    start_process,
)
from bullscows_web.server.settings import Settings
from bullscows_web.web.dependencies import client_of, of_app
from bullscows_web.web.exceptions import BusyError, SearchStoppedError, TooExpensiveError
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.queue import WorkQueue

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

LARGEST_AT_ONCE = 10_000
"""The largest game whose positions are looked up in the web process, in about a millisecond."""
STARTING_SECONDS = 600.0
"""Processor time to start a process, which compiles the kernels if nobody has done so."""
EXTRA_SECONDS = 1.0
"""Processor time of a task in addition to the time of its searches."""
PATIENCE = 20.0
"""Seconds that a request waits for a search process, and for its result."""
POLL_SECONDS = 0.25
"""How often a request whose task runs looks whether its client is still there."""
MAX_EVALUATED = 20
"""Maximum number of guesses to evaluate in one position."""
MAX_COST = MAX_CODES * (MAX_HISTORY + MAX_EVALUATED)
"""Maximum cost of a request: that of one position of the largest game.  See `cost`."""

PRELOADED = ["__main__", "bullscows_web.main", "bullscows.analysis.timed_search"]
"""Modules that a process has from the start."""
HANGING_FACTOR = 30
"""A task that takes longer than this multiple of its processor time hangs, and is killed."""


def cost(history: History, guesses: int = 0) -> int:
    """Return the number of answers that a task compares at most: codes x (turns + guesses).

    Each turn is compared with the codes that are left, and so is each guess to be evaluated.
    """
    return history.rules.size * (len(history) + guesses)


def check_cost(total: int) -> None:
    """Raise `TooExpensiveError` if this is more than a request may cost."""
    if total > MAX_COST:
        raise TooExpensiveError(total, MAX_COST)


# -- the processes --------------------------------------------------------------------------------


class Executor(Protocol):
    """The place where tasks run: `Processes`, or a thread in tests."""

    def schedule(self, work: Work[Result], seconds: float) -> Future[Done[Result]]:
        """Run a task of at most `seconds` of processor time; to cancel it kills it."""
        ...

    def has_lost(self, task: Future[Any]) -> bool:
        """Whether a task may never end, since its pool has failed or was replaced."""
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
        self._tasks: WeakSet[Future[Any]] = WeakSet()

    def _new_pool(self) -> ProcessPool:
        settings = self._settings
        has_fork = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if has_fork else "spawn")
        if has_fork:
            context.set_forkserver_preload(PRELOADED)
        memory = settings.memory_limit_mb * MEGABYTE
        limits = settings.trees_dir, settings.search_timeout, memory, settings.log_format
        return ProcessPool(settings.search_processes, 0, start_process, limits, context)

    def schedule(self, work: Work[Result], seconds: float) -> Future[Done[Result]]:
        """Run a task of at most `seconds` of processor time; to cancel it kills it.

        The future raises `pebble.ProcessExpired` or `TimeoutError` if the task was killed. Raises
        `BrokenProcessPool` if the pool has failed.
        """
        factor = HANGING_FACTOR if hasattr(signal, "setitimer") else 1
        try:
            task = self._pool.schedule(perform_limited, (work, seconds), timeout=factor * seconds)
        except RuntimeError as error:
            raise BrokenProcessPool from error
        self._tasks.add(task)
        return task

    def has_lost(self, task: Future[Any]) -> bool:
        """Whether a task may never end, since its pool has failed or was replaced."""
        return not self._pool.active or task not in self._tasks

    def restart(self) -> None:
        """Replace a pool that has failed, unless another thread has done so."""
        with self._restarting:
            if not self._pool.active:
                self.close()
                self._pool = self._new_pool()
                self._tasks = WeakSet()

    def close(self) -> None:
        """Kill all processes."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


# -- the queue ------------------------------------------------------------------------------------


class SearchService:
    """The search of one web process: its queue and its processes."""

    def __init__(
        self, settings: Settings, tablebase: Tablebase, metrics: Metrics, executor: Executor
    ) -> None:
        self.seconds = settings.search_timeout
        """Time limit of the searches of one request."""
        self.tablebase = tablebase
        self.state: Literal["loading", "ready", "none"] = "loading"
        """Whether the processes can search."""
        self._metrics = metrics
        self._most = settings.searches_per_address
        self._executor = executor
        self._places = settings.search_processes
        self._queue = WorkQueue(
            self._places,
            PATIENCE,
            settings.search_queue_size,
            metrics.queue.labels("analyses").track_inprogress,
            what="search",
        )
        self._addresses: Counter[str] = Counter()

    @asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """Start the processes in the background, and kill them in the end."""
        self._starting = asyncio.create_task(self._start())
        try:
            yield
        finally:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
            await run_sync(self._executor.close)

    async def _start(self) -> None:
        """Have a process ready.  To start the first one blocks for a second, hence the thread."""
        try:
            task = await run_sync(self._executor.schedule, is_loaded, STARTING_SECONDS)
            done = await self._ended(task)
        except Exception:
            logger.exception("the search processes cannot be started")
            self.state = "none"
        else:
            self.state = "ready" if done.result is True else "none"

    def look_up(self, question: Question) -> Finding | None:
        """Return what is known of a position without a search; None if it is not known.

        Raises `InconsistentError` or `ObjectiveError`.
        """
        if question.rules.size > LARGEST_AT_ONCE:
            return None
        found = self.tablebase.look_up(checked(question))
        if found is None:
            return None
        analysis, source = found
        self._metrics.analyses.labels(source).inc()
        return analysis

    async def run(
        self, request: Request, work: Work[Result], seconds: float | None = None
    ) -> Result:
        """Run a task for a request when a process is free.

        `seconds` limits its processor time, by default to that of one search and what is around it.
        If the client goes away, kill the task and raise `ClientDisconnect`.

        Raises the `EngineError` of the task. Raises `BusyError` if the queue or the address has too
        many requests, or the wait is too long. Raises `SearchStoppedError` if the task was killed.
        """
        limit = self.seconds + EXTRA_SECONDS if seconds is None else seconds
        task = asyncio.create_task(self._result(work, client_of(request), limit))
        try:
            while not (await asyncio.wait((task,), timeout=POLL_SECONDS))[0]:
                if await request.is_disconnected():
                    raise ClientDisconnect
            return task.result()
        finally:
            if task.cancel():
                await asyncio.gather(task, return_exceptions=True)

    async def _result(self, work: Work[Result], client: str, seconds: float) -> Result:
        """Wait for a free process, and for the result of a task there."""
        with self._counted(client):
            async with self._queue.turn():
                started, _ = await asyncio.wait((self._starting,), timeout=PATIENCE)
                if not started:
                    raise BusyError("search", self._places, self.seconds)
                try:
                    done = await self._ended(self._executor.schedule(work, seconds))
                except (ProcessExpired, TimeoutError, MemoryError) as error:
                    reason = error.exitcode if isinstance(error, ProcessExpired) else error
                    logger.warning("a search was stopped: %s (%s)", type(error).__name__, reason)
                    raise SearchStoppedError() from error
                except BrokenProcessPool as error:  # a process without a task was killed
                    logger.exception("the search processes are started again")
                    await run_sync(self._executor.restart)
                    raise SearchStoppedError() from error
        for source in done.sources:
            self._metrics.analyses.labels(source).inc()
        for outcome, taken in done.searches:
            self._metrics.searches.labels(outcome).observe(taken)
        if isinstance(done.result, EngineError):
            raise done.result
        return done.result

    async def _ended(self, task: Future[Done[Result]]) -> Done[Result]:
        """Wait for the end of a task, and cancel it if this is cancelled.

        Pebble may forget tasks of a pool that fails while it starts.  Raises `BrokenProcessPool`.
        """
        end = asyncio.wrap_future(task)
        try:
            while not (await asyncio.wait((end,), timeout=POLL_SECONDS))[0]:
                if self._executor.has_lost(task):
                    raise BrokenProcessPool
            return end.result()
        finally:
            end.cancel()

    @contextmanager
    def _counted(self, client: str) -> Iterator[None]:
        """Count a request in progress for its address."""
        if self._addresses[client] >= self._most:
            raise BusyError("address", self._addresses[client], self.seconds)
        self._addresses[client] += 1
        try:
            yield
        finally:
            self._addresses[client] -= 1
            self._addresses += Counter()  # forgets addresses without requests


SearchDep = Annotated[SearchService, of_app("search")]
