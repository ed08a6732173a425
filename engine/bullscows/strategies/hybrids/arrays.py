"""What a hybrid plays on: a game, the weights of its turns, and the manner of guessing on each.

Read by the kernels of this room; nothing here is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.game.objective import INFINITE
from bullscows.game.responses import ResponseTable
from bullscows.kernels.bounds import size_bounds

ALL, POSSIBLE, CRUSH, LARMOUTH = range(4)
"""What a turn tries: every guess, every candidate, or the one guess of a rule."""

SPARE_TURNS = 3
LOG_BITS = 44

_TABLE_BITS = 21

Numbers = NDArray[np.int64]
Codes = NDArray[np.uint32]


class Game(NamedTuple):
    """A game, an objective and a plan: read-only but for the table of positions."""

    responses: NDArray[np.uint8]
    """(size * stride,): the response table, flat."""
    stride: int
    size: int
    answers: int
    win: int
    weights: Numbers
    """(last + 1 + SPARE_TURNS,): ``weights[t]`` of turn t, `INFINITE` after `last`."""
    manners: Numbers
    """The same length: `ALL`, `POSSIBLE`, `CRUSH` or `LARMOUTH` for each turn."""
    last: int
    """The last turn."""
    bounds: Numbers
    """(turns, size + 1): the least cost of n candidates from a turn on."""
    logs: Numbers
    """(size + 1,): n log n, scaled, from `additive_logarithms`."""
    hashes: NDArray[np.uint64]
    """(2 * size,): two random words for each code."""
    every: Codes
    """All codes: the list of guesses where symmetry is left alone."""
    outside: Codes
    """All codes in the order in which a rule looks at guesses outside; the first of equals wins."""
    drops_equal_splits: bool
    """Whether of guesses that split the candidates alike, and are both candidates or both not, only
    the first is searched."""
    keys: NDArray[np.uint64]
    values: NDArray[np.uint64]


class Scratch(NamedTuple):
    """Arrays to write on; row t belongs to the node at turn t."""

    members: Codes
    """(turns, size): the candidates of the node, and its siblings."""
    guesses: Codes
    floors: Numbers
    """(turns, size): a bound for each of `guesses`."""
    splits: NDArray[np.uint64]
    """(size,): a word for the parts of each of `guesses`; (answers,) more for the parts of one."""
    order: Numbers
    """(turns, size): places in `guesses`, most promising first."""
    part: Numbers
    """(turns, 2 * answers): start and size of each part of the guess under way."""
    sizes: Numbers
    """(2, answers): sizes of parts by answer, and the best sorted ones."""
    parts: NDArray[np.uint8]
    """(stride,): the parts that each guess makes."""
    is_member: NDArray[np.uint8]


def make_game(
    table: ResponseTable,
    weights: Sequence[int],
    manners: Mapping[int, int],
    outside_last: bool = False,
    drops_equal_splits: bool = False,
) -> Game:
    """Lay out a game in which turn t costs ``weights[t - 1]``, up to the last weight.

    `manners` names the turns that do not try every guess; with `outside_last` a rule takes the last
    of equal guesses outside, not the first.  With `drops_equal_splits` guesses that split alike are
    searched once (paper, 2.5.8).
    """
    last = len(weights)
    padded = np.array([0, *weights, *[INFINITE] * SPARE_TURNS], dtype=np.int64)
    manner_of = np.array([manners.get(turn, ALL) for turn in range(len(padded))], dtype=np.int64)
    bounds = size_bounds(padded, table.answers - 1, table.size)[:, table.answers - 1, :].copy()
    hashes = np.random.default_rng(0x5EED).integers(0, 2**64, 2 * table.size, dtype=np.uint64)
    keys, values = (np.zeros(1 << _TABLE_BITS, dtype=np.uint64) for _ in range(2))
    every = np.arange(table.size, dtype=np.uint32)
    logs = additive_logarithms(table.size)
    flat = table.responses.reshape(-1)
    shape = (table.stride, table.size, table.answers, table.win)
    outside = every[::-1].copy() if outside_last else every
    lists = (every, outside)
    drops = drops_equal_splits
    return Game(
        flat, *shape, padded, manner_of, last, bounds, logs, hashes, *lists, drops, keys, values
    )


def make_scratch(game: Game) -> Scratch:
    """Allocate the scratch of one search."""
    rows = (len(game.weights), game.size)
    return Scratch(
        np.zeros(rows, dtype=np.uint32),
        np.zeros(rows, dtype=np.uint32),
        np.zeros(rows, dtype=np.int64),
        np.zeros(game.size + game.answers, dtype=np.uint64),
        np.zeros(rows, dtype=np.int64),
        np.zeros((len(game.weights), 2 * game.answers), dtype=np.int64),
        np.zeros((2, game.answers), dtype=np.int64),
        np.zeros(game.stride, dtype=np.uint8),
        np.zeros(game.size, dtype=np.uint8),
    )


def additive_logarithms(size: int) -> Numbers:
    """Return n log2 n for n up to `size`, (size + 1,), times 2**44 and rounded by prime factors.

    As log(ab) is log a + log b here too, sums that are equal in truth are equal as integers, so
    that no tie of Larmouth's rule is broken by rounding.
    """
    logarithms = np.zeros(size + 1, dtype=np.int64)
    for prime in (n for n in range(2, size + 1) if all(n % d for d in range(2, int(n**0.5) + 1))):
        power = prime
        while power <= size:
            logarithms[power::power] += round(log2(prime) * 2**LOG_BITS)
            power *= prime
    return logarithms * np.arange(size + 1)
