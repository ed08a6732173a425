"""Pools of workers: processes of this machine, or the workers of a Dask cluster.

Both are a `concurrent.futures.Executor` with slots that reports dead workers.
"""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pkgutil import resolve_name
from typing import Any, Protocol, TypeVar

from bullscows import __version__
from bullscows.jobs.store.file import JobsError

Value = TypeVar("Value")

POLL_SECONDS = 0.2
"""Interval at which a wait for workers checks for Ctrl-C, other runs and progress."""

_ADDRESS = re.compile(r"(?:[a-z]+://)?(?:\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):[0-9]{1,5}")


class Pool(Protocol):
    """Workers, as the coordinator sees them."""

    is_local: bool
    """Whether the workers share this machine's files and processors, so that they can continue each
    other's work, and one of them take the slots of several."""

    @property
    def slots(self) -> int:
        """The number of tasks that can run at once now."""

    def submit(self, work: Callable[..., Value], /, *given: Any) -> Future[Value]:
        """Start a task."""

    def lost_worker(self, error: BaseException) -> bool:
        """Return whether a task's error means that its worker died."""

    def stop(self) -> None:
        """End all workers at once; what they were doing is lost."""


class LocalPool:
    """Processes of this machine at low priority.

    Each slot is an executor with one process, so a process that dies takes one known task with it.
    They end with this process, however it ends: each waits for the end of a pipe that it holds.
    """

    is_local = True

    def __init__(self, slots: int, *, nice: int = 10) -> None:
        if slots < 1:
            raise JobsError(f"at least one process is needed, not {slots}")
        self.slots = slots
        self._nice = nice
        self._context = get_context("spawn")  # forked threads and compiled code do not go together
        self._lifeline, self._ours = self._context.Pipe(duplex=False)
        self._executors = [self._executor() for _ in range(slots)]
        self._running: list[Future[Any] | None] = [None] * slots

    def _executor(self) -> ProcessPoolExecutor:
        start = partial(_start_worker, self._lifeline, self._nice)
        return ProcessPoolExecutor(1, mp_context=self._context, initializer=start)

    def submit(self, work: Callable[..., Value], /, *given: Any) -> Future[Value]:
        """Start a task in a free process, or raise `JobsError` if there is none."""
        free = (slot for slot, last in enumerate(self._running) if last is None or last.done())
        if (slot := next(free, None)) is None:
            raise JobsError(f"all {self.slots} processes have a task")
        try:
            future = self._executors[slot].submit(work, *given)
        except BrokenExecutor:
            self._executors[slot].shutdown(wait=False)
            self._executors[slot] = self._executor()
            future = self._executors[slot].submit(work, *given)
        self._running[slot] = future
        return future

    def lost_worker(self, error: BaseException) -> bool:
        """Return whether a task's error means that its process died."""
        return isinstance(error, BrokenExecutor)

    def stop(self) -> None:
        """End all processes at once."""
        self._ours.close()
        for executor in self._executors:
            executor.shutdown(wait=True, cancel_futures=True)
        self._lifeline.close()


class ClusterPool:
    """The workers of a Dask scheduler; `JobsError` without Dask, it, or this engine on all."""

    is_local = False

    TIMEOUT = 10
    """Seconds to wait for the scheduler."""

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise JobsError("a cluster needs Dask: pip install 'bullscows[cluster]'") from error
        if not _ADDRESS.fullmatch(address):
            raise JobsError(
                f"{address!r} is no address of a scheduler, for example tcp://host:8786"
            )
        self._address = address
        connect: Any = distributed.Client  # Dask's own annotations are partial
        try:
            self._client = connect(address, timeout=self.TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise JobsError(f"no Dask scheduler at {address}: {error}") from error
        self._executor = self._client.get_executor(pure=False)
        if (other := self._other_installation()) is not None:
            self.stop()
            raise JobsError(other)

    def _other_installation(self) -> str | None:
        """Describe a worker that can't run the tasks, if any; later workers are not checked."""
        ask: Any = self._client.run  # by names of the standard library, which all workers have
        answers = ask(resolve_name, "bullscows:__version__", on_error="return")
        for worker, found in answers.items():
            if found != __version__ and not isinstance(found, OSError):  # then it has just gone
                return (
                    f"the worker at {worker} has no bullscows {__version__}, but: {found}; "
                    "have the same installation everywhere, all wheels or all checkouts"
                )
        return None

    @property
    def slots(self) -> int:
        """The threads of all workers, as last reported."""
        self._check()
        workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return sum(worker["nthreads"] for worker in workers.values())

    def _check(self) -> None:
        if self._client.status != "running":
            raise JobsError(
                f"the Dask scheduler at {self._address} went away: what was finished is kept; "
                "run again when it is back"
            )

    def submit(self, work: Callable[..., Value], /, *given: Any) -> Future[Value]:
        """Start a task."""
        future: Future[Value] = self._executor.submit(work, *given)
        return future

    def lost_worker(self, error: BaseException) -> bool:
        """Return whether the task's workers died, or the scheduler forgot the task."""
        from distributed import KilledWorker

        self._check()
        return isinstance(error, (KilledWorker, CancelledError))

    def stop(self) -> None:
        """Cancel what is running and leave the cluster."""
        self._executor.shutdown(wait=False)
        self._client.close(timeout=5)


def _start_worker(lifeline: Connection, nice: int) -> None:
    """Prepare a process: it ignores Ctrl-C and ends with the coordinator."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "nice"):  # Windows has none
        os.nice(nice)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)
