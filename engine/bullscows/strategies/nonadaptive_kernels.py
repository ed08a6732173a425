"""Compiled steps of the nonadaptive game: annealing, and completing sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.kernels.compiling.jit import (
    Bytes,
    Numbers,
    Words,
    int64,
    plain_njit,
    uint64,
)
from bullscows.kernels.instructions import lowest_bit, popcount

_ANSWERS = 0x2545F4914F6CDD1D
"""The base in which answers make a key; keys that happen to be equal only hide a solution."""
_KEPT = 2048
"""Number of pairs of codes that are kept at a time."""
_USED = 128
"""Number of these pairs that are compared with the completions of one set."""


@plain_njit
def anneal(
    rows: Bytes, orbits: Numbers, low: Numbers, high: Numbers, steps: int, chosen: Numbers
) -> bool:
    """Return whether a union of orbits, k of ``low[k]`` to ``high[k] - 1``, separates all codes.

    orbits: guesses, then -1.  `chosen` has the orbits to begin with, and gets those found.
    """
    np.random.seed(steps)
    size = rows.shape[1]
    counts = np.zeros(2 * size, dtype=np.int64)
    keys = np.zeros(2 * size, dtype=np.uint64)
    best = int64(size) * size
    for step in range(steps):
        slot = np.random.randint(len(low))
        before = chosen[slot]
        chosen[slot] = np.random.randint(low[slot], high[slot])
        # From 300 pairs of equal keys worse down to half a pair.
        limit = best - 300.0 * (0.5 / 300.0) ** (step / steps) * np.log(np.random.random())
        counts[:] = 0
        pairs = int64(0)
        for code in range(size):
            key = uint64(0)
            for orbit in chosen:
                for guess in orbits[orbit]:
                    if guess >= 0:
                        key = key * uint64(_ANSWERS) + uint64(rows[guess, code])
            at = int64((key * uint64(0x9E3779B97F4A7C15)) >> uint64(32)) % len(keys)
            while counts[at] > 0 and keys[at] != key:
                at = (at + 1) % len(keys)
            keys[at] = key
            pairs += counts[at]
            counts[at] += 1
            if pairs > limit:
                break
        if pairs == 0:
            return True
        if pairs <= limit:
            best = pairs
        else:
            chosen[slot] = before
    return False


class Pool(NamedTuple):
    """Pairs of codes, each with the guesses that separate it; the oldest pairs are overwritten."""

    columns: Bytes
    """(size, width): the answers of all codes to the guesses that may complete a set."""
    pairs: Numbers
    apart: Words
    """(_KEPT, words): the guesses that separate each pair, as bits."""
    used: Numbers
    """(_USED,): the pairs that are compared with the completions of a set."""
    counts: Numbers
    """(2,): how many pairs were kept so far, and how many are used."""


@plain_njit
def _set_bits(bits: Words, which: NDArray[np.bool_]) -> None:
    bits[:] = uint64(0)
    for place in range(len(which)):
        bits[place >> 6] |= uint64(which[place]) << uint64(place & 63)


@plain_njit
def _has(bits: Words, place: int) -> bool:
    return bool((bits[place >> 6] >> uint64(place & 63)) & uint64(1))


@plain_njit
def _keep(pool: Pool, one: int, other: int) -> int:
    """Keep a pair, and return its place."""
    at = pool.counts[0] % _KEPT
    pool.counts[0] += 1
    pool.pairs[at, 0] = one
    pool.pairs[at, 1] = other
    _set_bits(pool.apart[at], pool.columns[one] != pool.columns[other])
    return int64(at)


@plain_njit
def _use(pool: Pool, cells: Numbers, allowed: Words) -> bool:
    """Use pairs of equal cells, hardest first; return whether some guess separates each."""
    counts = np.zeros(_USED, dtype=np.int64)
    used = int64(0)
    for back in range(1, min(pool.counts[0], _KEPT) + 1):
        at = (pool.counts[0] - back) % _KEPT
        if used < _USED // 2 and cells[pool.pairs[at, 0]] == cells[pool.pairs[at, 1]]:
            pool.used[used] = at
            for word in range(len(allowed)):
                counts[used] += int64(popcount(pool.apart[at, word] & allowed[word]))
            if counts[used] == 0:
                return False
            used += 1
    pool.used[:used] = pool.used[np.argsort(counts[:used], kind="mergesort")]
    pool.counts[1] = used
    return True


@plain_njit
def _find_together(pool: Pool, cells: Numbers, order: Numbers, two: int, three: int) -> int:
    """Return the place of a pair of equal cells that neither guess separates, now kept; or -1."""
    for place in range(len(order)):
        one = order[place]
        answers = pool.columns[one, two], pool.columns[one, three]
        for other in order[place + 1 :]:
            if cells[other] != cells[one]:
                break
            if answers == (pool.columns[other, two], pool.columns[other, three]):
                return _keep(pool, one, other)
    return int64(-1)


@plain_njit
def _last(pool: Pool, cells: Numbers, order: Numbers, allowed: Words, two: int, both: Words) -> int:
    """Return a guess that with another separates all codes of equal cells, or -1."""
    both[:] = allowed
    step = int64(0)
    while True:
        some = uint64(1)
        while step < pool.counts[1] and some != 0:
            apart = pool.apart[pool.used[step]]
            step += 1
            if not _has(apart, two):
                some = uint64(0)
                for word in range(len(both)):
                    both[word] &= apart[word]
                    some |= both[word]
        word = int64(0)
        while word < len(both) and both[word] == 0:
            word += 1
        if word == len(both):
            return int64(-1)
        three = 64 * word + lowest_bit(both[word])
        at = _find_together(pool, cells, order, two, three)
        if at < 0:
            return int64(three)
        if pool.counts[1] < _USED:
            pool.used[pool.counts[1]] = at
            pool.counts[1] += 1
        else:
            both &= pool.apart[at]


@plain_njit
def complete(
    labels: Numbers, columns: Bytes, answers: int, parts: Numbers, first: Numbers, found: Numbers
) -> int:
    """Find three of the guesses of `columns` that separate all codes with equal labels.

    Of the three, the one that makes the most `parts` is of `first`, which has one guess of each
    class.  Their places go to `found`.  Return how many of `first` were tried.
    """
    words = (len(parts) + 63) // 64
    pairs = np.zeros((_KEPT, 2), dtype=np.int64)
    apart = np.zeros((_KEPT, words), dtype=np.uint64)
    pool = Pool(columns, pairs, apart, np.zeros(_USED, dtype=np.int64), np.zeros(2, dtype=np.int64))
    allowed = np.zeros(words, dtype=np.uint64)
    both = np.zeros(words, dtype=np.uint64)
    for tried in range(len(first)):
        one = first[tried]
        cells = labels * answers + columns[:, one]
        order = np.argsort(cells, kind="mergesort")
        _set_bits(allowed, parts <= parts[one])
        if _use(pool, cells, allowed):
            either = pool.apart[pool.used[0]] & allowed if pool.counts[1] else allowed
            for two in range(len(parts)):
                if _has(either, two):
                    three = _last(pool, cells, order, allowed, two, both)
                    if three >= 0:
                        found[0] = one
                        found[1] = two
                        found[2] = three
                        return tried + 1
    return len(first)
