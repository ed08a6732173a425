"""Results of an analysis: the best guess known in a position, and the evaluation of any guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from math import floor
from typing import Any, Literal

from bullscows.errors import EngineError, counted
from bullscows.game.history import Split
from bullscows.game.objective import INFINITE, Bounds, costs_text, html_table
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows.strategies.rules.ranking import Ranking as Ranking
from bullscows.strategies.rules.ranking import RuleName, rank

Status = Literal["optimal", "bounded", "heuristic"]
"""The claim of a result: see `bullscows.analysis.analyst`."""

Grade = Literal["best", "good", "doubtful", "blunder"]
"""How good a guess is, by its mean loss in turns."""
GOOD, DOUBTFUL = 0.1, 0.4
"""The largest mean loss of a good and of a doubtful guess."""

IMPOSSIBLE = Bounds(INFINITE)
"""The cost of a guess after which no strategy keeps within the turns."""


class TooFewTurnsError(EngineError, ValueError):
    """No strategy finds every candidate by the last turn, which is proved."""

    def __init__(self, question: Question) -> None:
        strategy = "strategy of candidates only" if question.candidates_only else "strategy"
        super().__init__(
            f"no {strategy} finds each of the {len(question.candidates)} candidates "
            f"by turn {question.objective.turns_allowed(question.max_turns)}: that is proved"
        )
        self.question = question


@dataclass(frozen=True)
class Finding:
    """Proved costs in a position.  Turns are counted from the first turn of the game."""

    question: Question
    """The position, and what is minimised."""
    _: KW_ONLY
    levels: Mapping[str, int] = field(default_factory=dict)
    """The cost of each criterion, strongest first; empty unless proved."""
    bounds: Bounds | None = None
    """Bounds on the cost by the strongest criterion; None: nothing is known."""
    last_turn: int | None = None
    """The last turn at which a candidate is guessed, if the guess is followed by the optimal
    guesses that the search returns.  Another optimal strategy may end sooner.  None: unknown."""

    @property
    def feasible(self) -> bool | None:
        """Whether every candidate can be found in time; None if that is not known."""
        if self.bounds is None:
            return None
        if self.bounds.lower >= INFINITE:
            return False
        return True if self.bounds.upper is not None else None

    @property
    def status(self) -> Status:
        """The claim about the cost: ``optimal`` (exact), ``bounded`` or ``heuristic``."""
        if self.levels or self.feasible is False:
            return "optimal"
        return "bounded" if self.feasible else "heuristic"

    @property
    def value(self) -> int | None:
        """The cost by the strongest criterion, if it is exact and finite."""
        return next(iter(self.levels.values()), None)

    def _costs_text(self) -> list[str]:
        """Return the exact cost or its bounds in words; nothing if nothing is known."""
        if self.levels:
            return [costs_text(self.levels, len(self.question.candidates))]
        if self.bounds is None:
            return []
        lower, upper = self.bounds
        return [f"at least {lower}", *([] if upper is None else [f"at most {upper}"])]


@dataclass(frozen=True)
class Analysis(Finding):
    """The best guess known in a position; `bullscows.analysis.analyst.analyse` returns one.

    The lower bound holds for every strategy; one that begins with the guess costs the upper bound.
    """

    guess: CodeIndex
    rule: RuleName | None = field(default=None, kw_only=True)
    """The one-step rule that chose the guess; None if a search did, or the position is special."""

    @classmethod
    def proved(
        cls,
        question: Question,
        guess: CodeIndex,
        levels: Mapping[str, int],
        last_turn: int | None = None,
    ) -> Analysis:
        """Return the analysis of an optimal guess from the cost of each criterion."""
        value = next(iter(levels.values()))
        last_turn = levels.get("worst", last_turn)
        bounds = Bounds(value, value)
        return cls(question, guess, levels=levels, bounds=bounds, last_turn=last_turn)

    @property
    def is_over(self) -> bool:
        """Whether the history has found the code already; then `guess` is the code."""
        return any(answer == self.question.rules.win for _, answer in self.question.history)

    @property
    def guess_text(self) -> str:
        """The guess as text."""
        return self.question.rules.text(self.guess)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates as text."""
        return tuple(map(self.question.rules.text, self.question.candidates.tolist()))

    @property
    def claim(self) -> str:
        """The result in a few words."""
        words = self._costs_text()
        if self.is_over:
            return f"the game is over: {self.guess_text} was found"
        if self.levels:
            among = " among candidates only" if self.question.candidates_only else ""
            return f"{words[0]}: proved optimal{among}"
        return ", ".join(([] if not self.rule else [f"the guess of the rule {self.rule}"]) + words)

    def tightened(self, earlier: Analysis) -> Analysis:
        """Return this analysis with the bounds of an earlier one of the same position."""
        if self.levels or earlier.bounds is None:
            return self
        bounds = earlier.bounds if self.bounds is None else self.bounds.tightened(earlier.bounds)
        better = earlier if self.rule is not None else self
        return Analysis(self.question, better.guess, bounds=bounds, rule=better.rule)

    def __str__(self) -> str:
        question = self.question
        count = len(self.question.candidates)
        head = f"{question.rules}, {question.objective}, turn {question.turn}"
        if self.is_over:
            return f"{head}: {self.claim}"
        return f"{head}: guess {self.guess_text} of {counted(count, 'candidate')}; {self.claim}"

    def __repr__(self) -> str:
        return f"<Analysis of {self}>"

    def _repr_html_(self) -> str:
        question = self.question
        count = len(self.question.candidates)
        rows: list[tuple[str, object]] = [] if self.is_over else [("guess", self.guess_text)]
        rows += [("known", self.claim), ("turn", question.turn)]
        return html_table(f"{question.rules}, {question.objective}", [*rows, ("candidates", count)])


@dataclass(frozen=True)
class Evaluation(Finding):
    """The cost of a guess in a position: the least cost of a strategy that begins with it.

    It is the sum of the values of the parts of the guess.  The least of all guesses is the value of
    the position; the difference is the *loss*.
    """

    split: Split
    """The guess, and how it partitions the candidates."""
    _: KW_ONLY
    best: Bounds | None = None
    """Bounds on the value of the position by the strongest criterion."""
    is_refused: bool = False
    """Whether a search for the cost does not fit into the memory."""

    @property
    def guess(self) -> CodeIndex:
        """The guess."""
        return self.split.guess

    @property
    def guess_text(self) -> str:
        """The guess as text."""
        return self.question.rules.text(self.guess)

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
        words = self._costs_text()
        if not words:
            return "nothing is known of its cost"
        if self.loss is not None and self.loss.exact:
            words.append(f"loss {self.mean_loss(self.loss.lower):.3g}")
        if self.last_turn is not None:
            words.append(f"turn {self.last_turn} at the latest")
        return ", ".join(words)

    def tightened(self, found: Bounds) -> Evaluation:
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


@lru_cache(maxsize=2)  # of a large game each takes 24 MB
def ranking(question: Question) -> Ranking:
    """Return the guesses ranked by the one-step rule that suits the objective."""
    first = question.objective.criteria[0]
    few_turns = first == "average" or first.startswith("weights:")
    rule: RuleName = "larmouth" if few_turns else "crush"
    only = question.candidates_only
    return rank(question.history, question.candidates, rule, candidates_only=only)


def by_rule(question: Question) -> Analysis:
    """Return the guess of the one-step rule that suits the objective."""
    ranked = ranking(question)
    return Analysis(question, ranked.guesses[0], rule=ranked.rule)
