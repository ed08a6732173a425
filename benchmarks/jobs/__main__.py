"""Print what the list of jobs costs over a plain run: ``python -m benchmarks.jobs``.

The same tasks, of half a second and more, run on the same number of processes twice: handed to
the processes by a loop, and through the store.  Both start with fresh processes that have loaded
their machine code, and share what they search.  The rounds alternate, and the least time of each
kind counts, for whatever else the machine does only adds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.jobs.coordinator import run
from bullscows.jobs.plan import Plan
from bullscows.jobs.pools import LocalPool
from bullscows.jobs.store.store import Store
from bullscows.jobs.store.tasks import Result
from bullscows.jobs.worker import Order, perform

TURNS = (
    ("0.1", "1456", "0.1"),
    ("0.1", "4567", "0.2"),
    ("0.1", "1456", "0.2"),
    ("0.1", "1435", "0.1"),
    ("0.1", "1245", "0.1"),
    ("0.1", "1435", "0.2"),
    ("0.1", "1245", "0.2"),
    ("0.2", "1435", "0.1"),
    ("0.2", "1245", "0.1"),
)
QUESTIONS = [f"p4c10n last,average 7 0123:{one} {guess}:{two}" for one, guess, two in TURNS]


def main() -> None:
    """Run both ways in turn, and print the ratio."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jobs", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each kind (3)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    options = parser.parse_args()
    plain, listed = [], []
    for _ in range(options.rounds):
        plain.append(_timed(options.jobs, _plainly))
        listed.append(_timed(options.jobs, _by_list))
    print(f"{len(QUESTIONS)} tasks, {options.jobs} processes")
    print(f"plain {min(plain):.2f} s, by the list {min(listed):.2f} s, ", end="")
    print(f"overhead {100 * (min(listed) / min(plain) - 1):.1f} %")


def _timed(jobs: int, way: Callable[[list[Plan], LocalPool], None]) -> float:
    """Return the seconds that a way takes on fresh processes."""
    plans = [Plan(Question.parse(text), plies=0) for text in QUESTIONS]
    plans.sort(key=lambda plan: -plan.root.count)
    pool = LocalPool(jobs, nice=0)
    try:
        warm = [pool.submit(perform, Order(f"{QUESTIONS[0]} 4567:0.1", 0)) for _ in range(jobs)]
        wait(warm)
        started = time.perf_counter()
        way(plans, pool)
        return time.perf_counter() - started
    finally:
        pool.stop()


def _plainly(plans: list[Plan], pool: LocalPool) -> None:
    running: set[Future[Result]] = set()
    with tempfile.TemporaryDirectory() as folder:
        for plan in plans:
            if len(running) == pool.slots:
                running -= wait(running, return_when=FIRST_COMPLETED).done
            order = Order(str(plan.question), INFINITE - 1, folder=folder)
            running.add(pool.submit(perform, order))
        wait(running)


def _by_list(plans: list[Plan], pool: LocalPool) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "jobs") as store:
        run(plans, store, pool, slice_seconds=60.0)


if __name__ == "__main__":
    main()
