"""Any position of any game: what is left, what a guess does to it, and which guess is best.

A position is given by its history alone: guesses and answers that need not follow any tree, nor
make sense together.  What can be counted needs numpy only.  How good a guess is takes the exact
search, so numba; without it, or without time, a one-step rule guesses, and the verdict says so:

- ``optimal``: proved, by an exhaustive search or because the node is special (paper, 6.2);
- ``bounded``: no strategy costs less than `lower`, and one that begins with this guess costs
  `upper`;
- ``heuristic``: the guess of a one-step rule, of which nothing is claimed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from engine.analysis.memory import MEGABYTE, TooLittleMemoryError
from engine.errors import EngineError
from engine.game.candidates import (
    GameTooLargeError,
    candidates,
    split,
)
from engine.game.history import Turns
from engine.game.objective import (
    Objective,
    ObjectiveError,
    TurnsError,
    combine,
)
from engine.game.rules import (
    KNOWN_GAMES,
    AnswerIndex,
    CodeIndex,
    Rules,
)
from engine.game.symmetry import IndexArray
from engine.strategies.ranking import (
    Ranking,
    RuleName,
    rank,
)
from engine.tree.strategy_tree import special_guess

if TYPE_CHECKING:
    from engine.analysis.prover import Prover

__all__ = [
    "Analyst",
    "GameTooLargeError",
    "InconsistentError",
    "Inquiry",
    "Objective",
    "ObjectiveError",
    "TooFewTurnsError",
    "TooLittleMemoryError",
    "Verdict",
    "by_rule",
    "certain",
    "costs",
    "judged",
]

MAX_PROVED_CODES = 10_000
"""The largest game that is searched: room for four digits that may repeat."""

MAX_PROVED_POSITIONS = 6
"""Longer codes have more answers than the search handles."""

MAX_CAP = 48
"""The largest last turn that may be asked for."""

MEMORY = 600 * MEGABYTE
"""What a process may use, unless told otherwise."""

Status = Literal["optimal", "bounded", "heuristic"]


class InconsistentError(EngineError, ValueError):
    """A history that no code fits."""

    def __init__(self, rules: Rules, history: Turns) -> None:
        super().__init__(f"no code of {rules} fits all {len(history)} answers")
        self.rules = rules
        self.history = history


class TooFewTurnsError(EngineError, ValueError):
    """A last turn within which no strategy finds every candidate: that is proved."""

    def __init__(self, inquiry: Inquiry) -> None:
        super().__init__(
            f"no strategy finds each of the {len(inquiry.left)} candidates "
            f"by turn {inquiry.max_turns}: that is proved"
        )
        self.inquiry = inquiry


@dataclass(frozen=True)
class Inquiry:
    """A position, and what to minimise there; make one with `of`."""

    rules: Rules
    """The game."""
    history: Turns
    """The guesses so far with their answers, by number."""
    objective: Objective
    """What to minimise."""
    max_turns: int | None = None
    """The last allowed turn, counted from the start of the game."""

    @classmethod
    def of(
        cls,
        rules: Rules,
        history: Sequence[tuple[CodeIndex, AnswerIndex]] = (),
        objective: Objective | str = "average",
        max_turns: int | None = None,
    ) -> Inquiry:
        """Check a question before it is asked.

        Raises
        ------
        GameTooLargeError
            If the game has more than `MAX_CODES` codes.
        ObjectiveError
            If the objective makes no sense, or needs a last turn that is not given.
        InconsistentError
            If no code fits all answers.
        """
        inquiry = cls(rules, tuple(history), Objective.of(objective), max_turns)
        turns = inquiry.objective.turns_allowed(max_turns)
        if turns is not None and turns > MAX_CAP:
            raise TurnsError(f"the last turn may be at most {MAX_CAP} here, not {turns}")
        if "worst" not in inquiry.objective.criteria:
            answers = len(rules.answers)
            combine(
                inquiry.objective, turns or MAX_CAP, rules.size, answers, capped=turns is not None
            )
        if not len(inquiry.left):
            raise InconsistentError(rules, inquiry.history)
        return inquiry

    @cached_property
    def left(self) -> IndexArray:
        """The candidates, (n,) int32 ascending."""
        return candidates(self.rules, self.history)

    @property
    def turn(self) -> int:
        """The turn of the next guess."""
        return len(self.history) + 1

    @property
    def is_searched(self) -> bool:
        """Whether the game is small enough for the exact search."""
        return self.rules.size <= MAX_PROVED_CODES and self.rules.positions <= MAX_PROVED_POSITIONS

    @property
    def rule(self) -> RuleName:
        """The one-step rule that suits the objective."""
        first = self.objective.criteria[0]
        return "larmouth" if first == "average" or first.startswith("weights:") else "crush"

    @cached_property
    def ranking(self) -> Ranking:
        """The guesses that the rule likes best."""
        return rank(self.rules, self.history, self.left, self.rule)


@dataclass(frozen=True)
class Verdict:
    """The best guess known, and what is known of it.  Costs are counted from the first turn."""

    status: Status
    """What is claimed; see the module's docstring."""
    guess: CodeIndex
    """What to ask."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """The least cost of each criterion, strongest first; empty unless ``optimal``."""
    lower: int | None = None
    """No strategy costs less, by the strongest criterion; unless ``optimal``."""
    upper: int | None = None
    """A strategy that begins with the guess costs this; of ``bounded`` only."""
    rule: RuleName | None = None
    """The rule that named the guess; None if a search found it, or it is special."""

    @property
    def value(self) -> int | None:
        """The least cost by the strongest criterion, if proved."""
        return next(iter(self.levels.values()), None)


class Analyst:
    """Finds the best guess of any position; with numba by search.  One thread asks at a time.

    Parameters
    ----------
    memory
        The bytes that the whole process may use.
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = memory
        self._prover: Prover | None = None

    def load(self, games: Sequence[str] = KNOWN_GAMES) -> None:
        """Load the search, solve some games, and compile what is not compiled yet.

        A game that does not fit into the memory is left out.  Each game is followed to its end,
        because some kernels are first needed late in a game.

        Parameters
        ----------
        games
            The rules of the games, as text.

        Raises
        ------
        ImportError
            If numba is not there.
        """
        from engine.analysis.prover import Prover

        prover = Prover(self._memory)
        for text in games:
            with suppress(TooLittleMemoryError):
                for objective in ("average", "worst,average"):
                    inquiry = Inquiry.of(Rules.parse(text), (), objective)
                    while certain(inquiry) is None:
                        inquiry = _longest(inquiry, _find(prover, inquiry, None).guess)
        self._prover = prover

    def verdict(self, inquiry: Inquiry, seconds: float) -> Verdict:
        """Return the best that can be said in so many seconds of search.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        TooLittleMemoryError
            If the game can't be searched within the memory; a rule can still guess (`by_rule`).
        """
        known = certain(inquiry)
        if known is not None:
            return known
        if self._prover is None or not inquiry.is_searched:
            return by_rule(inquiry)
        return _find(self._prover, inquiry, seconds)


