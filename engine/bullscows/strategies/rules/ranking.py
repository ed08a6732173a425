"""Guesses as a one-step rule likes them: a few of the best, for people to compare.

The rules are those of `bullscows.strategies.rules.one_step`; here they rank guesses anywhere, in
bounded time.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from bullscows.strategies.rules.splits import Rule, Splits

RuleName = Literal["larmouth", "crush"]
"""The one-step rules that are asked: Larmouth's for few turns, crush for few late secrets."""

RANKED = 10
"""How many guesses a ranking lists."""

_CELLS = 12_000_000
"""The most answers of candidates to guesses that a ranking looks at: a tenth of a second."""

_BLOCK_SIZES = 1 << 20
"""The most sizes of parts that are held at once: of 24,000 to 500,000 guesses, in 50 MB."""

_RULES: Mapping[RuleName, Rule] = {"larmouth": larmouth, "crush": crush}

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
    step = max(1, _BLOCK_SIZES // len(history.rules.answers))
    best = _best(_splits(history.rules, left, guesses[:step]), rule)
    for start in range(step, len(guesses), step):
        more = _best(_splits(history.rules, left, guesses[start : start + step]), rule)
        best = _best(Splits.joined(best, more), rule)
    first = best.prefer(_RULES[rule](best))
    order = np.lexsort(_keys(best, rule)[::-1])
    ranked = best.guesses[order[best.tells[order]]].tolist()
    listed = [first, *(guess for guess in ranked if guess != first)]
    return Ranking(rule, tuple(listed[:RANKED]), len(guesses), complete)


def _splits(rules: Rules, left: IndexArray, guesses: IndexArray) -> Splits:
    """Return what guesses do to the candidates.

    No guess makes more parts than there are candidates, so no more sizes are kept.
    """
    sizes = sizes_between(rules, left, guesses)[:, : len(left)]
    return Splits(guesses, sizes, np.isin(guesses, left))


def _best(splits: Splits, rule: RuleName) -> Splits:
    """Return what the rule's own guess does, and the `RANKED` best of those that tell something.

    Ties go to the first guess, as they do among all guesses.
    """
    is_chosen = splits.guesses == splits.prefer(_RULES[rule](splits))
    places, wanted = np.flatnonzero(splits.tells), RANKED
    for key in _keys(splits, rule):
        if len(places) <= wanted:
            break
        values = key[places]
        last = np.partition(values, wanted - 1)[wanted - 1]
        better = places[values < last]
        is_chosen[better] = True
        wanted -= len(better)
        places = places[values == last]
    is_chosen[places[:wanted]] = True
    return splits.only(is_chosen)


def _keys(splits: Splits, rule: RuleName) -> list[NDArray[np.generic]]:
    """Return what orders guesses, the strongest key first; ties go by number.

    Rounding makes sums of logarithms equal that are equal in truth, whatever their last bit.
    """
    outside = ~splits.is_candidate
    if rule == "crush":
        return [*splits.sizes.T, outside]
    sizes = splits.sizes
    sums = (sizes * np.log(np.maximum(sizes, 1))).sum(axis=1) + np.log(4) * outside
    return [np.round(sums, 6), outside]


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
