"""What the pages of the comparison show: the choice of two trees, and both at the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bullscows.game.rules import Answer, Rules
from bullscows_web.language.words import has_pegs
from bullscows_web.statistics.compare.comparison import Comparison, Parting
from bullscows_web.trees.library import Entry, Game
from bullscows_web.trees.links import comparison_path

SHOWN = 24
"""The most partings that a page lists."""


@dataclass(frozen=True)
class ChoosePage:
    """Which two trees to compare."""

    games: Sequence[Game]
    """The games that have two trees."""
    refused: tuple[Entry, Entry] | None = None
    """Two trees that play different games."""


@dataclass(frozen=True)
class ComparePage:
    """Two trees at the same answers."""

    comparison: Comparison
    """The trees."""
    partings: Sequence[Parting]
    """Where the guesses differ first, from here on."""

    @property
    def names(self) -> tuple[str, str]:
        """The trees' names."""
        first, second = self.comparison.sides
        return first.entry.name, second.entry.name

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.comparison.sides[0].entry.rules

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return has_pegs(self.rules)

    @property
    def turn(self) -> int:
        """The turn to play."""
        return len(self.comparison.answers) + 1

    @property
    def listed(self) -> Sequence[Parting]:
        """As many of the partings as a page shows."""
        return self.partings[:SHOWN]

    def path(self, *more: Answer, turns: int | None = None) -> str:
        """Return the path of this comparison after so many of its turns, and more answers."""
        steps = [self.rules.answers[answer] for answer in self.comparison.answers[:turns]]
        return comparison_path(*self.names, "-".join(map(str, (*steps, *more))))

    def link(self, parting: Parting) -> str:
        """Return the path of the comparison where the trees part."""
        return comparison_path(*self.names, "-".join(parting.position.parts[2:]))
