"""Runs tasks until questions are answered, on any workers, with all results in the store.

The loop: ask each plan for its next tasks, take one for each free worker, wait for results, store
each before anything else, plan again.  Only the store matters between two runs, so a run may end in
any way and another continues.  Two runs at once share the tasks, because a task is taken in one
transaction and each sees the other's results.

>>> with Store.open(path) as store:  # doctest: +SKIP
...     trees = optimal_trees([Question.of("p4c10n")], store, LocalPool(2))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import TypeAlias

from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.question import Question
from bullscows.jobs.plan import Plan
from bullscows.jobs.pools import POLL_SECONDS, Pool
from bullscows.jobs.store.store import (
    LEASE_SECONDS,
    TAKEN,
    WAITING,
    Result,
    Store,
    Task,
    new_owner,
    seconds_left,
)
from bullscows.jobs.worker import Order, discard, folder_of, path_of, perform
from bullscows.kernels.pruning import SHARED_SIZE, TIED_SIZE
from bullscows.search.threads import Interrupts, deferred_interrupts
from bullscows.tree.strategy_tree import StrategyError, StrategyTree

SLICE_SECONDS = 5.0
"""Processor time of one turn at a task.  If the workers keep what they have searched, another turn
follows; otherwise the task is split, and a crash costs each worker at most this time."""

_LONGER = 10
"""A turn may also take one part in this number of the time that the task has had: finding back to
where the last turn ended takes longer then."""

_LONGEST = 60.0
"""Limit on the seconds of a turn, so that bounds are reported."""

_PLAN_SHARE = 20
"""While all workers are busy, planning takes at most one part in this number of the time."""


@dataclass(frozen=True)
class RunProgress:
    """Progress of a run."""

    seconds: float
    done: int
    """Tasks that this run has finished."""
    running: int
    """Tasks in progress."""
    waiting: int
    """Known tasks that no worker has; more may follow."""
    left: float | None = None
    """Seconds that the known tasks may still take, judged by those done; None: nothing is done."""
    bounds: Bounds | None = None
    """The bounds of the first open question."""


Watch: TypeAlias = Callable[[RunProgress], None]


def optimal_trees(
    questions: Sequence[Question],
    store: Store,
    pool: Pool,
    *,
    plies: int = 1,
    slice_seconds: float = SLICE_SECONDS,
    progress: Watch | None = None,
) -> list[StrategyTree]:
    """Find and prove the optimal trees of positions, with all work kept in the store.

    A tree depends on its question alone: not on the workers, the content of the store, or
    interruptions.  Positions are split for `plies` turns before anything is tried, and wherever a
    task takes longer than `slice_seconds`; `progress` is called after each task.  Errors are those
    of `run`, and `StrategyError` if a task failed, or no strategy keeps within the turns.
    """
    plans = [Plan(question, plies=plies, tree=True) for question in questions]
    run(plans, store, pool, slice_seconds=slice_seconds, progress=progress)
    for plan in plans:
        if plan.failures:
            raise StrategyError(f"{plan.failures[0].question}: {plan.failures[0].reason}")
        if plan.value is None or plan.value.lower >= INFINITE:
            raise StrategyError(f"no strategy answers {plan.question} in time")
    return [plan.grow() for plan in plans]


def run(
    plans: Sequence[Plan],
    store: Store,
    pool: Pool,
    *,
    slice_seconds: float = SLICE_SECONDS,
    progress: Watch | None = None,
) -> None:
    """Run tasks until each plan has its value, or failures that prevent it.

    Ctrl-C is raised; the tasks in progress wait again.  Raises `JobsError` if the store or
    the workers fail; what was finished is kept.
    """
    with deferred_interrupts() as interrupts:
        coordinator = _Coordinator(plans, store, pool, slice_seconds, progress, interrupts)
        try:
            coordinator.run()
        finally:
            store.give_back(coordinator.owner)
    for plan in plans:
        discard(path_of(folder_of(store.path), plan.question))


class _Coordinator:
    """One run: the tasks in progress, and the plans."""

    def __init__(
        self,
        plans: Sequence[Plan],
        store: Store,
        pool: Pool,
        slice_seconds: float,
        progress: Watch | None,
        interrupts: Interrupts,
    ) -> None:
        self.owner = new_owner()
        self._plans = plans
        self._store = store
        self._pool = pool
        self._slice = slice_seconds
        self._progress = progress
        self._interrupts = interrupts
        self._folder = str(folder_of(store.path)) if pool.is_local else None
        self._running: dict[Future[Result], tuple[str, int]] = {}
        """The key of each task in progress, and its threads."""
        self._asked: set[str] = set()
        self._done: list[Task] = []
        self._started = self._beat = self._planned = time.monotonic()
        self._plan_seconds = 0.0

    def run(self) -> None:
        """Continue until nothing more can be done, or on Ctrl-C."""
        self._store.release()
        self._learn(self._store.tasks())
        needed = self._plan()
        news = False
        while needed or self._running:
            self._interrupts.check()
            self._start(needed)
            self._report(needed)
            news = self._collect() or self._changed_elsewhere(needed) or news
            self._keep_alive()
            self._start(needed)
            if news and self._may_plan():
                needed = self._plan()
                news = False
        self._store.forget(self._asked)

    def _plan(self) -> list[Task]:
        """Return the rows of all tasks needed next, with results of other runs."""
        started = time.monotonic()
        while True:
            rows = self._store.ask([task for plan in self._plans for task in self._next(plan)])
            self._asked.update(row.key for row in rows)
            self._learn(rows)
            if all(row.state in (WAITING, TAKEN) for row in rows):
                self._planned = time.monotonic()
                self._plan_seconds = self._planned - started
                unique = {row.key: row for row in rows}
                return sorted(unique.values(), key=lambda row: -row.estimate)

    def _may_plan(self) -> bool:
        """Return whether planning is worth its time: a worker is idle, or the last plan is old."""
        age = time.monotonic() - self._planned
        return self._free > 0 or age > _PLAN_SHARE * self._plan_seconds

    @property
    def _free(self) -> int:
        """The number of idle workers."""
        return self._pool.slots - sum(threads for _, threads in self._running.values())

    def _next(self, plan: Plan) -> list[Task]:
        self._interrupts.check()
        tasks = plan.next_tasks()
        if plan.value is not None:
            self._write(plan, plan.value)
        return tasks

    def _write(self, plan: Plan, bounds: Bounds) -> None:
        """Store the bounds of a whole question as if they were a task's, unless it is answered."""
        row = plan.task
        known = self._store.get(row.key)
        if known is None or not known.settles(row.budget):
            self._store.ask([row])
            self._store.finish(row.key, Result(bounds.lower, bounds.upper, sliced=True))

    def _learn(self, rows: Iterable[Task]) -> None:
        for row in rows:
            for plan in self._plans:
                plan.learn(row)

    def _start(self, needed: Sequence[Task]) -> None:
        free = self._free
        if free <= 0:
            return
        tasks = self._store.take([task.key for task in needed], self.owner, free)
        for number, task in enumerate(tasks):
            spare = free - len(tasks) if number == 0 and self._pool.is_local else 0
            threads = 1 + (spare if task.estimate >= SHARED_SIZE else 0)
            future = self._pool.submit(perform, self._order(task, threads))
            self._running[future] = task.key, threads

    def _order(self, task: Task, threads: int) -> Order:
        # Positions with few candidates are never split, so they have what time they need.
        seconds = None
        if task.estimate > TIED_SIZE:
            seconds = max(self._slice, min(task.seconds / _LONGER, _LONGEST)) * threads
        return Order(
            task.question,
            task.budget,
            seconds,
            lower=task.lower,
            upper=task.upper,
            is_long=task.seconds >= self._slice,
            threads=threads,
            folder=self._folder,
        )

    def _collect(self) -> bool:
        """Wait a moment for results; store those that came, and return whether any did."""
        if not self._running:
            time.sleep(POLL_SECONDS)
            return False
        done, _ = wait(self._running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            row = self._settled(self._running.pop(future)[0], future)
            self._learn([row])
            if row.settles(row.budget) or row.sliced:
                self._done.append(row)
        return bool(done)

    def _settled(self, key: str, future: Future[Result]) -> Task:
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            return self._store.finish(key, future.result())
        if self._pool.lost_worker(error):
            return self._store.lose(key)
        return self._store.fail(key, f"{type(error).__name__}: {error}")

    def _changed_elsewhere(self, needed: Sequence[Task]) -> bool:
        """Return whether other runs have changed what is needed; False while no worker is idle."""
        if self._free <= 0:
            return False
        self._store.release()
        ours = {key for key, _ in self._running.values()}
        rows = [self._store.get(task.key) for task in needed if task.key not in ours]
        return any(row is None or row.state != TAKEN for row in rows)

    def _keep_alive(self) -> None:
        """From time to time renew leases, and store the bounds of whole questions."""
        if time.monotonic() - self._beat < LEASE_SECONDS / 5:
            return
        self._beat = time.monotonic()
        self._store.heartbeat(self.owner)
        self._store.release()
        for plan in self._plans:
            if plan.is_split and plan.value is None:
                self._write(plan, plan.bounds)

    def _report(self, needed: Sequence[Task]) -> None:
        if self._progress is None:
            return
        seconds = time.monotonic() - self._started
        running = len(self._running)
        known = {task.key: task for task in (*needed, *self._done)}
        work = seconds_left(known.values())
        left = None if work is None else work / max(self._pool.slots, 1)
        bounds = next((plan.bounds for plan in self._plans if plan.value is None), None)
        waiting = max(len(needed) - running, 0)
        self._progress(RunProgress(seconds, len(self._done), running, waiting, left, bounds))
