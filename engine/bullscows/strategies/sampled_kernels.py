"""Larmouth's rule in games of millions of codes: some guesses, compared on some candidates.

Answers are made when they are needed, so nothing grows with the square of the number of codes.
Every secret is played, so the distribution is exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.kernels.compiling.jit import Bytes, Numbers, Words, int64, plain_njit
from bullscows.kernels.instructions import popcount

GOLDEN = 0.6180339887498949
"""The golden ratio less 1: the fractional parts of its multiples are spread evenly."""


_LARGEST = np.iinfo(np.int64).max


class Sampling(NamedTuple):
    """A game, and which guesses are compared on which candidates."""

    masks: Words
    """(size, words): the bits that two codes have in common count bulls, then bulls and cows."""
    bull_words: int
    answers: Bytes
    """(positions + 1, positions + 1): the answer by bulls, and by bulls and cows; last the win."""
    second: NDArray[np.int32]
    later: NDArray[np.int32]
    """Guesses compared at turn 2, and at later turns."""
    candidates: int
    """The most candidates that are compared too."""
    growth: Numbers
    """(sample,): cost of one more candidate in a part of n."""
    forgone: int
    """Cost of a guess that is no candidate."""


@plain_njit
def _spread(number: int, few: int, many: int) -> int:
    """Return the place of one of `few` among `many`."""
    return number if few == many else int64(number * GOLDEN % 1.0 * many)


@plain_njit
def _answer(game: Sampling, secret: int, guess: int) -> int:
    bulls = int64(0)
    both = int64(0)
    for word in range(game.masks.shape[1]):
        common = int64(popcount(game.masks[secret, word] & game.masks[guess, word]))
        if word < game.bull_words:
            bulls += common
        else:
            both += common
    return int64(game.answers[bulls, both])


@plain_njit
def _chosen(
    game: Sampling, members: NDArray[np.int32], others: NDArray[np.int32], sizes: Numbers
) -> int:
    """Return the guess of the least cost, the first one of equals, candidates before others."""
    few = min(len(members), len(game.growth))
    some = np.array([members[_spread(place, few, len(members))] for place in range(few)])
    candidates = min(game.candidates, few)
    least = int64(_LARGEST)
    best = int64(-1)
    for number in range(candidates + len(others)):
        is_candidate = number < candidates
        if not is_candidate and least <= game.forgone:
            break
        place = _spread(number, candidates, few)
        guess = int64(some[place] if is_candidate else others[number - candidates])
        cost = int64(0 if is_candidate else game.forgone)
        sizes[:] = 0
        for secret in some:
            answer = _answer(game, int64(secret), guess)
            cost += game.growth[sizes[answer]]
            sizes[answer] += 1
            if cost >= least:
                break
        if cost < least:
            least = cost
            best = guess
    return best


@plain_njit
def play(
    game: Sampling,
    first: int,
    found: Numbers,
    members: NDArray[np.int32],
    left: NDArray[np.int32],
    waiting: int,
    sets: int,
) -> int:
    """Play up to `sets` sets of candidates on, and return how many sets are waiting then.

    The candidates of a set stand side by side in `members`; rows of `left`, (size, 3), have its
    start, its end and its turn.  `found`, (size + 3,), counts the secrets found at each turn.
    """
    size = len(game.masks)
    win = int64(game.answers[-1, -1])
    moved = np.empty(size, dtype=np.int32)
    given = np.empty(size, dtype=np.uint8)
    sizes = np.empty(win + 1, dtype=np.int64)
    ends = np.empty(win + 1, dtype=np.int64)
    while waiting and sets:
        sets -= 1
        waiting -= 1
        start = int64(left[waiting, 0])
        end = int64(left[waiting, 1])
        turn = left[waiting, 2]
        if end - start <= 2:
            found[turn] += 1
            found[turn + 1] += end - start - 1
            continue
        guess = first
        others = game.second if turn == 2 else game.later
        if turn > 1:
            guess = _chosen(game, members[start:end], others, sizes)
        sizes[:] = 0
        for place in range(start, end):
            given[place] = _answer(game, int64(members[place]), guess)
            sizes[given[place]] += 1
        found[turn] += sizes[win]
        below = start
        for answer in range(win + 1):
            ends[answer] = below
            below += sizes[answer]
            if sizes[answer] and answer != win:
                left[waiting] = (ends[answer], below, turn + 1)
                waiting += 1
        for place in range(start, end):
            moved[ends[given[place]]] = members[place]
            ends[given[place]] += 1
        members[start:end] = moved[start:end]
    return waiting
