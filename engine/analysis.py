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

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from engine.heuristics import Splits, crush, larmouth, part_sizes
from engine.objective import Objective, ObjectiveError, TurnsError, combine
from engine.rules import AnswerIndex, CodeIndex, Rules
from engine.symmetry import IndexArray, representatives
from engine.table import ResponseArray, responses_between
from engine.tree import Path

if TYPE_CHECKING:
    from engine.prover import Prover

__all__ = [
    "Analyst",
    "GameTooLargeError",
    "InconsistentError",
    "Inquiry",
    "Objective",
    "ObjectiveError",
    "Ranking",
    "Split",
    "TooFewTurnsError",
    "Verdict",
    "by_rule",
    "candidates",
    "certain",
    "costs",
    "rank",
    "split",
    "witnesses",
]

MAX_CODES = 35_000
"""The largest game that is analysed: room for five of ten digits, five pegs in eight colours."""

MAX_PROVED_CODES = 10_000
"""The largest game that is searched: room for four digits that may repeat."""

MAX_PROVED_POSITIONS = 6
"""Longer codes have more answers than the search handles."""

MAX_HISTORY = 20
"""The most turns that a position may have behind it."""

MAX_CAP = 48
"""The largest last turn that may be asked for."""

RANKED = 10
"""How many guesses a ranking lists."""

_CELLS = 12_000_000
"""The most answers of candidates to guesses that a ranking looks at: a third of a second."""

_SYMMETRIC_TURNS = 2
_SYMMETRIC_POSITIONS = 7
"""Later, and with longer codes, sorting out equal guesses takes longer than counting them."""

Status = Literal["optimal", "bounded", "heuristic"]

RuleName = Literal["larmouth", "crush"]
"""The one-step rules that are asked: Larmouth's for few turns, crush for few late secrets."""


