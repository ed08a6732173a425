"""Build a tree on a cluster that loses a worker, and tell how time falls with workers.

Run as ``python -m benchmarks.jobs.cluster``.  First a Dask scheduler and four worker processes of
this machine build the tree; one is killed on the way, and another comes.  The file has to be the
shipped one, byte for byte.

Then the search of the same tree is simulated.  The real coordinator hands out the tasks to sixteen
workers on a clock of their own; each task is done here, alone, with the memory of its own worker,
and takes the processor time that it took.  That gives the tasks, their times, and after which
other each was known to be needed.  By list scheduling (whoever is free takes the first task that
may begin) follows how long any number of workers would have been at them.  What is left out is
the time of planning, of sending and of waking up, and that fewer workers would have searched less,
for each knows more.
"""

from __future__ import annotations

import argparse
import heapq
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bullscows.build.builder import build_by_tasks
from bullscows.build.catalogue import spec
from bullscows.game.question import Question
from bullscows.jobs.coordinator import RunProgress, optimal_tree
from bullscows.jobs.pools import ClusterPool, Pool
from bullscows.jobs.store.store import Store
from bullscows.tree.codec import encode
from bullscows.tree.files import dump, read_tree
from bullscows.tree.folder import default_folder, tree_path
from tests.support.drivers.cluster import Cluster

WORKERS = 4
SIMULATED = 16
LOST_AFTER = 3
"""Tasks after which a worker is killed; after twice as many another comes."""

Watch = Callable[[RunProgress], None]


@dataclass(frozen=True)
class Did:
    """A turn at a task, as it was simulated."""

    seconds: float
    """Of the processor."""
    after: int | None
    """The turn whose end made this one needed, by number; None: it was from the start."""


class SimulatedPool:
    """Workers on a clock of their own, which goes on when all have a task or none is left.

    Each is a thread, for what a worker keeps in its memory is kept by thread; only one of them is
    ever at work.
    """

    is_local = False

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.did: list[Did] = []
        self._now = 0.0
        self._last: int | None = None
        self._workers = [ThreadPoolExecutor(1) for _ in range(slots)]
        self._free = list(range(slots))
        self._running: list[tuple[float, int, int, Future[Any], Any]] = []

    def submit(self, work: Callable[..., Any], /, *given: Any) -> Future[Any]:
        """Do a task now, and let it end when its worker will have been at it so long."""
        worker = heapq.heappop(self._free)
        result = self._workers[worker].submit(work, *given).result()
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        end, number = self._now + result.seconds, len(self.did)
        heapq.heappush(self._running, (end, number, worker, future, result))
        self.did.append(Did(result.seconds, self._last))
        return future

    def next_result(self, progress: RunProgress) -> None:  # noqa: ARG002
        """Go on to the moment at which the next task ends; the coordinator has given out all."""
        if self._running:
            self._now, self._last, worker, future, result = heapq.heappop(self._running)
            heapq.heappush(self._free, worker)
            future.set_result(result)

    def lost_worker(self, error: BaseException) -> bool:  # noqa: ARG002
        """Tell that no worker is ever lost."""
        return False

    def stop(self) -> None:
        """End the threads."""
        for worker in self._workers:
            worker.shutdown()


def makespan(did: Sequence[Did], workers: int) -> float:
    """Return how long so many workers are at the tasks, by list scheduling.

    >>> makespan([Did(3, None), Did(1, None), Did(1, 1), Did(1, 0)], 2)
    4.0
    """
    following: dict[int | None, list[int]] = {}
    for number, one in enumerate(did):
        following.setdefault(one.after, []).append(number)
    now, running, ready = 0.0, list[tuple[float, int]](), following.pop(None, [])
    while running or ready:
        while ready and len(running) < workers:
            number = heapq.heappop(ready)
            heapq.heappush(running, (now + did[number].seconds, number))
        now, ended = heapq.heappop(running)
        for number in following.pop(ended, []):
            heapq.heappush(ready, number)
    return now


def simulated(tree: str, slice_seconds: float) -> list[Did]:
    """Search a tree on simulated workers, and return what they did."""
    pool, entry = SimulatedPool(SIMULATED), spec(tree)
    question = Question.of(entry.rules, (), entry.objective, entry.max_turns)
    options: Any = {"plies": 0, "slice_seconds": slice_seconds, "progress": pool.next_result}
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "jobs.sqlite") as store:
        try:
            found = optimal_tree(question, store, pool, **options)
        finally:
            pool.stop()
    if encode(found) != read_tree(tree_path(tree, default_folder())).record.string:
        raise SystemExit("the simulated workers found another tree than the shipped one")
    return pool.did


def disturbed(tree: str, slice_seconds: float) -> str:
    """Build a tree on a cluster of this machine, kill one of its workers, and add another."""
    with TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder))
        cluster.employ(WORKERS)
        pool = ClusterPool(cluster.address)
        while pool.slots < WORKERS:
            time.sleep(0.05)
        seen = _Disturbance(cluster)
        started = time.monotonic()
        try:
            is_shipped = _is_shipped(tree, pool, slice_seconds, seen)
        finally:
            pool.stop()
            cluster.stop()
    if not (seen.has_replaced and is_shipped):
        raise SystemExit(f"replaced: {seen.has_replaced}, the shipped bytes: {is_shipped}")
    return f"{time.monotonic() - started:.0f} s, {seen.tasks} tasks, the shipped bytes"


class _Disturbance:
    """Kills a worker in the middle, and employs another some tasks later."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.has_replaced = False
        self.tasks = 0

    def __call__(self, progress: RunProgress) -> None:
        self.tasks = progress.done
        alive = [worker for worker in self._cluster.workers if worker.poll() is None]
        if progress.done >= LOST_AFTER and len(alive) == WORKERS and not self.has_replaced:
            alive[0].kill()
            alive[0].wait()
        elif progress.done >= 2 * LOST_AFTER and not self.has_replaced:
            self._cluster.employ(WORKERS)
            self.has_replaced = True


def _is_shipped(tree: str, pool: Pool, slice_seconds: float, watch: Watch) -> bool:
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "jobs.sqlite") as store:
        (record,) = build_by_tasks(
            [spec(tree)], store, pool, slice_seconds=slice_seconds, progress=watch
        )
    return dump(record) == tree_path(tree, default_folder()).read_text()


def main(arguments: list[str] | None = None) -> None:
    """Print a line for the cluster, and one for each number of simulated workers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jobs.cluster", description=__doc__)
    parser.add_argument("--tree", default="avg-bulls-cows-5-of-8", help="(%(default)s)")
    parser.add_argument("--slice", type=float, default=10.0, help="seconds of a turn (%(default)s)")
    parser.add_argument("--simulate-only", action="store_true", help="no cluster")
    options = parser.parse_args(arguments)
    if not options.simulate_only:
        print("cluster:", disturbed(options.tree, options.slice), flush=True)
    did = simulated(options.tree, options.slice)
    work = sum(one.seconds for one in did)
    print(f"{len(did)} turns at tasks, {work:.1f} s of the processor\n")
    print("| workers | seconds | times as fast |\n| --- | --- | --- |")
    for workers in (1, 2, 4, 8, SIMULATED):
        seconds = makespan(did, workers)
        print(f"| {workers} | {seconds:.1f} | {work / seconds:.1f} |")


if __name__ == "__main__":
    main()
