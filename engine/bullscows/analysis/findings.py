"""What is known of a position: evaluations of guesses, values without a search, guesses of rules.

A guess never finds two secrets.  So a candidate that splits all candidates into parts of one is
optimal for every objective: it finds itself now and each other candidate next turn, and no weight
is less than that of an earlier turn.

A guess whose answer was known before leaves the position as it was, a turn later.  Means and last
turns grow by the turns lost; other costs depend on the turn itself (docs/proof.md, "Idle turns").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from math import floor
from typing import Any, Literal

import numpy as np

from bullscows.errors import counted
from bullscows.game.canonical import canonical_guess
from bullscows.game.history import History, Split, informative_turns
from bullscows.game.objective import Bounds, Objective, combine, costs_text
from bullscows.game.question import Question
from bullscows.game.responses import MAX_TABLE_CODES, responses_between
from bullscows.game.result import IMPOSSIBLE, Analysis, Finding, Infeasible, RuleName
from bullscows.game.rules import CodeIndex
from bullscows.strategies.ranking import Ranking as Ranking
from bullscows.strategies.ranking import rank
from bullscows.tree.strategy_tree import special_guess

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


# -- values without a search -----------------------------------------------------------------------

POSTPONABLE = frozenset({"average", "worst"})
"""The criteria that grow evenly with each turn lost."""


def certain(question: Question) -> Finding | None:
    """Return what is known of a special position, where no search is needed, or None."""
    count = len(question.candidates)
    turn = question.turn
    if count > len(question.rules.answers):
        return None
    guess = special_guess(question.rules, tuple(question.candidates.tolist()))
    if guess is None:
        return None
    depth = turn if count == 1 else turn + 1
    cap = question.objective.turns_allowed(question.max_turns)
    if cap is not None and depth > cap:
        return Infeasible(question)
    found = [0] * (turn - 1) + [1, count - 1]
    return Analysis.proved(question, guess, costs(question, found[:depth]), depth)


def costs(question: Question, found: Sequence[int]) -> dict[str, int]:
    """Return the cost of each criterion of a distribution: candidates found at turn 1, 2, ...

    Raises `ObjectiveError` if the objective does not fit into 64-bit integers.
    """
    rules = question.rules
    criteria = question.objective.criteria
    sums = Objective(tuple(name for name in criteria if name != "worst"))
    cap = question.objective.turns_allowed(question.max_turns)
    turns = len(found) if cap is None or "worst" in criteria else cap
    weights = combine(sums, turns, rules.size, len(rules.answers), capped=True)
    levels = [
        (level.name, sum(level.weights[turn] * count for turn, count in enumerate(found)))
        for level in weights.levels
    ]
    if "worst" in criteria:
        levels.insert(criteria.index("worst"), ("worst", len(found)))
    return dict(levels)


def certain_evaluation(question: Question, split: Split) -> Evaluation | None:
    """Return the evaluation of a guess after which every position is special, or None."""
    found = _found_after(question, split)
    if found is None:
        return None
    cap = question.objective.turns_allowed(question.max_turns)
    if cap is not None and len(found) > cap:
        return Evaluation(question, split, bounds=IMPOSSIBLE)
    levels = costs(question, found)
    value = next(iter(levels.values()))
    bounds = Bounds(value, value)
    return Evaluation(question, split, levels=levels, bounds=bounds, last_turn=len(found))


def _found_after(question: Question, split: Split) -> list[int] | None:
    """Return the distribution after a guess if each position is special."""
    rules = question.rules
    left = question.candidates
    if split.largest > len(rules.answers):
        return None
    answers = responses_between(rules, left, np.array([split.guess], dtype=np.int32))[:, 0]
    turns: Counter[int] = Counter()
    for answer, size in split.parts:
        if answer == rules.win:
            turns[question.turn] += 1
        elif special_guess(rules, tuple(left[answers == answer].tolist())) is None:
            return None
        else:
            turns[question.turn + 1] += 1
            turns[question.turn + 2] += size - 1
    last = max(turn for turn, count in turns.items() if count)
    return [turns[turn] for turn in range(1, last + 1)]


def equivalent(question: Question, guess: CodeIndex, other: CodeIndex) -> bool:
    """Return whether a symmetry of the position maps one guess to another, so that both cost same.

    False if the canonical form is too expensive to find.
    """
    history = question.history
    return guess == other or canonical_guess(history, guess) == canonical_guess(history, other)


def without_idle_turns(question: Question) -> Question | None:
    """Return the position without turns that gave no information, with as many fewer to go.

    None if there are none, `postponed` does not hold for the objective, or the game is too large.
    """
    rules = question.rules
    cap = question.max_turns
    if len(question.history) < 2 or rules.size > MAX_TABLE_CODES:
        return None
    if not POSTPONABLE.issuperset(question.objective.criteria):
        return None
    history = History(rules, informative_turns(question.history))
    lost = len(question.history) - len(history)
    if not lost or (cap is not None and cap <= lost):
        return None
    return replace(question, history=history, max_turns=None if cap is None else cap - lost)


def postponed(known: Finding, question: Question) -> Finding:
    """Return what is known of `question` from that of ``without_idle_turns(question)``."""
    if isinstance(known, Infeasible):
        return Infeasible(question)
    lost = question.turn - known.question.turn
    more = {"average": lost * len(question.candidates), "worst": lost}
    criteria = question.objective.criteria
    named = zip(known.levels.items(), criteria, strict=False)  # none, or all
    levels = {name: cost + more[criterion] for (name, cost), criterion in named}
    bounds = known.bounds
    last_turn = known.last_turn
    if bounds is not None:
        added = more[criteria[0]]
        upper = None if bounds.upper is None else bounds.upper + added
        bounds = Bounds(bounds.lower + added, upper)
    last_turn = None if last_turn is None else last_turn + lost
    return replace(known, question=question, levels=levels, bounds=bounds, last_turn=last_turn)


def idle_evaluation(best: Analysis, split: Split) -> Evaluation | None:
    """Return the evaluation of a guess without information, which costs a turn, or None."""
    question = best.question
    is_late = POSTPONABLE.issuperset(question.objective.criteria) and question.max_turns is None
    if split.is_informative or not best.levels or not is_late or question.candidates_only:
        return None
    after = postponed(best, question.then(split.guess, split.parts[0][0]))
    last = after.last_turn
    return Evaluation(question, split, levels=after.levels, bounds=after.bounds, last_turn=last)


# -- rules -----------------------------------------------------------------------------------------


@lru_cache(maxsize=2)  # of a large game each takes 24 MB
def ranking(question: Question) -> Ranking:
    """Return the guesses ranked by the one-step rule that suits the objective."""
    first = question.objective.criteria[0]
    few_turns = first == "average" or first.startswith("weights:")
    rule: RuleName = "larmouth" if few_turns else "crush"
    only = question.candidates_only
    of_list = question.secrets is not None
    return rank(question.history, question.candidates, rule, candidates_only=only, of_list=of_list)


def by_rule(question: Question) -> Analysis:
    """Return the guess of the one-step rule that suits the objective."""
    ranked = ranking(question)
    return Analysis(question, guess=ranked.guesses[0], rule=ranked.rule)
