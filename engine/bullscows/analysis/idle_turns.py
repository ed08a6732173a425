"""Turns that told nothing: the position without them, and what is known of it put off by them.

Who asks what was answered before, or what the answers say anyway, is where he was, so many turns
later.  Averages and last turns grow by what was lost; other costs depend on the turn itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bullscows.analysis.analysis import Analysis
from bullscows.analysis.price import Price
from bullscows.game.candidates import Split
from bullscows.game.cost import Bounds
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.responses import MAX_TABLE_CODES
from bullscows.tree.images import telling

PUT_OFF = frozenset({"average", "worst"})
"""The criteria that grow evenly with each turn that is lost."""


def without_idle_turns(question: Question) -> Question | None:
    """Return the same position without turns that told nothing, and with as many fewer to go.

    None if there are no such turns, or the costs of the two would differ by more than what
    `put_off` adds, or the game is so large that to find them takes long.
    """
    rules, cap = question.rules, question.max_turns
    if len(question.history) < 2 or rules.size > MAX_TABLE_CODES:
        return None
    if not PUT_OFF.issuperset(question.objective.criteria):
        return None
    history = History(rules, telling(question.history))
    lost = len(question.history) - len(history)
    if not lost or (cap is not None and cap <= lost):
        return None
    return replace(question, history=history, max_turns=None if cap is None else cap - lost)


def put_off(known: Analysis, question: Question) -> Analysis:
    """Return what is known of a position as it is after turns that told nothing.

    Parameters
    ----------
    known
        The analysis of `without_idle_turns(question)`.
    question
        The position after all its turns.
    """
    lost = question.turn - known.question.turn
    count = len(question.candidates)
    more = {"average": lost * count, "worst": lost}
    named = zip(known.levels.items(), question.objective.criteria, strict=False)  # none, or all
    levels = {name: cost + more[criterion] for (name, cost), criterion in named}
    return replace(
        known,
        question=question,
        levels=levels,
        bounds=_raised(known.bounds, more, question),
        last_turn=None if known.last_turn is None else known.last_turn + lost,
    )


def idle_price(best: Analysis, split: Split) -> Price | None:
    """Return the price of a guess that tells nothing, or None.

    The position stays as it is, a turn later.

    Parameters
    ----------
    best
        What is known of the position.
    split
        The guess.
    """
    question = best.question
    is_late = PUT_OFF.issuperset(question.objective.criteria) and question.max_turns is None
    if split.tells or not best.levels or not is_late or question.candidates_only:
        return None
    ((answer, _),) = split.parts
    after = put_off(best, question.then(split.guess, answer))
    return Price(question, split, after.levels, after.bounds, after.last_turn)


def _raised(bounds: Bounds | None, more: Mapping[str, int], question: Question) -> Bounds | None:
    """Return bounds of the strongest criterion as they are then."""
    if bounds is None:
        return None
    added = more[question.objective.criteria[0]]
    return Bounds(bounds.lower + added, None if bounds.upper is None else bounds.upper + added)