class GameTooLargeError(ValueError):
    """A game with more codes than are analysed while somebody waits."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(
            f"{rules} has {rules.size} codes; games of up to {MAX_CODES} codes are analysed"
        )
        self.rules = rules


class InconsistentError(ValueError):
    """A history that no code fits."""

    def __init__(self, rules: Rules, history: Path) -> None:
        super().__init__(f"no code of {rules} fits all {len(history)} answers")
        self.rules = rules
        self.history = history


class TooFewTurnsError(ValueError):
    """A last turn within which no strategy finds every candidate: that is proved."""

    def __init__(self, inquiry: Inquiry) -> None:
        super().__init__(
            f"no strategy finds each of the {len(inquiry.left)} candidates "
            f"by turn {inquiry.max_turns}: that is proved"
        )
        self.inquiry = inquiry


@dataclass(frozen=True)
class Split:
    """What a guess does to the candidates."""

    guess: CodeIndex
    """The guess."""
    is_candidate: bool
    """Whether it may be the secret."""
    parts: tuple[tuple[AnswerIndex, int], ...]
    """How many candidates give each answer, by ascending answer; answers that none gives left
    out."""

    @property
    def number(self) -> int:
        """How many different answers there can be."""
        return len(self.parts)

    @property
    def largest(self) -> int:
        """How many candidates are left at worst."""
        return max(size for _, size in self.parts)

    @property
    def expected(self) -> float:
        """How many candidates are left on average: a part of n is met n times."""
        total = sum(size for _, size in self.parts)
        return sum(size * size for _, size in self.parts) / total


@dataclass(frozen=True)
class Inquiry:
    """A position, and what to minimise there; make one with `of`."""

    rules: Rules
    """The game."""
    history: Path
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
        objective: str = "average",
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
        inquiry = cls(rules, tuple(history), Objective.parse(objective), max_turns)
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
class Ranking:
    """The guesses that a one-step rule likes best."""

    rule: RuleName
    """The rule."""
    guesses: tuple[CodeIndex, ...]
    """At most `RANKED`, the one that the rule names first; of guesses that symmetry makes equal
    the least."""
    looked_at: int
    """How many guesses were looked at."""
    complete: bool
    """Whether they stand for all guesses of the game."""


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
    """Finds the best guess of any position; with numba by search.  One thread asks at a time."""

    def __init__(self) -> None:
        self._prover: Prover | None = None

    def load(self) -> None:
        """Load the search, compile what is not compiled yet, and solve the two known games.

        Raises
        ------
        ImportError
            If numba is not there.
        """
        from engine.prover import Prover

        prover = Prover()
        for text in ("p4c6r", "p4c10n"):
            for objective in ("average", "worst,average"):
                _find(prover, Inquiry.of(Rules.parse(text), (), objective), None)
        self._prover = prover

    def verdict(self, inquiry: Inquiry, seconds: float) -> Verdict:
        """Return the best that can be said in so many seconds of search.

        Raises
        ------
        TooFewTurnsError
            If it is proved that no strategy keeps within the turns.
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        """
        known = certain(inquiry)
        if known is not None:
            return known
        if self._prover is None or not inquiry.is_searched:
            return by_rule(inquiry)
        return _find(self._prover, inquiry, seconds)


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
    guess = _special(inquiry)
    if guess is None:
        return None
    depth = turn if count == 1 else turn + 1
    cap = inquiry.objective.turns_allowed(inquiry.max_turns)
    if cap is not None and depth > cap:
        raise TooFewTurnsError(inquiry)
    found = [0] * (turn - 1) + [1, count - 1]
    return Verdict("optimal", guess, costs(inquiry, found[:depth]))


def _special(inquiry: Inquiry) -> CodeIndex | None:
    left = inquiry.left
    if len(left) <= 2:
        return int(left[0])
    if len(left) > len(inquiry.rules.answers):
        return None
    sizes = part_sizes(responses_between(inquiry.rules, left, left), len(inquiry.rules.answers))
    apart = sizes[:, 0] == 1
    return int(left[apart.argmax()]) if apart.any() else None


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


# -- counting --------------------------------------------------------------------------------------


def candidates(rules: Rules, history: Path) -> IndexArray:
    """Return the codes that fit all answers, (n,) int32 ascending; none if they contradict.

    Raises
    ------
    GameTooLargeError
        If the game has more than `MAX_CODES` codes.
    """
    answers = _answers_to(rules, history)
    given = np.array([answer for _, answer in history], dtype=np.uint8)
    return np.flatnonzero((answers == given).all(axis=1)).astype(np.int32)


def split(rules: Rules, left: IndexArray, guess: CodeIndex) -> Split:
    """Count what each answer to `guess` leaves of `left`, the candidates, (n,) int32, n > 0."""
    answers = responses_between(rules, left, np.array([guess], dtype=np.int32))[:, 0]
    given, sizes = np.unique(answers, return_counts=True)
    parts = tuple(zip(given.tolist(), sizes.tolist(), strict=True))
    return Split(guess, bool((left == guess).any()), parts)


def witnesses(rules: Rules, history: Path) -> Counter[tuple[int, AnswerIndex]]:
    """Count the codes that disagree with exactly one turn, by turn and by what they answer there.

    Each is a witness that this answer alone, of a history that no code fits, may be wrong, and
    says what it should have been.  Turns are counted from 1.

    Raises
    ------
    GameTooLargeError
        If the game has more than `MAX_CODES` codes.
    """
    answers = _answers_to(rules, history)
    differs = answers != np.array([answer for _, answer in history], dtype=np.uint8)
    single = differs.sum(axis=1) == 1
    codes, turns = np.nonzero(differs & single[:, None])
    told = answers[codes, turns]
    return Counter(zip((turns + 1).tolist(), told.tolist(), strict=True))


def rank(rules: Rules, history: Path, left: IndexArray, rule: RuleName) -> Ranking:
    """Return the guesses that a rule likes best for the candidates `left` after `history`.

    The first is the rule's own, exactly; the others follow by its measure, candidates before
    others, then by number.  Guesses that tell nothing are left out.
    """
    guesses, complete = _guesses(rules, history, len(left))
    answers = responses_between(rules, left, guesses)
    splits = Splits(guesses, part_sizes(answers, len(rules.answers)), np.isin(guesses, left))
    choose = larmouth if rule == "larmouth" else crush
    first = splits.prefer(choose(splits))
    telling = splits.is_candidate | (splits.sizes[:, 1] > 0)
    others = [guess for guess in guesses[_order(splits, rule)] if guess != first]
    useful = set(guesses[telling].tolist())
    listed = [first, *(int(guess) for guess in others if int(guess) in useful)]
    return Ranking(rule, tuple(listed[:RANKED]), len(guesses), complete)


def _order(splits: Splits, rule: RuleName) -> NDArray[np.intp]:
    """Return the places of the guesses, best first.

    Rounding takes sums of logarithms that are equal in truth for equal, whatever their last bit.
    """
    outside = ~splits.is_candidate
    if rule == "crush":
        return np.lexsort((splits.guesses, outside, *splits.sizes.T[::-1]))
    sizes = splits.sizes
    sums = (sizes * np.log(np.maximum(sizes, 1))).sum(axis=1) + np.log(4) * outside
    return np.lexsort((splits.guesses, outside, np.round(sums, 6)))


def _guesses(rules: Rules, history: Path, count: int) -> tuple[IndexArray, bool]:
    """Return the guesses to look at, and whether they stand for all."""
    made = tuple(sorted({guess for guess, _ in history}))
    if len(made) <= _SYMMETRIC_TURNS and rules.positions <= _SYMMETRIC_POSITIONS:
        guesses = _representatives(rules, made)
    else:
        guesses = np.arange(rules.size, dtype=np.int32)
    step = -(-len(guesses) * count // _CELLS)
    return guesses[::step], step == 1


@lru_cache(maxsize=256)
def _representatives(rules: Rules, guesses: tuple[CodeIndex, ...]) -> IndexArray:
    return representatives(rules, guesses)


def _answers_to(rules: Rules, history: Path) -> ResponseArray:
    """Return (size, turns) uint8: what every code of the game answers to each guess."""
    if rules.size > MAX_CODES:
        raise GameTooLargeError(rules)
    guesses = np.array([guess for guess, _ in history], dtype=np.int32)
    return responses_between(rules, np.arange(rules.size, dtype=np.int32), guesses)
