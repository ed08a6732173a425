"""A task as far as the search of the whole would go, and the work that it takes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bullscows.jobs.places import Place, candidates_of, table_of
from bullscows.search.position import Position
from bullscows.search.search import Search


@dataclass(frozen=True)
class Work:
    """What was counted and timed in a search."""

    nodes: float = 0.0
    seconds: float = 0.0
    """Of the processor."""

    def __add__(self, other: Work) -> Work:
        return Work(self.nodes + other.nodes, self.seconds + other.seconds)

    def __mul__(self, factor: float) -> Work:
        return Work(self.nodes * factor, self.seconds * factor)


@dataclass(frozen=True)
class LimitedTask:
    """A position to search, as far as the search of the whole would go."""

    key: str
    """The address of the position."""
    limit: int
    """The value is wanted if it is at most this; else a proof that it is more."""
    place: Place = field(compare=False, repr=False)


def searched(search: Search, task: LimitedTask) -> tuple[int, Work]:
    """Search a small position; return its value, or a bound above the limit, and the work."""
    position = position_of(task.place)
    before, started = search.counters().nodes, time.process_time()
    found = search.cost(position, task.limit)
    return found, Work(search.counters().nodes - before, time.process_time() - started)


def position_of(place: Place) -> Position:
    """Return a place as the search takes it."""
    question = place.question
    guesses = tuple(table_of(question).number(guess) for guess in question.history.guesses)
    return Position(candidates_of(question), question.turn, guesses)
