"""The duel: two players guess each other's codes at the same time, and fewer turns win.

The games are independent, so only the distributions of both strategies matter. Against a given
distribution, finding a secret at turn ``k`` costs the opponent's shorter games minus the longer
ones. That never decreases with ``k``, so a best reply is the optimum of one exact search with
integer weights (`bullscows.strategies.duel`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Literal, TypeAlias, get_args

from bullscows.game import arguments
from bullscows.game.arguments import ArgumentError
from bullscows.game.objective import Objective

Lengths: TypeAlias = Sequence[int]
"""How many secrets a strategy finds at turn 1, 2, ..."""

Tie = Literal["draw", "won", "lost"]
"""The result of equal turns for a player: the one who begins has found the code first."""

OPPOSITE: dict[Tie, Tie] = {"draw": "draw", "won": "lost", "lost": "won"}
"""The same for the opponent."""


@dataclass(frozen=True)
class Score:
    """How the duels of two strategies end, counted over all pairs of secrets."""

    won: int
    """Pairs for which the first strategy wins."""
    drawn: int
    """Pairs without a winner."""
    lost: int
    """Pairs for which the second strategy wins."""

    @property
    def net(self) -> Fraction:
        """Wins minus losses, as a share of all duels."""
        return Fraction(self.won - self.lost, self.won + self.drawn + self.lost)


def score(mine: Lengths, theirs: Lengths, tie: Tie = "draw") -> Score:
    """Count how all duels of two strategies end.

    >>> score((1, 2), (1, 2))
    Score(won=2, drawn=5, lost=2)
    """
    turns = max(len(mine), len(theirs))
    theirs = padded(theirs, turns)
    shorter = [0, *accumulate(theirs)]
    total = shorter[-1]
    won = sum(count * (total - shorter[turn + 1]) for turn, count in enumerate(mine))
    even = sum(count * theirs[turn] for turn, count in enumerate(mine))
    lost = sum(count * shorter[turn] for turn, count in enumerate(mine))
    if tie == "won":
        return Score(won + even, 0, lost)
    if tie == "lost":
        return Score(won, 0, lost + even)
    return Score(won, even, lost)


def reply_weights(theirs: Lengths, tie: Tie = "draw", turns: int | None = None) -> tuple[int, ...]:
    """Return the weights that a best reply minimises: losses minus wins, by turn.

    `theirs` is the opponent's distribution; the number of their secrets is added to each weight, so
    that none is negative.  `turns` is by default twice the opponent's: more turns than both
    strategies take together are of no use.  Raises `ArgumentError` if `tie` is unknown.
    """
    arguments.choice("tie", tie, get_args(Tie))
    even = padded(theirs, turns or 2 * len(theirs))
    shorter = [0, *accumulate(even)]
    total = shorter[-1]
    worth = {"draw": 0, "won": 1, "lost": -1}[tie]
    return tuple(
        total + shorter[turn] - (total - shorter[turn + 1]) - worth * count
        for turn, count in enumerate(even)
    )


def checked_lengths(lengths: Lengths) -> tuple[int, ...]:
    """Return a distribution as users give it: how many games end at turn 1, 2, ..."""
    allowed = "the number of games that end at turn 1, 2, ..., for example (1, 4, 7)"
    given = arguments.listed("theirs", lengths, allowed)
    counts = tuple(arguments.whole("theirs", count, allowed) for count in given)
    if not any(counts) or min(counts) < 0:
        raise ArgumentError("theirs", lengths, allowed)
    return counts


def objective_of(weights: Sequence[int]) -> Objective:
    """Return the objective that minimises the sum of the weights of all secrets' turns."""
    return Objective.parse("weights:" + ",".join(map(str, weights)))


def padded(lengths: Lengths, turns: int) -> tuple[int, ...]:
    """Return a distribution, with zeros up to `turns` turns."""
    return (*lengths, *[0] * (turns - len(lengths)))
