"""Array kernels of the search: parts of every guess, bounds, and the check of member guesses.

Arrays are flat, with explicit offsets, because slices in inner loops cost reference counting.
Each kernel has a plain twin in ``tests/naive.py``.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint8, uint64
from numpy.typing import NDArray

from engine.jit import below64, inlined, kernel, larger8, popcount, popcount8, with_bit
from engine.objective import INFINITE

Bytes = NDArray[np.uint8]
Codes = NDArray[np.uint32]
Numbers = NDArray[np.int64]

NARROW_ANSWERS = 16
"""Up to so many answers fit a 16-bit mask, which doubles the guesses per vector instruction."""


@kernel
def _count_parts(
    responses: Bytes, stride: int, codes: Codes, start: int, count: int, masks: NDArray, parts: Bytes
) -> None:
    for guess in range(stride):
        masks[guess] = 0
    done = 0
    while done + 4 <= count:
        first = int64(codes[start + done]) * stride
        second = int64(codes[start + done + 1]) * stride
        third = int64(codes[start + done + 2]) * stride
        fourth = int64(codes[start + done + 3]) * stride
        a = responses[first : first + stride]
        b = responses[second : second + stride]
        c = responses[third : third + stride]
        d = responses[fourth : fourth + stride]
        for guess in range(stride):
            mask = with_bit(masks[guess], a[guess])
            mask = with_bit(mask, b[guess])
            mask = with_bit(mask, c[guess])
            masks[guess] = with_bit(mask, d[guess])
        done += 4
    while done < count:
        first = int64(codes[start + done]) * stride
        a = responses[first : first + stride]
        for guess in range(stride):
            masks[guess] = with_bit(masks[guess], a[guess])
        done += 1
    for guess in range(stride):
        parts[guess] = popcount8(masks[guess])


@kernel
def count_parts(
    responses: Bytes,
    stride: int,
    answers: int,
    codes: Codes,
    start: int,
    count: int,
    masks: NDArray[np.uint32],
    parts: Bytes,
) -> None:
    """Write into `parts` how many parts every guess makes of ``codes[start:start + count]``.

    `responses` is the flat table of rows of `stride` bytes; `masks` (stride,) is scratch; `parts`
    is (stride,) uint8.  One pass over a row per candidate: some 20 times cheaper than histograms.
    """
    if answers <= NARROW_ANSWERS:
        _count_parts(
            responses, stride, codes, start, count, masks.view(np.uint16)[:stride], parts
        )
    else:
        _count_parts(responses, stride, codes, start, count, masks, parts)


@inlined
def largest(parts: Bytes, count: int) -> int:
    """Return the largest of ``parts[:count]`` that is below 64, that is, not marked; 0 if none."""
    most = uint8(0)
    for guess in range(count):
        most = larger8(most, below64(parts[guess]))
    return int64(most)


@inlined
def times(count: int, weight: int) -> int:
    """Return ``count * weight``, which is `INFINITE` if `weight` is and `count` is not 0."""
    if count == 0:
        return int64(0)
    if weight >= INFINITE:
        return int64(INFINITE)
    return int64(count) * weight


@kernel
def fill(count: int, room: int, turn: int, fan_out: int, weights: Numbers) -> int:
    """Return the least cost of `count` secrets: `room` at `turn`, then `fan_out` times as many.

    The bound by parts (docs/proof.md, "Parts"): a guess that makes k parts leaves room for k
    secrets next turn, or k - 1 if one of the parts is its own win.  At most `INFINITE`.
    """
    last = weights.shape[0] - 1
    total = int64(0)
    while count > 0:
        placed = min(count, room)
        if placed <= 0 or weights[min(turn, last)] >= INFINITE:
            return int64(INFINITE)
        if turn >= last:
            return total + count * weights[last]
        total += placed * weights[turn]
        count -= placed
        room *= fan_out
        turn += 1
    return total


@kernel
def member_check(
    responses: Bytes,
    stride: int,
    places: Codes,
    start: int,
    count: int,
    turn: int,
    fan_out: int,
    weights: Numbers,
) -> tuple[int, int, int]:
    """Try only the members of a small set as guesses, and only those that settle it at once.

    Parameters
    ----------
    responses, stride
        ``responses[a * stride + b]`` is the answer of a to b.
    places
        ``places[start:start + count]`` are the members, count >= 3, as numbers for `responses`.

    Returns
    -------
    (value, bound, member)
        The least cost with a member that leaves pairs at most, `INFINITE` if there is none, and
        the first such member as an offset from `start`; a lower bound for any first guess.
        ``value == bound`` proves both exact (docs/proof.md, "Members").
    """
    most = int64(0)
    value = int64(INFINITE)
    member = int64(-1)
    here = weights[turn]
    for i in range(count):
        row = uint64(places[start + i]) * uint64(stride)
        once = uint64(0)
        twice = uint64(0)
        thrice = uint64(0)
        for j in range(count):
            bit = uint64(1) << uint64(responses[row + uint64(places[start + j])])
            thrice |= twice & bit
            twice |= once & bit
            once |= bit
        parts = int64(popcount(once))
        most = max(most, parts)
        if parts == count:
            value = min(here + times(count - 1, weights[turn + 1]), int64(INFINITE))
            return value, value, int64(i)
        if thrice == 0:
            cost = here + times(parts - 1, weights[turn + 1])
            cost += times(count - parts, weights[turn + 2])
            if cost < value:
                value = cost
                member = int64(i)
    inside = here + fill(count - 1, most - 1, turn + 1, fan_out, weights)
    outside = fill(count, min(count, fan_out), turn + 1, fan_out, weights)
    return value, min(inside, outside), member
