"""Evaluations of guesses: the cost, the loss above the best guess, and a grade."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from math import floor
from typing import Any, Literal

from bullscows.errors import counted
from bullscows.game.history import Split
from bullscows.game.objective import Bounds
from bullscows.game.result import Analysis, costs_text
from bullscows.game.rules import CodeIndex

Grade = Literal["best", "good", "doubtful", "blunder"]
"""How good a guess is, by its mean loss in turns."""
GOOD, DOUBTFUL = 0.1, 0.4
"""The largest mean loss of a good and of a doubtful guess."""


@dataclass(frozen=True, repr=False)
class Evaluation(Analysis):
    """The cost of a guess in a position: the least cost of a strategy that begins with it.

    It is the sum of the values of the parts of the guess.  The least of all guesses is the value of
    the position; the difference is the *loss*.
    """

    split: Split
    """The guess, and how it partitions the candidates."""
    guess: CodeIndex = field(init=False)
    """The guess."""
    _: KW_ONLY
    best: Bounds | None = None
    """Bounds on the value of the position by the strongest criterion."""
    is_refused: bool = False
    """Whether a search for the cost does not fit into the memory."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "guess", self.split.guess)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to find: not the cost, nor the last turn."""
        return self.status == "optimal" and (self.last_turn is not None or not self.feasible)

    @property
    def is_settled(self) -> bool:
        """Whether the cost is exact, or will not be searched for."""
        return self.status == "optimal" or self.is_refused

    @property
    def loss(self) -> Bounds | None:
        """Bounds on the loss by the first criterion, a total for `average`; None if unknown."""
        if self.bounds is None or self.best is None or self.feasible is False:
            return None
        lower, upper = self.bounds
        most = lower if self.best.upper is None else self.best.upper
        return Bounds(max(lower - most, 0), None if upper is None else upper - self.best.lower)

    def mean_loss(self, loss: int | None) -> float | None:
        """Return a loss as it is shown: with `average` the mean over the candidates."""
        if loss is None:
            return None
        is_mean = self.question.objective.criteria[0] == "average"
        return loss / self.split.remaining if is_mean else float(loss)

    @property
    def shown_loss(self) -> tuple[float, float] | None:
        """Bounds on the mean loss, rounded outwards unless exact; None: no upper bound."""
        lower, upper = (None, None) if self.loss is None else map(self.mean_loss, self.loss)
        if lower is None or upper is None:
            return None
        return (lower, upper) if lower == upper else (_down(lower), -_down(-upper))

    @property
    def grade(self) -> Grade | None:
        """The grade of the guess, with `average` only; None if the bounds leave several."""
        if self.shown_loss is None or self.question.objective.criteria[0] != "average":
            return None
        best, worst = map(_grade, self.shown_loss)
        return best if best == worst else None

    @property
    def claim(self) -> str:
        """The result in a few words."""
        if self.feasible is False:
            return "no strategy that begins so keeps within the turns: proved"
        if self.levels:
            words = [costs_text(self.levels, self.secrets)]
        elif self.bounds is None:
            return "nothing is known of its cost"
        else:
            lower, upper = self.bounds
            words = [f"at least {lower}", *([] if upper is None else [f"at most {upper}"])]
        if self.loss is not None and self.loss.exact:
            words.append(f"loss {self.mean_loss(self.loss.lower):.3g}")
        if self.last_turn is not None:
            words.append(f"turn {self.last_turn} at the latest")
        return ", ".join(words)

    def bounded(self, found: Bounds) -> Evaluation:
        """Return this evaluation with bounds that were proved in addition."""
        return replace(self, bounds=found if self.bounds is None else found.tightened(self.bounds))

    def __str__(self) -> str:
        return f"{self.guess_text}: {counted(self.split.number, 'part')}, {self.claim}"


def evaluation_record(found: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON-ready values; costs are those of the strongest criterion.

    ``loss`` is the cost above the best guess; for a total of turns, divided by the candidates.
    The bounds ``lower``, ``upper``, ``loss_lower`` and ``loss_upper`` are null if unknown, and if
    no strategy that starts so keeps within the allowed turns; then it is not ``feasible``.
    """
    least, most = found.loss or (None, None)
    bounds = None if found.feasible is False else found.bounds
    return {
        "guess": found.guess_text,
        "parts": found.split.number,
        "largest": found.split.largest,
        "is_candidate": found.split.is_candidate,
        "status": found.status,
        "feasible": found.feasible,
        "value": found.value,
        "levels": dict(found.levels) or None,
        "lower": bounds and bounds.lower,
        "upper": bounds and bounds.upper,
        "loss": found.mean_loss(least) if least == most else None,
        "loss_lower": found.mean_loss(least),
        "loss_upper": found.mean_loss(most),
        "worst": found.last_turn,
    }


def _grade(loss: float) -> Grade:
    if loss <= 0:
        return "best"
    if loss <= GOOD:
        return "good"
    return "doubtful" if loss <= DOUBTFUL else "blunder"


def _down(loss: float) -> float:
    return floor(100 * loss) / 100
