"""Analysis without a search: special positions, idle turns, guesses of rules.

A guess never finds two secrets.  So a candidate that splits all candidates into parts of one is
optimal for every objective: it finds itself now and each other candidate next turn, and no weight
is less than that of an earlier turn.

A guess whose answer was known before leaves the position as it was, a turn later.  Means and last
turns grow by the turns lost; other costs depend on the turn itself (docs/proof.md, "Idle turns").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from bullscows.analysis.evaluation import Evaluation
from bullscows.game.canonical import canonical_guess
from bullscows.game.history import History, Split, informative_turns, responses_to
from bullscows.game.objective import Bounds, Objective, combine
from bullscows.game.question import Question
from bullscows.game.response_table import MAX_TABLE_CODES
from bullscows.game.result import IMPOSSIBLE, Analysis, Finding, Infeasible, RuleName
from bullscows.game.rules import CodeIndex
from bullscows.strategies.ranking import Ranking as Ranking
from bullscows.strategies.ranking import rank
from bullscows.tree.strategy_tree import special_guess

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
    cap = question.turns_allowed
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
    cap = question.turns_allowed
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
    cap = question.turns_allowed
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
    answers = responses_to(rules, split.guess, left)
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
