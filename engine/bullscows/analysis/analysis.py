"""What is known of a question: the best guess found, and what is proved of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from bullscows.errors import EngineError
from bullscows.game.cost import Bounds, costs_text
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex
from bullscows.strategies.rules.ranking import Ranking as Ranking
from bullscows.strategies.rules.ranking import RuleName, rank
from bullscows.tree.markup import html_table

Status = Literal["optimal", "bounded", "heuristic"]
"""What is claimed: see `bullscows.analysis.analyst`."""


class TooFewTurnsError(EngineError, ValueError):
    """A last turn within which no strategy finds every candidate: that is proved."""

    def __init__(self, question: Question) -> None:
        strategy = "strategy of candidates only" if question.candidates_only else "strategy"
        super().__init__(
            f"no {strategy} finds each of the {len(question.candidates)} candidates "
            f"by turn {question.objective.turns_allowed(question.max_turns)}: that is proved"
        )
        self.question = question


@dataclass(frozen=True)
class Analysis:
    """A question, the best guess known, and what is known of it; `analyse` makes one.

    Costs are counted from the first turn of the game.
    """

    question: Question
    """What was asked."""
    guess: CodeIndex
    """What to ask next."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """The least cost of each criterion, strongest first; empty unless ``optimal``."""
    bounds: Bounds | None = None
    """What is known of the least cost by the strongest criterion: no strategy costs less than the
    lower bound, and one that begins with the guess costs the upper one; None: nothing."""
    rule: RuleName | None = None
    """The rule that named the guess; None if a search found it, or it is special."""
    last_turn: int | None = None
    """The last turn at which a candidate is guessed by an optimal strategy that begins with the
    guess; another one may end sooner.  None unless known."""

    @classmethod
    def proved(
        cls,
        question: Question,
        guess: CodeIndex,
        levels: Mapping[str, int],
        last_turn: int | None = None,
    ) -> Analysis:
        """Return the analysis of an optimal guess from what each criterion costs."""
        value = next(iter(levels.values()))
        last_turn = levels.get("worst", last_turn)
        return cls(question, guess, levels, Bounds(value, value), last_turn=last_turn)

    @property
    def status(self) -> Status:
        """What is claimed: ``optimal``, ``bounded`` or ``heuristic``."""
        if self.levels:
            return "optimal"
        return "heuristic" if self.bounds is None or self.bounds.upper is None else "bounded"

    @property
    def value(self) -> int | None:
        """The least cost by the strongest criterion, if proved."""
        return next(iter(self.levels.values()), None)

    @property
    def guess_text(self) -> str:
        """The guess as it is written."""
        return self.question.rules.text(self.guess)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The codes that are still possible, as they are written."""
        return tuple(map(self.question.rules.text, self.question.candidates.tolist()))

    @property
    def claim(self) -> str:
        """What is known, in a few words."""
        if self.levels:
            levels = costs_text(self.levels, len(self.question.candidates))
            among = " among candidates only" if self.question.candidates_only else ""
            return f"{levels}: proved optimal{among}"
        words = [] if self.rule is None else [f"the guess of the rule {self.rule}"]
        if self.bounds is not None:
            words.append(f"at least {self.bounds.lower}")
            words += [] if self.bounds.upper is None else [f"at most {self.bounds.upper}"]
        return ", ".join(words)

    def tightened(self, earlier: Analysis) -> Analysis:
        """Return this analysis with what an earlier one of the same position proved besides."""
        if self.levels or earlier.bounds is None:
            return self
        bounds = earlier.bounds if self.bounds is None else self.bounds.tightened(earlier.bounds)
        better = earlier if self.rule is not None else self
        return Analysis(self.question, better.guess, {}, bounds, better.rule)

    def __str__(self) -> str:
        question = self.question
        asked = f"{question.rules}, {question.objective}, turn {question.turn}"
        count = len(question.candidates)
        return f"{asked}: guess {self.guess_text} of {count} candidates; {self.claim}"

    def __repr__(self) -> str:
        return f"<Analysis of {self}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        question = self.question
        rows = [
            ("guess", self.guess_text),
            ("known", self.claim),
            ("turn", question.turn),
            ("candidates", len(question.candidates)),
        ]
        return html_table(f"{question.rules}, {question.objective}", rows)


@lru_cache(maxsize=2)  # of a large game each takes 24 MB
def ranking(question: Question) -> Ranking:
    """Return the guesses liked best by the one-step rule that suits the objective."""
    first = question.objective.criteria[0]
    few_turns = first == "average" or first.startswith("weights:")
    rule: RuleName = "larmouth" if few_turns else "crush"
    return rank(
        question.history, question.candidates, rule, candidates_only=question.candidates_only
    )


def by_rule(question: Question) -> Analysis:
    """Return the guess of the one-step rule that suits the objective."""
    liked = ranking(question)
    return Analysis(question, liked.guesses[0], rule=liked.rule)
