"""Positions between two bounds, and the guesses into which the large ones are split.

What a position costs lies between the bounds of its `Bracket`.  Where a question about it takes
too long it is split: a `Branch` for each guess, with a bracket for each part.  A guess costs what
its parts do together, and the position what the least of its guesses does, so its bound rises
with that of the guess whose bound is least, and no other need be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bullscows.game.cost import Bounds
from bullscows.game.objective import INFINITE
from bullscows.search.position import Position

SLOWER = 3.0
"""The next question about a position is taken to last so many times as long as the last."""

HOPE = 10.0
"""A split position may always gain one in so many of what is possible in the time spent so far."""

FRESH, UNSET = 50, 0
"""The first question about a part of a guess is whether it takes one in so many more than is
known; its caution follows as soon as it is known what is possible."""


@dataclass(eq=False)
class Bracket:
    """A position whose cost lies between two bounds."""

    position: Position
    lower: int
    upper: int | None
    is_part: bool = False
    """Is it a part of a guess at a position that was split?"""
    wanted: int = INFINITE - 1
    """A cost above this need not be known any better: then the whole exceeds its budget."""
    seconds: float = 0.01
    """How long the last question took."""
    caution: int = 2
    """The share of what is possible that the next question is about: one in so many."""
    left: int = 0
    """How many questions in a row took too long."""
    stays_whole: bool = False
    """Is it one that can't be split?"""
    branches: list[Branch] = field(default_factory=list)
    """The guesses at the position, one of each class, once it is split."""
    spent: float = 0.0
    """The seconds spent on it since it was split."""
    rate: float | None = None
    """By how much the bound of a split position rose per second lately."""

    @classmethod
    def part(cls, position: Position, known: Bounds) -> Bracket:
        """Return a part of a guess at a split position; its first question is a small one."""
        return cls(position, known.lower, known.upper, is_part=True, seconds=0.0005, caution=UNSET)

    @property
    def most(self) -> int:
        """The largest cost that is still in question."""
        return self.wanted if self.upper is None else min(self.upper - 1, self.wanted)

    @property
    def is_open(self) -> bool:
        """Whether the cost is not known as well as it is wanted."""
        return self.lower <= self.most

    @property
    def budget(self) -> int:
        """The lower part of what is possible; all of it while nothing is known from above."""
        if self.upper is None and self.wanted == INFINITE - 1:
            return self.wanted
        return self.lower + (self.most - self.lower) // self.caution

    @property
    def promise(self) -> float:
        """The expected gain per second of the next question, or of the next spell."""
        if self.branches:
            hope = (self.most + 1 - self.lower) / (HOPE * max(self.spent, 0.001))
            return hope if self.rate is None else max(hope, self.rate)
        return (self.most + 1 - self.lower) / self.caution / (SLOWER * self.seconds)

    def tighten(self, known: Bounds) -> None:
        """Take bounds over where they are better."""
        found = Bounds(self.lower, self.upper).tightened(known)
        self.lower, self.upper = found.lower, found.upper

    def answered(self, seconds: float) -> None:
        """Count a question that was answered: the next one may be larger."""
        self.seconds, self.left = seconds, 0
        self.caution = max(self.caution // 2, 2)

    def gave_up(self, seconds: float) -> None:
        """Count a question that took too long: the next one is smaller.

        Of a part what an answer took is the better guess at what the next one takes.
        """
        self.seconds = 2 * self.seconds if self.is_part else seconds
        self.left += 1
        self.caution *= 2

    def learn(self) -> Branch | None:
        """Take over what is known of the guesses; return the one to raise, if there is one."""
        least = min(self.branches, key=_lower)
        uppers = [upper for branch in self.branches if (upper := branch.upper) is not None]
        self.tighten(Bounds(least.lower, min(uppers, default=None)))
        return least if self.is_open else None

    def count(self, gain: int, seconds: float) -> None:
        """Count a spell: what it gained, and how long it took."""
        rate = gain / max(seconds, 0.001)
        self.rate = rate if self.rate is None else (self.rate + rate) / 2
        self.spent += seconds


@dataclass(eq=False)
class Branch:
    """A guess at a position that is split, and what it leaves."""

    parts: list[Bracket]

    @property
    def lower(self) -> int:
        """No strategy that begins with the guess costs less."""
        return min(sum(part.lower for part in self.parts), INFINITE)

    @property
    def upper(self) -> int | None:
        """What such a strategy costs; None if none is known."""
        total = 0
        for part in self.parts:
            if part.upper is None:
                return None
            total += part.upper
        return total

    def next_part(self, most: int) -> Bracket | None:
        """Return the part that promises the most progress, if the guess is to cost `most`."""
        spare = most - self.lower
        for part in self.parts:
            part.wanted = part.lower + spare
            if part.caution == UNSET:
                part.caution = max(FRESH * spare // max(part.lower, 1), 2)
        return max((part for part in self.parts if part.is_open), key=_promise, default=None)


def most_promising(brackets: list[Bracket]) -> Bracket:
    """Return the bracket whose next question promises the most progress for its time."""
    return max(brackets, key=_promise)


def _lower(branch: Branch) -> int:
    return branch.lower


def _promise(bracket: Bracket) -> float:
    return bracket.promise
