"""Comparisons of guesses for people: the best guesses by a one-step rule, and one among all.

A comparison looks one turn ahead and proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bullscows.game.history import History
from bullscows.game.response_table import all_codes
from bullscows.game.result import RuleName
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray, equivalence_classes, representatives
from bullscows.strategies.one_step import (
    RULES,
    TURNS_WITH_SYMMETRY,
    Splits,
    sizes_between,
)
from bullscows.tree.nodes import Candidates

RANKED = 10
"""The most guesses that a ranking lists."""

_representatives = lru_cache(maxsize=64)(representatives)

_CELLS = 12_000_000
"""The most answers of candidates to guesses that a ranking looks at: a tenth of a second."""

_BLOCK_SIZES = 1 << 20
"""The most sizes of parts that are held at once: of 24,000 to 500,000 guesses, in 50 MB."""

_SYMMETRIC_POSITIONS = 7
"""The longest codes of which equivalent guesses are compared once.  Finding them takes longer than
comparing all with longer codes, and a second or more with codes of this length."""


@dataclass(frozen=True)
class Ranking:
    """The guesses that a one-step rule likes best."""

    rule: RuleName
    guesses: tuple[CodeIndex, ...]
    """At most `RANKED`, the one that the rule names first; of equivalent ones the least."""
    compared: int
    """The number of guesses that were compared."""
    complete: bool
    """Whether they stand for all guesses that may be made."""


def rank(
    history: History,
    left: IndexArray,
    rule: RuleName,
    *,
    candidates_only: bool = False,
    of_list: bool = False,
) -> Ranking:
    """Return the guesses that a rule rates best for the candidates `left` after `history`.

    With `of_list` the candidates are codes of a list, which need have no symmetry.

    The first is the rule's own, exactly; the others follow by its measure, candidates before
    others, then by number. Guesses that split nothing are left out.
    """
    guesses, complete = _guesses(history, left, candidates_only, of_list)
    step = max(1, _BLOCK_SIZES // len(history.rules.answers))
    best = _best(Splits.of(history.rules, left, guesses[:step]), rule)
    for start in range(step, len(guesses), step):
        more = _best(Splits.of(history.rules, left, guesses[start : start + step]), rule)
        best = _best(Splits.joined(best, more), rule)
    first = best.prefer(RULES[rule].best(best))
    order = RULES[rule].order(best)
    ranked = best.guesses[order[best.is_informative[order]]].tolist()
    listed = [first, *(guess for guess in ranked if guess != first)]
    return Ranking(rule, tuple(listed[:RANKED]), len(guesses), complete)


def _best(splits: Splits, rule: RuleName) -> Splits:
    """Return the rule's own guess and the `RANKED` best that split something."""
    is_chosen = splits.guesses == splits.prefer(RULES[rule].best(splits))
    places = np.flatnonzero(splits.is_informative)
    wanted = RANKED
    for key in RULES[rule].keys(splits):
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


def _guesses(
    history: History, left: IndexArray, candidates_only: bool, of_list: bool
) -> tuple[IndexArray, bool]:
    """Return the guesses to look at, and whether they stand for all."""
    rules = history.rules
    count = len(left)
    turns = sorted(set(history.turns))
    made = tuple(guess for guess, _ in turns)
    if candidates_only:
        guesses = left
    elif of_list:
        guesses = all_codes(rules)
    elif len(made) <= TURNS_WITH_SYMMETRY and rules.positions <= _SYMMETRIC_POSITIONS:
        guesses = _representatives(rules, made)
    elif rules.size * count > _CELLS and rules.positions < _SYMMETRIC_POSITIONS:
        guesses = representatives(rules, made, answers=[answer for _, answer in turns])
    else:
        guesses = all_codes(rules)
    step = -(-len(guesses) * count // _CELLS)
    return guesses[::step], step == 1


# -- one guess among all ---------------------------------------------------------------------------


@dataclass(frozen=True)
class GuessComparison:
    """A guess among all guesses of its game, in one position."""

    guesses: int
    """The number of guesses, this one included."""
    parts: int
    """The number of parts into which it splits the candidates."""
    most_parts: int
    """The most parts that any guess makes."""
    largest: int
    """The number of candidates in its largest part."""
    least_largest: int
    """The smallest that the largest part of any guess is."""
    equal: int
    """The number of other guesses that make parts of just the same sizes."""


def compare_guess(
    rules: Rules, path: Turns, candidates: Candidates, guess: CodeIndex
) -> GuessComparison:
    """Compare a guess with all others in the position after `path`, which left the candidates."""
    secrets = np.array(candidates, dtype=np.int32)
    guesses, weights = weighted_guesses(rules, [made for made, _ in path])
    sizes = sizes_between(rules, secrets, guesses)
    (own,) = sizes_between(rules, secrets, np.array([guess], dtype=np.int32))
    return GuessComparison(
        guesses=rules.size,
        parts=int((own > 0).sum()),
        most_parts=int((sizes > 0).sum(axis=1).max()),
        largest=int(own[0]),
        least_largest=int(sizes[:, 0].min()),
        equal=int(weights[(sizes == own).all(axis=1)].sum()) - 1,
    )


def weighted_guesses(rules: Rules, made: Sequence[CodeIndex]) -> tuple[IndexArray, IndexArray]:
    """Return representatives of all guesses by their parts, and how many each represents.

    Guesses that are equivalent after the guesses `made` have the same parts.
    """
    if len(made) <= TURNS_WITH_SYMMETRY:
        classes = equivalence_classes(rules, made)
        return classes.representatives, classes.sizes
    return all_codes(rules), np.ones(rules.size, dtype=np.int32)
