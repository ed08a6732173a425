"""Expected distributions of games of random candidates, exactly, for small sets.

A set of n candidates draws its guess, so the expected number of them found at a turn is a fraction
whose denominator divides n!: that of a part divides (n - 1)!, and the sum over the guesses is
divided by n. Up to `SMALL` candidates, times `SCALE`, all such numbers are whole and fit 64 bits.
"""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.kernels.compiling.jit import Bytes, Numbers, int64, kernel

SMALL = 17
SCALE = factorial(SMALL)
"""The factor of all numbers of sets of up to `SMALL` candidates."""


class Scratch(NamedTuple):
    """Arrays to write on; row k belongs to the k-th guess from the set on."""

    members: NDArray[np.int32]
    """(SMALL + 2, size): the candidates of a set, or the parts of a guess one after another."""
    ends: Numbers
    """(SMALL + 2, answers): where each part of `members` ends."""
    sizes: Numbers
    """(SMALL + 2, answers): how many candidates each part has."""
    found: Numbers
    """(SMALL + 2, SMALL + 2): how many candidates are found at the first guess, the second, ..."""
    larger: Numbers
    """(2 * answers,): start and size of each part that is left to the caller."""


def make_scratch(size: int, answers: int) -> Scratch:
    """Return arrays for sets of up to `size` candidates and a number of answers."""
    rows = SMALL + 2
    return Scratch(
        np.zeros((rows, size), dtype=np.int32),
        np.zeros((rows, answers), dtype=np.int64),
        np.zeros((rows, answers), dtype=np.int64),
        np.zeros((rows, SMALL + 2), dtype=np.int64),
        np.zeros(2 * answers, dtype=np.int64),
    )


@kernel
def _split(responses: Bytes, work: Scratch, level: int, start: int, count: int, guess: int) -> None:
    """Write the parts of a guess into row level + 1 of `members`, in the order of the answers.

    Row `level` of `ends` has the end of each part, that of `sizes` the number of its members.
    """
    members = work.members[level]
    ends = work.ends[level]
    sizes = work.sizes[level]
    for answer in range(sizes.shape[0]):
        sizes[answer] = 0
    for i in range(start, start + count):
        sizes[responses[members[i], guess]] += 1
    offset = int64(0)
    for answer in range(sizes.shape[0]):
        ends[answer] = offset
        offset += sizes[answer]
    for i in range(start, start + count):
        answer = responses[members[i], guess]
        work.members[level + 1, ends[answer]] = members[i]
        ends[answer] += 1


@kernel
def expect(
    responses: Bytes,
    win: int,
    work: Scratch,
    level: int,
    start: int,
    count: int,
    only: int,
) -> int:
    """Write into row `level` of `found` how many are found at each guess from here on.

    It is expected of ``members[level, start:start + count]`` with any of them as the guess, times
    `SCALE`; of more than `SMALL` only with one guess.  `responses` is (codes, stride), `win` the
    answer of a hit, which is no part.

    `only` is -1, or the one guess: then what it finds itself does not count, nor do parts of more
    than `SMALL`; their starts and sizes in row ``level + 1`` go into `larger`.  Returns how many.
    """
    found = work.found[level]
    for turn in range(SMALL + 2):
        found[turn] = 0
    if only < 0 and count <= 2:
        found[0] = SCALE
        found[1] = SCALE * (count - 1)
        return 0
    larger = int64(0)
    for i in range(count if only < 0 else 1):
        guess = int64(work.members[level, start + i] if only < 0 else only)
        _split(responses, work, level, start, count, guess)
        for answer in range(work.sizes.shape[1]):
            size = work.sizes[level, answer]
            if size == 0 or answer == win:
                continue
            place = work.ends[level, answer] - size
            if size > SMALL:
                work.larger[2 * larger] = place
                work.larger[2 * larger + 1] = size
                larger += 1
            elif size <= 2:
                found[1] += SCALE
                found[2] += SCALE * (size - 1)
            else:
                expect(responses, win, work, level + 1, place, size, int64(-1))
                for turn in range(size):
                    found[turn + 1] += work.found[level + 1, turn]
    if only < 0:
        for turn in range(1, SMALL + 2):
            found[turn] //= count
        found[0] = SCALE
    return larger
