"""Rules that weigh a part by its size and a slowly growing function of it, compared exactly.

Sums of logarithms are equal where the products behind them are, and a rule never decides by the
last bit of such a sum.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection
from functools import lru_cache, reduce
from operator import and_
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.strategies.rules.splits import Splits

_NEAR = 1e-6
"""Sums of n log n farther apart than this differ in truth: the floating error of a sum over a game
of up to 2,000,000 codes is below 1e-7."""

_EQUAL = 1e-8
"""Landy's sums nearer than this are taken for equal; their floating error is far below it."""

_NEWTON_STEPS = 60

_ValuesTo: TypeAlias = Callable[[int], NDArray[np.float64]]

_Kind: TypeAlias = tuple[tuple[int, ...], bool]
"""The sizes of the parts of a guess, and whether it has the bonus."""


def larmouth(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses with the least ``sum(n log n) - 2 log 2 * IN`` (paper 3.2, Francis).

    The sum is over the sizes n of the parts; IN is 1 for a candidate and 0 otherwise.  With it a
    candidate that leaves one pair equals an outside guess that leaves all apart.
    """
    return _least_sum_of_logarithms(splits, splits.is_candidate)


def entropy(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses whose answer tells the most bits (Neuwirth 1982).

    The entropy of the answer is log N minus the sum of n log n over N, so this is Larmouth's rule
    without its bonus.
    """
    return _least_sum_of_logarithms(splits, np.zeros_like(splits.is_candidate))


def _least_sum_of_logarithms(splits: Splits, bonus: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the places with the least sum of n log n, less 2 log 2 where there is a bonus.

    Different sizes can have equal sums (4 log 4 = 2 log 2 four times), and floating sums of them
    need not be equal.  So they only select what is near the least; the rest is done in integers,
    where the sum is the logarithm of the product of n**n, and the bonus a division by 4.
    """
    sums = _up_to(_n_log_n, splits)[splits.sizes].sum(axis=1) - np.log(4) * bonus
    near = np.flatnonzero(sums <= sums.min() + _NEAR)
    places = _by_kind(splits, bonus, near)
    products = _products(places)
    least = min(products.values())
    liked = [places[kind] for kind, product in products.items() if product == least]
    return np.sort(np.concatenate(liked))


def _by_kind(
    splits: Splits, bonus: NDArray[np.bool_], places: NDArray[np.intp]
) -> dict[_Kind, NDArray[np.intp]]:
    """Return `places` by the sizes of the parts there and the bonus."""
    found = {}
    while len(places):
        sizes, has_bonus = splits.sizes[places[0]], bonus[places[0]]
        equal = (splits.sizes[places] == sizes).all(axis=1) & (bonus[places] == has_bonus)
        found[tuple(sizes.tolist()), bool(has_bonus)] = places[equal]
        places = places[~equal]
    return found


def _up_to(values: _ValuesTo, splits: Splits) -> NDArray[np.float64]:
    """Return what a function has for each size from 0 on, up to a power of two that suffices."""
    return values((1 << int(splits.sizes[:, 0].max()).bit_length()) - 1)


@lru_cache(maxsize=4)
def _n_log_n(largest: int) -> NDArray[np.float64]:
    n = np.arange(largest + 1, dtype=np.float64)
    logarithms: NDArray[np.float64] = np.log(np.maximum(n, 1))
    return n * logarithms


def _products(kinds: Collection[_Kind]) -> dict[_Kind, int]:
    """Return of each kind the product of n**n over its sizes, times 4 for the bonus forgone.

    Sizes that all kinds share are left out of all, which divides each product by the same: of one
    kind alone nothing is left, and of large sets, whose products have millions of digits, little.
    """
    if len(kinds) == 1:
        return dict.fromkeys(kinds, 1)
    counts = {kind: Counter(kind[0]) for kind in kinds}
    shared = reduce(and_, counts.values())
    return {
        kind: _product(tuple(sorted((count - shared).elements())), not kind[1])
        for kind, count in counts.items()
    }


@lru_cache(maxsize=1 << 16)
def _product(sizes: tuple[int, ...], without_bonus: bool) -> int:
    """Return the product of n**n over `sizes`, times 4 for the bonus forgone."""
    return math.prod([4 if without_bonus else 1, *(int(size**size) for size in sizes)])


def landy(splits: Splits) -> NDArray[np.intp]:
    """Return the guesses with the least sum of ``n x(n)``, where ``x(n)**x(n) = n`` (Landy).

    Each of n codes of a part is taken to need x more turns, as if each turn multiplied what it
    tells apart once more: x is 1 for 1 code, 1.56 for 2, 2 for 4, 3 for 27, 4 for 256.  The code
    that the guess itself finds needs none.  B. Landy's strategies are named in a column of 1971
    (Francis, Heuristic Strategies); what is known of this one is its function, so that the
    sum is this reading of it.
    """
    turns = _up_to(_turns_expected, splits)
    sums = turns[splits.sizes].sum(axis=1) - splits.is_candidate
    return np.flatnonzero(sums <= sums.min() + _EQUAL)


@lru_cache(maxsize=4)
def _turns_expected(largest: int) -> NDArray[np.float64]:
    """Return ``n x(n)`` for n = 0 to `largest`, by Newton's method on ``x log x = log n``."""
    n = np.arange(largest + 1, dtype=np.float64)
    logarithms = np.log(np.maximum(n, 1))
    x = 1 + logarithms
    for _ in range(_NEWTON_STEPS):
        x -= (x * np.log(x) - logarithms) / (np.log(x) + 1)
    turns: NDArray[np.float64] = n * x
    return turns
