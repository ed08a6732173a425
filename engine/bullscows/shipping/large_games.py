"""Games that are too large to search: a lower bound from two guesses, and the figures of a rule.

The bound is the least over first guesses of the sum over answers of the least over second guesses,
where every part of a second guess costs no less than its size alone allows (docs/proof.md, "Size",
"Fan-out"). Guesses of one class have equal parts, so one of each is enough.

The rule is Larmouth's, played on a sample: it compares a guess of each class at the first two
turns, then some candidates and some other codes, all spread evenly. Every secret is played, so the
distribution is exact. No tree is kept, and answers are made when they are needed, so games of a
million codes take minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import responses_to
from bullscows.game.objective import cheapest
from bullscows.game.response_table import all_codes, bit_masks
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, representatives
from bullscows.game.timer import UNLIMITED, Timer
from bullscows.kernels.caps import kinds_of
from bullscows.kernels.compiling.jit import Bytes, Numbers, Words, int64, plain_njit
from bullscows.kernels.instructions import popcount
from bullscows.strategies.one_step import RULES, Splits

CANDIDATES, CODES, SAMPLE = 100, 1600, 2000
"""Numbers of candidates and codes that the rule compares at a position, and of the sample."""

SETS_AT_ONCE = 20
"""Sets of candidates that are played before the time is checked: a set takes up to 20 ms."""

UNIT = 1 << 20
"""Logarithms are multiples of a fraction of one, so that the order of a sum changes nothing."""

GOLDEN = 0.6180339887498949
"""The golden ratio less 1: the fractional parts of its multiples are spread evenly."""

_LARGEST = np.iinfo(np.int64).max

_PAIRS = 4_000_000_000
"""The most pairs of a secret and a second guess that are counted for one first guess."""


def lower_bound(rules: Rules, timer: Timer = UNLIMITED) -> int:
    """Return turns over all secrets that no strategy goes below.

    Raises `OutOfTimeError` if the time is over before.

    >>> lower_bound(Rules.parse("p3c6r"))
    825
    """
    least = sum(range(rules.size + 1))
    for quick, first in sorted(_by_sizes(rules)):
        if quick < least:
            least = min(least, _after(rules, first, _by_second(rules, first, timer)))
    return least


def quick_lower_bound(rules: Rules) -> int:
    """Return the bound from one guess, which is weaker than `lower_bound` and takes no time.

    >>> quick_lower_bound(Rules.parse("p3c6r"))
    744
    """
    return min(quick for quick, _ in _by_sizes(rules))


def _by_sizes(rules: Rules) -> list[tuple[int, CodeIndex]]:
    """Return the bound after each first guess by the sizes of its parts."""
    return [(_after(rules, first, _by_size), first) for first in _firsts(rules).tolist()]


def _firsts(rules: Rules) -> IndexArray:
    """Return the least code of each class of first guesses."""
    return np.unique(kinds_of(rules), return_index=True)[1].astype(np.int32)


_Bound: TypeAlias = Callable[[Rules, IndexArray], int]
"""Returns the least turns of some secrets from turn 2 on."""


def _after(rules: Rules, first: CodeIndex, bound: _Bound) -> int:
    """Return the least turns if the first guess is this one."""
    parts = _parts(rules, all_codes(rules), first)
    return 1 + sum(bound(rules, part) for answer, part in parts if answer != rules.win)


def _by_size(rules: Rules, members: IndexArray) -> int:
    return cheapest(len(members), range(1, rules.size + 1), len(rules.answers) - 1, 2)


def _by_second(rules: Rules, first: CodeIndex, timer: Timer) -> _Bound:
    """Return the bound by the parts of the best second guess, unless there are too many."""
    seconds = representatives(rules, [first])
    if rules.size * len(seconds) > _PAIRS:
        return _by_size

    def bound(rules: Rules, members: IndexArray) -> int:
        timer.check()
        if len(members) <= 2:
            return _by_size(rules, members)
        splits = Splits.of(rules, members, seconds)
        cap = int((np.count_nonzero(splits.sizes, axis=1) - splits.is_candidate).max())
        sizes, places = np.unique(splits.sizes, return_inverse=True)
        turns = range(1, rules.size + 1)
        costs = np.array([cheapest(size, turns, cap, 3) for size in sizes.tolist()])
        totals = costs[places].reshape(splits.sizes.shape).sum(axis=1) - splits.is_candidate
        return int(totals.min())

    return bound


def sampled(rules: Rules, timer: Timer = UNLIMITED) -> tuple[tuple[int, ...], CodeIndex]:
    """Return the distribution of the rule, and its first guess.

    Raises `OutOfTimeError` if the time is over before.

    >>> sampled(Rules.parse("p3c6r"))
    ((1, 7, 39, 119, 49, 1), 8)
    """
    everything = all_codes(rules)
    splits = Splits.of(rules, everything, _firsts(rules))
    first = int(splits.guesses[RULES["larmouth"].best(splits)[0]])
    found = np.zeros(rules.size + 3, dtype=np.int64)
    game = _sampling(rules, representatives(rules, [first]), everything)
    left = np.empty((rules.size, 3), dtype=np.int32)
    left[0] = 0, rules.size, 1
    waiting = 1
    while waiting:
        timer.check()
        waiting = play(game, first, found, everything, left, waiting, SETS_AT_ONCE)
    return tuple(found[1 : np.flatnonzero(found)[-1] + 1].tolist()), first


def _sampling(rules: Rules, second: IndexArray, later: IndexArray) -> Sampling:
    placed, counts = bit_masks(rules)
    masks = np.ascontiguousarray(np.concatenate([placed, counts]).T.astype(np.uint64))
    answers = np.zeros((rules.positions + 1,) * 2, dtype=np.uint8)
    for answer, (bulls, cows) in enumerate(rules.answers):
        answers[bulls, slice(None) if rules.bulls_only else bulls + cows] = answer
    costs = [round(size * log2(max(size, 1)) * UNIT) for size in range(SAMPLE + 1)]
    guesses = _some_of(second), _some_of(later)
    return Sampling(
        masks, len(placed), answers, *guesses, CANDIDATES, np.diff(np.array(costs)), 2 * UNIT
    )


def _some_of(codes: IndexArray) -> IndexArray:
    """Return at most `CODES` codes, spread evenly."""
    if len(codes) <= CODES:
        return codes
    chosen: IndexArray = codes[(np.arange(CODES) * GOLDEN % 1 * len(codes)).astype(np.intp)]
    return chosen


def _parts(rules: Rules, members: IndexArray, guess: CodeIndex) -> list[tuple[int, IndexArray]]:
    """Return the members that give each answer to a guess."""
    answers = responses_to(rules, guess, members)
    order = np.argsort(answers, kind="stable")
    given, starts = np.unique(answers[order], return_index=True)
    return list(zip(given.tolist(), np.split(members[order], starts[1:]), strict=True))


# -- the rule on a sample, compiled ----------------------------------------------------------------


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
