"""Overview of a list of jobs: progress, time taken and left, and what is proved.

It needs no compiled search, so a server that may read the store can show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bullscows.game.cost import Bounds
from bullscows.jobs.store.lines import Line
from bullscows.jobs.store.store import Store
from bullscows.jobs.store.tasks import DONE, FAILED, STATES, WAITING, Task, seconds_left
from bullscows.kernels.bounds import first_level


@dataclass(frozen=True)
class Overview:
    """Progress of a list of jobs."""

    counts: Mapping[str, int]
    """The number of tasks in each state; a job that was not begun counts as one waiting task."""
    seconds: float
    """The processor time of all results."""
    left: float | None
    """The processor time that known tasks may still take; None if nothing is done."""
    jobs: Sequence[tuple[Line, Task | None]]
    """The list in order, each job with its row in the store."""
    failed: Sequence[Task]
    """The tasks that were given up."""

    @classmethod
    def of(cls, store: Store) -> Overview:
        """Read a store.

        Raises `StoreError` if it can't be read, or is damaged.
        """
        tasks, jobs = store.tasks(), listed(store)
        counts = Counter(task.state for task in tasks)
        counts[WAITING] += len({line.question.key for line, task in jobs if task is None})
        return cls(
            {state: counts[state] for state in STATES},
            round(sum(task.seconds for task in tasks), 3),
            seconds_left(tasks),
            jobs,
            [task for task in tasks if task.state == FAILED],
        )

    @property
    def open(self) -> list[tuple[Line, Task | None]]:
        """The jobs that have no answer yet."""
        return [
            (line, task)
            for line, task in self.jobs
            if task is None or not task.settles(line.budget)
        ]

    @property
    def rate(self) -> float | None:
        """The number of tasks done per minute of processor time; None if none is done."""
        done = self.counts[DONE]
        return 60 * done / self.seconds if done and self.seconds else None


def first_bounds(line: Line, task: Task) -> Bounds:
    """Return the bounds of a job's strongest criterion.

    The store has the bounds of the combined cost, which mean nothing to people.
    """
    question = line.question
    weights, answers = question.weights(), len(question.rules.answers)
    if len(weights.levels) < 2:
        return task.bounds
    return first_level(weights, task.bounds, task.estimate, answers, question.turn)


def listed(store: Store) -> list[tuple[Line, Task | None]]:
    """Return the list of a store in order, each job with its row."""
    lines = [Line.parse(job.line) for job in store.jobs()]
    return [(line, store.get(line.question.key)) for line in lines]
