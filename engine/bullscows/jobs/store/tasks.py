"""Tasks as rows: what is asked, in what state it is, what is proven, and what changes that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bullscows.game.cost import Bounds

DEATHS = 3
"""A task that took so many workers with it has failed."""

WAITING, TAKEN, DONE, FAILED = STATES = "waiting", "taken", "done", "failed"


@dataclass(frozen=True)
class Result:
    """What a run of a task has proven."""

    lower: int
    """No strategy costs less."""
    upper: int | None = None
    """What some strategy costs, if one is known."""
    sliced: bool = False
    """Did the run end with its time, before the question was answered?"""
    guesses: str | None = None
    """The guesses of the optimal tree in node order, if the value is exact, space between."""
    seconds: float = 0.0
    """Time of the processor that it took."""


@dataclass(frozen=True)
class Task:
    """A row of the store."""

    key: str
    """The address of what is asked."""
    question: str
    """What is asked, as text: of those with this address, the one that was or will be run."""
    budget: int
    """The value is wanted if it is at most this; else a proof that it is more."""
    estimate: int
    """How long it may take, in no unit: larger is longer."""
    state: str = WAITING
    lower: int = 0
    upper: int | None = None
    sliced: bool = False
    guesses: str | None = None
    seconds: float = 0.0
    runs: int = 0
    """How often it has been taken."""
    deaths: int = 0
    """How many workers in a row ended while they were at it."""
    reason: str | None = None
    """Why it failed."""
    owner: str | None = None
    lease: float = 0.0
    """When the owner will be taken for dead, in seconds since the epoch."""

    @property
    def bounds(self) -> Bounds:
        """What is proven."""
        return Bounds(self.lower, self.upper)

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.bounds.exact

    def settles(self, budget: int) -> bool:
        """Return whether this answers the question for a budget."""
        return self.exact or self.lower > budget

    def merged(self, result: Result) -> Task:
        """Return the row with a result added to what it knew."""
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
    """A question on the list that a user keeps."""

    number: int
    """Place on the list, from 1."""
    question: str
    budget: int
    line: str
    """What else the user's line said, to write it again."""


def seconds_left(tasks: Iterable[Task]) -> float | None:
    """Return the work that unfinished tasks may take, in seconds of one processor.

    Judged by what those done took for their size; None if none is done.  More tasks may come of
    them, so it is less than all the work.
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


def after_death(task: Task) -> Task:
    """Return a row whose worker ended without a result."""
    deaths = task.deaths + 1
    lost = replace(task, state=WAITING, deaths=deaths, owner=None, lease=0.0)
    if deaths < DEATHS:
        return lost
    return failed(lost, f"its worker died {deaths} times in a row: out of memory?")


def failed(task: Task, reason: str) -> Task:
    """Return a row that is given up."""
    return replace(task, state=FAILED, reason=reason, owner=None, lease=0.0)
