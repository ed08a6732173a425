"""Tasks as rows: the question, its state, and what is proved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bullscows.game.cost import Bounds

DEATHS = 3
"""A task has failed after this number of workers in a row died."""

WAITING, TAKEN, DONE, FAILED = STATES = "waiting", "taken", "done", "failed"


@dataclass(frozen=True)
class Result:
    """Result of a run of a task."""

    lower: int
    """No strategy costs less."""
    upper: int | None = None
    """The cost of some strategy, if one is known."""
    sliced: bool = False
    """Whether the run ran out of time before the question was answered."""
    guesses: str | None = None
    """The guesses of the optimal tree in node order, if the value is exact, separated by spaces."""
    seconds: float = 0.0
    """Processor time of the run."""


@dataclass(frozen=True)
class Task:
    """A row of the store."""

    key: str
    """The address of the question."""
    question: str
    """The question as text: of those with this address, the one that was or will be run."""
    budget: int
    """The value is wanted if it is at most this; otherwise a proof that it is more."""
    estimate: int
    """The relative size of the task: larger takes longer."""
    state: str = WAITING
    lower: int = 0
    upper: int | None = None
    sliced: bool = False
    guesses: str | None = None
    seconds: float = 0.0
    runs: int = 0
    """How often it has been taken."""
    deaths: int = 0
    """The number of workers in a row that died."""
    reason: str | None = None
    """Why it failed."""
    owner: str | None = None
    lease: float = 0.0
    """When the owner will be considered dead, in seconds since the epoch."""

    @property
    def bounds(self) -> Bounds:
        """The bounds proved."""
        return Bounds(self.lower, self.upper)

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.bounds.exact

    def settles(self, budget: int) -> bool:
        """Return whether this answers the question for a budget."""
        return self.exact or self.lower > budget

    def merged(self, result: Result) -> Task:
        """Return the row with a result added."""
        bounds = self.bounds.tightened(Bounds(result.lower, result.upper))
        return replace(
            self,
            state=DONE,
            lower=bounds.lower,
            upper=bounds.upper,
            sliced=result.sliced,
            guesses=result.guesses or self.guesses,
            seconds=self.seconds + result.seconds,
            deaths=0,
            reason=None,
            owner=None,
            lease=0.0,
        )


@dataclass(frozen=True)
class Job:
    """A question on the user's list."""

    number: int
    """Place on the list, from 1."""
    question: str
    budget: int
    line: str
    """The user's line, to write it again."""


def seconds_left(tasks: Iterable[Task]) -> float | None:
    """Return the processor time that unfinished tasks may take; None if none is done.

    Judged by those done.  More tasks may follow, so it is less than all the work.
    """
    done = size = waiting = 0.0
    for task in tasks:
        if task.state == DONE and task.seconds > 0:
            done += task.seconds
            size += task.estimate
        elif task.state in (WAITING, TAKEN):
            waiting += task.estimate
    return done / size * waiting if size else None


def asked_again(task: Task, budget: int) -> Task:
    """Return a row that is asked for a budget: it waits if what is known does not answer that."""
    if task.state == WAITING:
        return replace(task, budget=max(task.budget, budget))
    if task.state == DONE and not task.sliced and not task.settles(budget):
        return replace(task, state=WAITING, budget=budget)
    return task
