"""Results: what is known of the best guess for a question, and how far it is proved.

Each result states what it claims:

- ``optimal``: proved, by an exhaustive search or because the position is special (paper, 6.2);
- ``bounded``: no strategy costs less than the lower bound, and one that begins with this guess
  costs the upper bound;
- ``heuristic``: the guess of a one-step rule, of which nothing is claimed.

Turns are counted from the first turn of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, NoReturn

from bullscows.errors import EngineError, counted
from bullscows.game.objective import (
    INFINITE,
    Bounds,
    html_table,
    level_name,
    total_turns,
)
from bullscows.game.question import Question
from bullscows.game.rules import CodeIndex

Status = Literal["optimal", "bounded", "heuristic"]
"""The claim of a result."""

RuleName = Literal["larmouth", "crush"]
"""The one-step rules that are asked: Larmouth's for few turns, crush for few late secrets."""

Reason = Literal["time", "no-search", "large-game", "memory"]
"""Why a guess is not proved: time limit; search not installed; game too large; memory limit."""


IMPOSSIBLE = Bounds(INFINITE)
"""The cost if no strategy keeps within the turns."""


class TooFewTurnsError(EngineError, ValueError):
    """No strategy finds every candidate by the last turn, which is proved."""

    def __init__(self, question: Question) -> None:
        strategy = "strategy of candidates only" if question.candidates_only else "strategy"
        super().__init__(
            f"no {strategy} finds each of the {len(question.candidates)} candidates "
            f"by turn {question.turns_allowed}: that is proved"
        )
        self.question = question
        """The question that has no strategy."""


def costs_text(costs: Mapping[str, int], secrets: int) -> str:
    """Return the cost of each criterion in words, a total with its mean over `secrets` codes.

    >>> costs_text({"worst": 5, "total": 436}, 120)
    'worst 5, total 436 (mean 3.633)'
    """
    return ", ".join(f"{name} {_cost_text(name, cost, secrets)}" for name, cost in costs.items())


def _cost_text(name: str, cost: int, secrets: int) -> str:
    """Return the cost by one criterion in words, as `costs_text` does."""
    return f"{cost} (mean {cost / secrets:.3f})" if name == "total" else str(cost)


