"""What needs no search: positions of a few candidates that one guess tells apart.

One guess never finds two secrets.  So a candidate that tells all candidates apart, which finds
itself now and each other one next turn, is optimal for every objective here: no weight is less than
that of an earlier turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bullscows.analysis.analysis import Analysis, TooFewTurnsError
from bullscows.analysis.price import IMPOSSIBLE, Price
from bullscows.game.candidates import Split
from bullscows.game.canonical import canonical_guess
from bullscows.game.cost import Bounds
from bullscows.game.objective import Objective, combine
from bullscows.game.question import Question
from bullscows.game.responses import responses_between
from bullscows.game.rules import CodeIndex
from bullscows.tree.strategy_tree import special_guess


def certain(question: Question) -> Analysis | None:
    """Return the analysis at a special position, where no search is needed, or None.

    Raises
    ------
    TooFewTurnsError
        If the last allowed turn comes before that.
    """
    count, turn = len(question.candidates), question.turn
    if count > len(question.rules.answers):
        return None
    guess = special_guess(question.rules, tuple(question.candidates.tolist()))
    if guess is None:
        return None
    depth = turn if count == 1 else turn + 1
    cap = question.objective.turns_allowed(question.max_turns)
    if cap is not None and depth > cap:
        raise TooFewTurnsError(question)
    found = [0] * (turn - 1) + [1, count - 1]
    return Analysis.proved(question, guess, costs(question, found[:depth]), depth)


def costs(question: Question, found: Sequence[int]) -> dict[str, int]:
    """Return what each criterion costs if so many candidates are found at turn 1, 2, ..., the last.

    Raises
    ------
    ObjectiveError
        If the objective does not fit into 64-bit integers.
    """
    rules, criteria = question.rules, question.objective.criteria
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


def certain_price(question: Question, split: Split) -> Price | None:
    """Return the price of a guess after which every position is special, or None."""
    found = _found_after(question, split)
    if found is None:
        return None
    cap = question.objective.turns_allowed(question.max_turns)
    if cap is not None and len(found) > cap:
        return Price(question, split, bounds=IMPOSSIBLE)
    levels = costs(question, found)
    value = next(iter(levels.values()))
    return Price(question, split, levels, Bounds(value, value), len(found))


def _found_after(question: Question, split: Split) -> list[int] | None:
    """Return how many candidates are found at turn 1, 2, ... if all is special after a guess."""
    rules, left = question.rules, question.candidates
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


def alike(question: Question, guess: CodeIndex, other: CodeIndex) -> bool:
    """Return whether one of two guesses is seen at once to be the other by another name.

    Renaming digits and places that the turns so far leave equal changes no cost (paper, 2.2).
    """
    history = question.history
    return guess == other or canonical_guess(history, guess) == canonical_guess(history, other)
