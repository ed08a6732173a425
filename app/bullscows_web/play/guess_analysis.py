"""Why the tree guesses what it guesses in a position, and what is to come.

Everything here is counted at the node or follows from how the tree was found.  Holding the guess
against all others takes some milliseconds, so it is kept for nodes that were asked about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from bullscows.strategies.rules.ranking import GuessComparison, compare_guess
from bullscows_web.trees.library import Entry
from bullscows_web.trees.position import Choice, GamePosition
from bullscows_web.web.html.bars import Bar, bars

KEPT = 4096
"""For how many nodes the comparison with other guesses is kept: a few hundred bytes each."""


@dataclass(frozen=True)
class GuessAnalysis:
    """Figures of the guess in a position of an unfinished game."""

    position: GamePosition

    @property
    def is_candidate(self) -> bool:
        """Whether the guess may be the secret."""
        return self.position.node.is_candidate_guess

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """How many candidates are found with this guess, with the next one, and so on."""
        return self.position.entry.turns(self.position.node)[self.position.turn - 1 :]

    @property
    def average(self) -> float:
        """The mean number of guesses to go, this one included."""
        total = sum(number * count for number, count in enumerate(self.turns, start=1))
        return total / self.position.remaining

    @property
    def worst(self) -> int:
        """The most guesses to go, this one included."""
        return len(self.turns)

    @property
    def comparison(self) -> GuessComparison:
        """The guess among all guesses of the game, by how they split the candidates."""
        return _comparison(self.position.entry, self.position.node.number)

    @property
    def split(self) -> list[tuple[Choice, Bar]]:
        """The answers, with how many of the candidates give each."""
        choices = self.position.choices
        counted = bars([choice.remaining for choice in choices])
        return list(zip(choices, counted, strict=True))

    @property
    def separates_all(self) -> bool:
        """Whether each candidate answers otherwise."""
        return len(self.position.choices) == self.position.remaining

    @property
    def is_beyond_doubt(self) -> bool:
        """Whether no guess can do better whatever is minimised, as at a special node.

        One candidate is found now and all the others on the next turn, and one guess never finds
        two (see `bullscows.tree.strategy_tree.special_guess`).
        """
        return self.is_candidate and self.separates_all

    @property
    def is_proved(self) -> bool:
        """Whether no way to go on from here serves the aim of the tree better, by its proof.

        That the whole tree is optimal says so of each branch where the aim is a sum over secrets:
        a better branch would make a better tree.  The longest game is no such sum.
        """
        record = self.position.entry.record
        return record.proof == "exact" and "worst" not in record.objective.split(",")


@lru_cache(maxsize=KEPT)
def _comparison(entry: Entry, number: int) -> GuessComparison:
    node = entry.tree.nodes[number]
    return compare_guess(entry.rules, entry.tree.path(node), node.candidates, node.guess)
