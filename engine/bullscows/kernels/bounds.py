"""Lower bounds on the cost of a set of candidates from its size alone.

With a guess that splits a set into at most b parts without its own win, at most one secret is
guessed now, b next turn, b*b the turn after, or fewer if caps by answer are known (`pair_caps`),
and so on.  Weights never decrease, so filling the turns in this order is the cheapest way to place
n secrets, and its cost is a lower bound (docs/proof.md, "Size").  The cap b is at most the number
of answers other than the win, and at most the largest number of parts seen on a superset (Francis,
Estimators; docs/proof.md, "Fan-out").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bullscows.game.objective import INFINITE, Bounds, Weights

TABLE_SIZES = 1024
"""Limit on the sizes of sets with tabulated bounds; larger sets are few, and are computed."""


def cheapest(count: int, weights: Sequence[int], fan_out: int, turn: int = 1) -> int:
    """Return the least cost of placing `count` secrets from `turn` on: 1, b, b*b, ... a turn.

    `weights` are those of turns 1, 2, ...; the last one holds for all later turns.
    """
    total, room = 0, 1
    while count > 0:
        placed = min(count, room)
        total += placed * weights[min(turn, len(weights)) - 1]
        count -= placed
        room *= max(fan_out, 1)
        turn += 1
    return total


def least_levels(weights: Weights, count: int, answers: int, turn: int) -> list[int]:
    """Return lower bounds on `count` candidates from `turn` on, by each level's criterion."""
    fan_out = max(answers - 1, 1)
    return [cheapest(count, level.weights, fan_out, turn) for level in weights.levels]


def split_levels(
    weights: Weights, cost: int, count: int, answers: int, turn: int
) -> dict[str, int]:
    """Split the combined cost of `count` candidates from `turn` on into levels, strongest first."""
    return weights.split(cost, least_levels(weights, count, answers, turn))


def first_level(weights: Weights, bounds: Bounds, count: int, answers: int, turn: int) -> Bounds:
    """Return the bounds of the strongest level from bounds of the combined cost.

    The level's part of a cost is a quotient, which grows with the cost.
    """
    least = least_levels(weights, count, answers, turn)

    def first(bound: int) -> int:
        return max(next(iter(weights.split(bound, least).values())), least[0])

    return Bounds(first(bounds.lower), None if bounds.upper is None else first(bounds.upper))


def pair_caps(caps: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the most parts that the next guesses, one in each part of a guess, make together.

    `caps` is (kinds, answers) int64: by kind of a guess and its answer, the most parts that a next
    guess makes without its own win; the last answer is the win.  Row b, column k of the result,
    (answers + 1, answers + 1) int64: the limit if each next guess makes at most b parts and the
    guess makes k, own wins not counted (docs/proof.md, "Pairs of answers").
    """
    answers = caps.shape[1]
    each = np.minimum(caps[:, None, :-1], np.arange(answers + 1)[:, None])
    pairs = np.zeros((answers + 1, answers + 1), dtype=np.int64)
    pairs[:, 1:answers] = np.cumsum(-np.sort(-each, axis=2), axis=2).max(axis=0)
    pairs[:, answers] = pairs[:, answers - 1]
    return pairs


def size_bounds(
    weights: NDArray[np.int64], pairs: NDArray[np.int64], sizes: int
) -> NDArray[np.int64]:
    """Tabulate the bound by size for each cap of `pairs` and sizes up to `sizes`.

    `weights` is (turns,) int64, ``weights[t]`` of turn t; entry 0 is not used, the last entry holds
    for every later turn too, and `INFINITE` forbids a turn; `pairs` is that of `pair_caps`, (caps,
    caps).  Returns (turns, caps, sizes + 1) int64, C-contiguous: the bound for n candidates whose
    first guess is made at turn t, under the cap b, or 1 for b = 0; at most `INFINITE`.
    """
    turns = len(weights)
    bounds = np.zeros((turns, len(pairs), sizes + 1), dtype=np.int64)
    finite = np.where(weights < INFINITE, weights, 0)
    for cap in range(len(pairs)):
        delay = _delays(sizes, max(cap, 1), int(pairs[cap, cap]))
        turn_of = np.minimum(np.arange(turns)[:, None] + delay, turns - 1)
        totals = np.cumsum(finite[turn_of], axis=1)
        bounds[:, cap, 1:] = np.where(weights[turn_of] < INFINITE, totals, INFINITE)
    return bounds


def _delays(count: int, cap: int, pair: int) -> NDArray[np.int64]:
    """Return how many turns later than the first each of `count` secrets is guessed."""
    if cap == 1:
        return np.arange(count, dtype=np.int64)
    levels = [1, cap]
    while sum(levels) < count:
        levels.append(min(levels[-1] * cap, levels[-2] * max(pair, 1)))
    return np.repeat(np.arange(len(levels)), levels)[:count]