def judged(inquiry: Inquiry, seconds: float | None) -> Verdict:
    """Return the best that one search, which starts from nothing, can say; None: without a limit.

    Without numba it is the guess of a rule.  An `Analyst` keeps what it has searched, within a
    budget of memory; what is searched here is gone at the end.

    Raises
    ------
    TooFewTurnsError, ObjectiveError
        As `Analyst.verdict`.
    """
    known = certain(inquiry)
    if known is not None:
        return known
    if not inquiry.is_searched:
        return by_rule(inquiry)
    try:
        from engine.analysis.prover import Prover
    except ImportError:
        return by_rule(inquiry)
    return _find(Prover(sys.maxsize), inquiry, seconds)


def _longest(inquiry: Inquiry, guess: CodeIndex) -> Inquiry:
    """Return the position after a guess and the answer that leaves most."""
    parts = split(inquiry.rules, inquiry.left, guess).parts
    answer, _ = max(parts, key=lambda part: part[1])
    return replace(inquiry, history=(*inquiry.history, (guess, answer)))


def _find(prover: Prover, inquiry: Inquiry, seconds: float | None) -> Verdict:
    suggested = by_rule(inquiry)
    found = prover.find(
        inquiry.rules,
        inquiry.history,
        inquiry.objective,
        inquiry.max_turns,
        suggested=suggested.guess,
        seconds=seconds,
    )
    if not found.feasible:
        raise TooFewTurnsError(inquiry)
    guess = suggested.guess if found.guess is None else found.guess
    if found.levels:
        return Verdict("optimal", guess, found.levels)
    rule = suggested.rule if found.guess is None else None
    status: Status = "heuristic" if found.upper is None else "bounded"
    return Verdict(status, guess, {}, found.lower, found.upper, rule)


def by_rule(inquiry: Inquiry) -> Verdict:
    """Return the guess of the one-step rule that suits the objective."""
    return Verdict("heuristic", inquiry.ranking.guesses[0], rule=inquiry.rule)


def certain(inquiry: Inquiry) -> Verdict | None:
    """Return the verdict at a special position, where no search is needed, or None.

    One guess never finds two secrets.  So a candidate that tells all candidates apart, which finds
    itself now and each other one next turn, is optimal for every objective here: no weight is
    less than that of an earlier turn.

    Raises
    ------
    TooFewTurnsError
        If the last allowed turn comes before that.
    """
    count, turn = len(inquiry.left), inquiry.turn
    if count > len(inquiry.rules.answers):
        return None
    guess = special_guess(inquiry.rules, tuple(inquiry.left.tolist()))
    if guess is None:
        return None
    depth = turn if count == 1 else turn + 1
    cap = inquiry.objective.turns_allowed(inquiry.max_turns)
    if cap is not None and depth > cap:
        raise TooFewTurnsError(inquiry)
    found = [0] * (turn - 1) + [1, count - 1]
    return Verdict("optimal", guess, costs(inquiry, found[:depth]))


def costs(inquiry: Inquiry, found: Sequence[int]) -> dict[str, int]:
    """Return what each criterion costs if so many candidates are found at turn 1, 2, ..., the last.

    Raises
    ------
    ObjectiveError
        If the objective does not fit into 64-bit integers.
    """
    rules, criteria = inquiry.rules, inquiry.objective.criteria
    sums = Objective(tuple(name for name in criteria if name != "worst"))
    cap = inquiry.objective.turns_allowed(inquiry.max_turns)
    turns = len(found) if cap is None or "worst" in criteria else cap
    weights = combine(sums, turns, rules.size, len(rules.answers), capped=True)
    levels = [
        (level.name, sum(level.weights[turn] * count for turn, count in enumerate(found)))
        for level in weights.levels
    ]
    if "worst" in criteria:
        levels.insert(criteria.index("worst"), ("worst", len(found)))
    return dict(levels)
