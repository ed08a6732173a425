"""Array kernels of the search: bounds by parts, the check of member guesses, waves of guesses.

Arrays are flat, with explicit offsets, because slices in inner loops cost reference counting.
Each kernel has a plain twin in ``tests/naive.py``.
"""

from __future__ import annotations

import numpy as np

from engine.game.objective import INFINITE
from engine.kernels.jit import (
    Bytes,
    Codes,
    Numbers,
    below64,
    inlined,
    int64,
    kernel,
    larger8,
    popcount,
    uint8,
    uint64,
)


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
            return int64(total + count * weights[last])
        total += placed * weights[turn]
        count -= placed
        room *= fan_out
        turn += 1
    return total


@kernel
def perfect_member(responses: Bytes, stride: int, places: Codes, start: int, count: int) -> int:
    """Return the first member that splits a set into parts of one, as an offset, or -1.

    Arguments as of `member_check`.  Leaves a member at the first answer that comes twice.
    """
    for i in range(count):
        row = uint64(places[start + i]) * uint64(stride)
        once = uint64(0)
        apart = True
        for j in range(uint64(start), uint64(start + count)):
            bit = uint64(1) << uint64(responses[row + uint64(places[j])])
            if once & bit != 0:
                apart = False
                break
            once |= bit
        if apart:
            return int64(i)
    return int64(-1)


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
    allowed: int,
) -> tuple[int, int, int]:
    """Try only the members of a small set as guesses, and only those that settle it at once.

    Parameters
    ----------
    responses, stride
        ``responses[a * stride + b]`` is the answer of a to b.
    places
        ``places[start:start + count]`` are the members, count >= 3, as numbers for `responses`.
    allowed
        The most the caller can use: once the bound exceeds it, nothing more is looked for.

    Returns
    -------
    (value, bound, member)
        The least cost with a member that leaves pairs at most, `INFINITE` if there is none, and
        the first such member as an offset from `start`; a lower bound for any first guess.
        ``value == bound`` proves both exact (docs/proof.md, "Members").
    """
    here = weights[turn]
    perfect = int64(-1)
    if count - 1 <= fan_out:
        perfect = perfect_member(responses, stride, places, start, count)
    if perfect >= 0:
        value = min(here + times(count - 1, weights[turn + 1]), int64(INFINITE))
        return value, value, perfect
    outside = fill(count, min(count, fan_out), turn + 1, fan_out, weights)
    room = min(count - 2, fan_out)
    bound = min(here + fill(count - 1, room, turn + 1, fan_out, weights), outside)
    if bound > allowed:
        return int64(INFINITE), bound, int64(-1)
    most = int64(0)
    value = int64(INFINITE)
    member = int64(-1)
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
        if thrice == 0:
            cost = here + times(parts - 1, weights[turn + 1])
            cost += times(count - parts, weights[turn + 2])
            if cost < value:
                value = cost
                member = int64(i)
                if cost <= bound:
                    return value, value, member
    inside = here + fill(count - 1, most - 1, turn + 1, fan_out, weights)
    return value, min(inside, outside), member


@kernel
def sort_guesses(guesses: Codes, bounds: Numbers, orders: Numbers, count: int) -> None:
    """Sort ``guesses[:count]`` by bound, then by order, then by number; shell sort, in place."""
    gap = int64(1)
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            guess, bound, order = guesses[i], bounds[i], orders[i]
            j = i
            while j >= gap and (
                bounds[j - gap] > bound
                or (
                    bounds[j - gap] == bound
                    and (
                        orders[j - gap] > order
                        or (orders[j - gap] == order and guesses[j - gap] > guess)
                    )
                )
            ):
                guesses[j] = guesses[j - gap]
                bounds[j] = bounds[j - gap]
                orders[j] = orders[j - gap]
                j -= gap
            guesses[j] = guess
            bounds[j] = bound
            orders[j] = order
        gap //= 3


@inlined
def swap(guesses: Codes, bounds: Numbers, one: int, other: int) -> None:
    """Exchange two guesses of a wave with their bounds."""
    guesses[one], guesses[other] = guesses[other], guesses[one]
    bounds[one], bounds[other] = bounds[other], bounds[one]


@kernel
def gather(parts: Bytes, size: int, low: int, high: int, found: Codes, taken: int) -> int:
    """Append to ``found[:taken]`` the guesses with `low` to `high` parts; return the new length.

    `parts` (stride,) is looked through eight guesses at a time when low == high.
    """
    if low != high:
        for guess in range(size):
            if low <= parts[guess] <= high:
                found[taken] = guess
                taken += 1
        return taken
    ones = uint64(0x0101010101010101)
    tops = uint64(0x8080808080808080)
    pattern = uint64(low) * ones
    words = parts.view(np.uint64)
    for place in range((size + 7) // 8):
        differs = words[place] ^ pattern
        if (differs - ones) & ~differs & tops != 0:
            for guess in range(8 * place, min(8 * place + 8, size)):
                if parts[guess] == low:
                    found[taken] = guess
                    taken += 1
    return taken


@inlined
def count_sizes(
    responses: Bytes,
    stride: int,
    members: Codes,
    start: int,
    count: int,
    guess: int,
    answers: int,
    sizes: Numbers,
) -> None:
    """Write into ``sizes[:answers]`` the sizes of the parts that `guess` makes of the members.

    `sizes` is (128,): two histograms are kept in turn, because adding twice in a row to the same
    word waits for the memory.
    """
    column = uint64(guess)
    for answer in range(answers):
        sizes[answer] = 0
        sizes[64 + answer] = 0
    at = uint64(start)
    end = uint64(start + count)
    while at + uint64(2) <= end:
        sizes[uint64(responses[uint64(members[at]) * stride + column])] += 1
        other = uint64(members[at + uint64(1)])
        sizes[uint64(64) + uint64(responses[other * stride + column])] += 1
        at += uint64(2)
    if at < end:
        sizes[uint64(responses[uint64(members[at]) * stride + column])] += 1
    for answer in range(answers):
        sizes[answer] += sizes[64 + answer]
