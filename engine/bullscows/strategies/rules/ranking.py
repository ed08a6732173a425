"""Guesses as a one-step rule likes them: a few of the best, for people to compare.

The rules are those of `bullscows.strategies.rules.one_step`; here they rank guesses anywhere, in
bounded time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, representatives
from bullscows.strategies.rules.logarithms import larmouth
from bullscows.strategies.rules.one_step import crush
from bullscows.strategies.rules.part_sizes import sizes_between
from bullscows.strategies.rules.splits import Splits

RuleName = Literal["larmouth", "crush"]
"""The one-step rules that are asked: Larmouth's for few turns, crush for few late secrets."""

RANKED = 10
"""How many guesses a ranking lists."""

_CELLS = 12_000_000
"""The most answers of candidates to guesses that a ranking looks at: a tenth of a second."""

_SYMMETRIC_TURNS = 2
_SYMMETRIC_POSITIONS = 7
"""Later, and with longer codes, sorting out equal guesses takes longer than counting them.  Where
there is too much to count it does not, but of codes as long as this it takes a second or more."""


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
    """Whether they stand for all guesses that may be made."""


def rank(
    history: History, left: IndexArray, rule: RuleName, *, candidates_only: bool = False
) -> Ranking:
    """Return the guesses that a rule likes best for the candidates `left` after `history`.

    The first is the rule's own, exactly; the others follow by its measure, candidates before
    others, then by number.  Guesses that tell nothing are left out, and with `candidates_only`
    all that are no candidates.
    """
    guesses, complete = _guesses(history, left, candidates_only)
    splits = Splits(guesses, sizes_between(history.rules, left, guesses), np.isin(guesses, left))
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


def _guesses(history: History, left: IndexArray, candidates_only: bool) -> tuple[IndexArray, bool]:
    """Return the guesses to look at, and whether they stand for all."""
    rules, count = history.rules, len(left)
    turns = sorted(set(history.turns))
    made = tuple(guess for guess, _ in turns)
    if candidates_only:
        guesses = left
    elif len(made) <= _SYMMETRIC_TURNS and rules.positions <= _SYMMETRIC_POSITIONS:
        guesses = _representatives(rules, made)
    elif rules.size * count > _CELLS and rules.positions < _SYMMETRIC_POSITIONS:
        guesses = representatives(rules, made, answers=[answer for _, answer in turns])
    else:
        guesses = np.arange(rules.size, dtype=np.int32)
    step = -(-len(guesses) * count // _CELLS)
    return guesses[::step], step == 1


@lru_cache(maxsize=64)
def _representatives(rules: Rules, guesses: tuple[CodeIndex, ...]) -> IndexArray:
    return representatives(rules, guesses)
