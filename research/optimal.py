"""Extremes over all trees of the least total: nodes, probes, secrets found at each turn.

A dynamic programme over the optimal guesses of every position.  Each measure is a sum over the
positions of a tree, so its least and its greatest value follow from those of the parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bullscows.game.objective import Objective, combine
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import special_guess
from research.tables import BULLS_COWS, MASTERMIND, Figure, Row, section

MEASURES = ("nodes", "special", "stored", "decisions", "probes")
"""Guesses of a tree; those that follow from the candidates, and the others; positions with more
than one candidate; guesses that are no candidate."""

_TURNS = 12
_Counts = NDArray[np.intp]
"""The measures, then the secrets found at turn 1, 2, ... from a position on."""


@dataclass
class OptimalTrees:
    """The extremes over all trees of one game that take the fewest turns.

    >>> trees = OptimalTrees("p3c6r")
    >>> trees.span("probes"), trees.distribution()["least"]
    ({'least': 5, 'greatest': 12}, [1, 4, 35, 124, 38])
    """

    rules: str
    max_turns: int | None = None
    candidates_only: bool = False
    _known: dict[tuple[Candidates, int], tuple[_Counts, _Counts]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = ResponseTable.of(Rules.parse(self.rules))
        turns = self.max_turns or _TURNS
        weights = combine(
            Objective.parse("average"),
            turns,
            table.size,
            table.answers,
            capped=self.max_turns is not None,
        )
        self._search = Search(table, weights, candidates_only=self.candidates_only)
        self._start = Position(tuple(range(table.size)), 1, ())
        self._least, self._greatest = self._extremes(self._start)

    @property
    def total(self) -> int:
        """The fewest turns."""
        return self._search.cost(self._start)

    def span(self, measure: str) -> Figure:
        """Return the least and the greatest value of one of `MEASURES`."""
        place = MEASURES.index(measure)
        return {"least": int(self._least[place]), "greatest": int(self._greatest[place])}

    def distribution(self) -> dict[str, list[int]]:
        """Return the fewest and the most secrets that such a tree finds at each turn."""
        ends = np.flatnonzero(self._greatest[len(MEASURES) :])[-1] + len(MEASURES) + 1
        return {
            "least": self._least[len(MEASURES) : ends].tolist(),
            "greatest": self._greatest[len(MEASURES) : ends].tolist(),
        }

    def _extremes(self, position: Position) -> tuple[_Counts, _Counts]:
        rules = self._search.table.rules
        assert rules is not None
        count = len(position.candidates)
        if special_guess(rules, position.candidates) is not None:
            found = self._none()
            found[: len(MEASURES)] = (count, count, 0, count > 1, 0)
            found[len(MEASURES) : len(MEASURES) + 2] = (1, count - 1)
            return found, found
        key = position.candidates, position.turn if self.max_turns else 0
        if key not in self._known:
            value = self._search.cost(position)
            guesses = self._search.guesses_within(position, value)
            extremes = [self._after(position, guess) for guess in guesses]
            least = np.min([least for least, _ in extremes], axis=0)
            greatest = np.max([greatest for _, greatest in extremes], axis=0)
            self._known[key] = least, greatest
        return self._known[key]

    def _after(self, position: Position, guess: int) -> tuple[_Counts, _Counts]:
        """Return the extremes if a guess is made that is not special."""
        sums = (self._none(), self._none())
        is_candidate = guess in position.candidates
        for found in sums:
            found[: len(MEASURES)] = (1, 0, 1, 1, not is_candidate)
            found[len(MEASURES)] = is_candidate
        for part in self._search.parts(position, guess).values():
            if part.turn == position.turn:  # the win
                continue
            for found, counts in zip(sums, self._extremes(part), strict=True):
                found[: len(MEASURES)] += counts[: len(MEASURES)]
                found[len(MEASURES) + 1 :] += counts[len(MEASURES) : -1]
        return sums

    @staticmethod
    def _none() -> _Counts:
        return np.zeros(len(MEASURES) + _TURNS, dtype=np.intp)


optimal = cache(OptimalTrees)
"""Returns the trees of a game, found once."""

GAMES: tuple[tuple[str, int | None], ...] = (
    (BULLS_COWS, None),
    (MASTERMIND, None),
    (MASTERMIND, 5),
    ("p3c10n", None),
    ("p4c9n", None),
    ("p4c7r", None),
)


@section("optimal-trees", "All trees of the least total", "our own")
def optimal_trees(_threads: int) -> Iterator[Row]:
    """The least and the greatest of each measure over all trees of the fewest turns."""
    for rules, max_turns in GAMES:
        trees = optimal(rules, max_turns)
        name = rules if max_turns is None else f"{rules} within {max_turns} turns"
        for measure in MEASURES:
            yield Row(f"{name}, {measure}", "", trees.span(measure))
        for which, counts in trees.distribution().items():
            yield Row(f"{name}, {which} found at turn 1, 2, ...", "", tuple(counts))
