"""What a guess costs: the least cost of going on after it, held against the best guess there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Literal

from bullscows.analysis.analysis import Status
from bullscows.game.candidates import Split
from bullscows.game.cost import Bounds, costs_text
from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex

Grade = Literal["best", "good", "doubtful", "blunder"]
"""How good a guess is, by the turns on average that it costs above the best one."""
GOOD = 0.1
"""Up to so many turns it is good."""
DOUBTFUL = 0.4
"""Up to so many turns it is doubtful; a blunder costs more."""

IMPOSSIBLE = Bounds(INFINITE)
"""The price of a guess after which no strategy keeps within the turns."""


@dataclass(frozen=True)
class Price:
    """A guess in a position, and what is known of the least cost of going on after it.

    The *price* is the least cost of a strategy that begins with the guess: the sum over its parts
    of the value of each.  It is counted from the first turn of the game, as the value of the
    position is, so the least price of all guesses is that value.
    """

    question: Question
    """The position, and what is minimised there."""
    split: Split
    """The guess, and what it does to the candidates."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """What each criterion costs, strongest first; empty unless proved."""
    bounds: Bounds | None = None
    """What is known of the cost by the strongest criterion; None: nothing."""
    last_turn: int | None = None
    """The worst case: the last turn at which a candidate is guessed if the guess is followed by
    what the search names as optimal, turn by turn, by the names of the position's canonical form;
    another optimal way to go on may end sooner.  Of a first guess whose positions ship it is the
    least last turn of all optimal ways.  None unless known."""
    best: Bounds | None = None
    """What is known of the value of the position by the strongest criterion."""
    is_refused: bool = False
    """Whether the search that would tell more does not fit into the memory."""

    @property
    def guess(self) -> CodeIndex:
        """The guess."""
        return self.split.guess

    @property
    def guess_text(self) -> str:
        """The guess as it is written."""
        return self.question.rules.text(self.guess)

    @property
    def feasible(self) -> bool | None:
        """Can every candidate be found in time after this guess?  None if that is not known."""
        if self.bounds is None:
            return None
        if self.bounds.lower >= INFINITE:
            return False
        return True if self.bounds.upper is not None else None

    @property
    def status(self) -> Status:
        """What is claimed of the price, not of the guess.

        ``optimal``: it is exact; ``bounded``: it lies between the bounds; ``heuristic``: nothing.
        """
        if self.levels or self.feasible is False:
            return "optimal"
        return "bounded" if self.feasible else "heuristic"

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to find: the price may be exact and the last turn unknown."""
        return self.status == "optimal" and (self.last_turn is not None or not self.feasible)

    @property
    def is_settled(self) -> bool:
        """Whether a longer search would not tell what it costs, or need not."""
        return self.status == "optimal" or self.is_refused

    @property
    def value(self) -> int | None:
        """The price by the strongest criterion, if it is exact and finite."""
        return next(iter(self.levels.values()), None)

    @property
    def above(self) -> Bounds | None:
        """What it costs above the best guess by the strongest criterion; None: nothing is known.

        With `average` in turns over all candidates together.
        """
        if self.bounds is None or self.best is None or self.feasible is False:
            return None
        lower, upper = self.bounds
        most = lower if self.best.upper is None else self.best.upper
        return Bounds(max(lower - most, 0), None if upper is None else upper - self.best.lower)

    def apiece(self, cost: int | None) -> float | None:
        """Return a difference as people read it: of turns in all, the mean over the candidates."""
        if cost is None:
            return None
        is_mean = self.question.objective.criteria[0] == "average"
        return cost / len(self.question.candidates) if is_mean else float(cost)

    @property
    def above_apiece(self) -> tuple[float, float] | None:
        """Between what it costs above the best guess as people read it, in hundredths.

        None if nothing is known from above, or it can't be held against the best; twice the same,
        and not rounded, if it is exact.
        """
        above = self.above
        lower, upper = (None, None) if above is None else map(self.apiece, above)
        if lower is None or upper is None:
            return None
        return (lower, upper) if lower == upper else (_down(lower), -_down(-upper))

    @property
    def grade(self) -> Grade | None:
        """How good a guess is that costs so much, on average; None: not known well enough."""
        above = self.above_apiece
        if above is None or self.question.objective.criteria[0] != "average":
            return None
        least, most = map(_grade, above)
        return least if least == most else None

    @property
    def claim(self) -> str:
        """What is known, in a few words."""
        if self.feasible is False:
            return "no strategy that begins so keeps within the turns: proved"
        if self.levels:
            words = [costs_text(self.levels, len(self.question.candidates))]
        elif self.bounds is None:
            return "nothing is known of its price"
        else:
            lower, upper = self.bounds
            words = [f"at least {lower}", *([] if upper is None else [f"at most {upper}"])]
        if self.above is not None and self.above.exact:
            words.append(f"{self.apiece(self.above.lower):.3g} above the best")
        if self.last_turn is not None:
            words.append(f"turn {self.last_turn} at the latest")
        return ", ".join(words)

    def __str__(self) -> str:
        return f"{self.guess_text}: {self.split.number} parts, {self.claim}"


def _grade(above: float) -> Grade:
    if above <= 0:
        return "best"
    if above <= GOOD:
        return "good"
    return "doubtful" if above <= DOUBTFUL else "blunder"


def _down(cost: float) -> float:
    return floor(100 * cost) / 100
