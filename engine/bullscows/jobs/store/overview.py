"""What a store has to tell of its list: how far it is, what it took, what is left, what is proven.

It needs no compiled search, so whoever may read the store can tell, a server too.
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
    """How far a list of jobs is."""

    counts: Mapping[str, int]
    """The number of tasks in each state; a job that was not begun is one task that waits."""
    seconds: float
    """The processor time of the work that is kept."""
    left: float | None
    """The processor time that tasks known may still take; None if nothing is done."""
    jobs: Sequence[tuple[Line, Task | None]]
    """The list in order, each job with what is known of it."""
    failed: Sequence[Task]
    """The tasks that were given up."""

    @classmethod
    def of(cls, store: Store) -> Overview:
        """Read a store.

        Raises
        ------
        StoreError
            If it can't be read, or is damaged.
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
        """How many tasks are done in a minute of the processor; None if none is done."""
        done = self.counts[DONE]
        return 60 * done / self.seconds if done and self.seconds else None


def first_bounds(line: Line, task: Task) -> Bounds:
    """Return what is proven of a job's strongest criterion.

    The store has the bounds of the combined cost, a number that says nothing to people.
    """
    question = line.question
    weights, answers = question.weights(), len(question.rules.answers)
    if len(weights.levels) < 2:
        return task.bounds
    return first_level(weights, task.bounds, task.estimate, answers, question.turn)


def listed(store: Store) -> list[tuple[Line, Task | None]]:
    """Return the list of a store in order, each job with what is known of it."""
    lines = [Line.parse(job.line) for job in store.jobs()]
    return [(line, store.get(line.question.key)) for line in lines]