@dataclass(frozen=True)
class Result:
    """The best guess known for a question, and what is proved of it.

    The lower bound holds for every strategy; one that begins with the guess costs the upper bound.

    Examples
    --------
    >>> from bullscows.search.solver import solve
    >>> print(solve(Question.of("p2c3n")))
    p2c3n, average: total 13 (mean 2.167): proven optimal; guess 01
    """

    question: Question
    """The position, and what is minimised; with ``worst`` the last turn that was found."""
    _: KW_ONLY
    guess: CodeIndex | None = None
    """None: the search did not finish, there is no strategy, or the game is over."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """The cost of each criterion by its name, strongest first; empty unless proved."""
    bounds: Bounds | None = None
    """Bounds on the cost by the strongest criterion; None: nothing is known."""
    last_turn: int | None = None
    """The last turn at which a candidate is guessed, if the guess is followed by the optimal
    guesses that the search returns.  Another optimal strategy may end sooner.  None: unknown."""
    rule: RuleName | None = None
    """The one-step rule that chose the guess; None if a search did, or the position is special."""
    source: str | None = None
    """The shipped tree that the guess comes from; None: none."""
    reason: Reason | None = None
    """Why the guess is not proved, if a server or a limit has to say."""

    @property
    def optimal(self) -> bool:
        """Whether `value` is proved."""
        return bool(self.levels)

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
        """The claim about the cost."""
        if self.levels or self.feasible is False:
            return "optimal"
        return "bounded" if self.feasible else "heuristic"

    @property
    def value(self) -> int | None:
        """The least cost by the strongest criterion, if it is proved and finite.

        For ``average`` it is the `total`, for ``worst`` the last turn.
        """
        return next(iter(self.levels.values()), None)

    @property
    def distribution(self) -> tuple[int, ...] | None:
        """The candidates that the strategy finds at turn 1, 2, ...; None: not known."""
        return None

    @property
    def total(self) -> int | None:
        """The turns over all candidates of the optimal strategy; None if it is not proved."""
        known = self.levels.get("total")
        if known is not None or self.distribution is None:
            return known
        return total_turns(self.distribution)

    @property
    def mean(self) -> float | None:
        """`total` divided by `secrets`."""
        return None if self.total is None else self.total / self.secrets

    @property
    def secrets(self) -> int:
        """The number of candidates."""
        return len(self.question.candidates)

    @property
    def candidates(self) -> Sequence[str]:
        """The candidates as text."""
        return tuple(map(self.question.text, self.question.candidates.tolist()))

    @property
    def guess_text(self) -> str | None:
        """The guess as text; in a game without rules its number."""
        return None if self.guess is None else self.question.text(self.guess)

    @property
    def claim(self) -> str:
        """The claim in words."""
        question = self.question
        name = f"{question.game}, {question.objective}"
        if question.candidates_only:
            name += ", candidates only"
        cap = question.turns_allowed
        if cap is not None:
            name += f", at most {counted(cap, 'turn')}"
        if question.found is not None:
            turn, guess = question.found
            return f"{name}: the game is over: {question.text(guess)} was found at turn {turn}"
        if self.feasible is False:
            return f"{name}: no strategy guesses every secret in time: proven"
        if self.levels:
            return f"{name}: {costs_text(self.levels, self.secrets)}: proven optimal"
        words = [f"not finished: {self._bounds_text(self.bounds)}"] if self.bounds else []
        words += [f"guess by the rule {self.rule}"] if self.rule else []
        return f"{name}: {', '.join(words)}"

    def _bounds_text(self, bounds: Bounds) -> str:
        level = level_name(self.question.objective, self.question.max_turns)
        known = "no strategy found yet"
        if bounds.upper is not None:
            known = f"at most {_cost_text(level, bounds.upper, self.secrets)}"
        if self.source is not None:
            known += f" by the shipped tree {self.source}"
        return f"{level} at least {_cost_text(level, bounds.lower, self.secrets)}, {known}"

    @property
    def _is_open(self) -> bool:
        """Whether there is a guess to make: one is known, and the game is not over."""
        return self.guess is not None and self.question.found is None

    def __str__(self) -> str:
        return f"{self.claim}; guess {self.guess_text}" if self._is_open else self.claim

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self}>"

    def _repr_html_(self) -> str:
        return html_table(self.claim, self._rows())

    def _rows(self) -> list[tuple[str, object]]:
        """Return names and values of the table that a notebook shows."""
        rows: list[tuple[str, object]] = [*self.levels.items()]
        rows += [("mean", f"{self.mean:.3f}")] if "total" in self.levels else []
        rows += [("guess", self.guess_text)] if self._is_open else []
        return [*rows, ("candidates", self.secrets), ("turn", self.question.turn)]


@dataclass(frozen=True, repr=False)
class Infeasible(Result):
    """The proof that no strategy finds every candidate by the last turn."""

    bounds: Bounds = IMPOSSIBLE
    """Every strategy costs more than any number of turns."""

    def required(self) -> NoReturn:
        """Raise the `TooFewTurnsError` that says so."""
        raise TooFewTurnsError(self.question)


@dataclass(frozen=True, repr=False)
class Analysis(Result):
    """A result that has a guess, proved or not; `bullscows.library.analyse` returns one."""

    guess: CodeIndex
    """The best guess known; if the game is over, the code."""

    @classmethod
    def proved(
        cls,
        question: Question,
        guess: CodeIndex,
        levels: Mapping[str, int],
        last_turn: int | None = None,
        source: str | None = None,
    ) -> Analysis:
        """Return the result of an optimal guess from the cost of each criterion."""
        value = next(iter(levels.values()))
        return Analysis(
            question,
            guess=guess,
            levels=levels,
            bounds=Bounds(value, value),
            last_turn=levels.get("worst", last_turn),
            source=source,
        )

    def required(self) -> Analysis:
        """Return this result: there is a guess."""
        return self

    @property
    def guess_text(self) -> str:
        """The guess as text."""
        return self.question.text(self.guess)

    def tightened(self, earlier: Analysis) -> Analysis:
        """Return this result with the bounds of an earlier one of the same position."""
        if self.levels or earlier.bounds is None:
            return self
        bounds = earlier.bounds if self.bounds is None else self.bounds.tightened(earlier.bounds)
        better = earlier if self.rule is not None else self
        return Analysis(self.question, guess=better.guess, bounds=bounds, rule=better.rule)


Finding = Analysis | Infeasible
"""The result for a position: a guess, or the proof that no guess wins in time."""
