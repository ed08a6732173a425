"""Games that are too large to search: a lower bound from two guesses, and the figures of a rule.

The bound is the least over first guesses of the sum over answers of the least over second guesses,
where every part of a second guess costs no less than its size alone allows (docs/proof.md, "Size",
"Fan-out"). Guesses of one class have equal parts, so one of each is enough.

The rule is Larmouth's among some candidates and some other codes, both spread evenly. No tree is
kept, so games of a million codes take minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from bullscows.game.responses import responses_between
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, representatives
from bullscows.kernels.bounds import cheapest
from bullscows.kernels.caps import kinds_of
from bullscows.strategies.rules.one_step import Splits

CANDIDATES, CODES = 100, 400
"""How many candidates, and how many other codes, the rule compares at a position; fewer in games of
more than `_LARGE` codes."""

_LARGE = 60_000

_PAIRS = 400_000_000
"""The most pairs of a secret and a second guess that are counted for one first guess."""

_CELLS = 20_000_000
"""Answers of a position that are made at once."""


def lower_bound(rules: Rules) -> int:
    """Return turns over all secrets that no strategy goes below.

    >>> lower_bound(Rules.parse("p3c6r"))
    825
    """
    firsts = np.unique(kinds_of(rules), return_index=True)[1].tolist()
    least = sum(range(rules.size + 1))
    for quick, first in sorted((_after(rules, first, _by_size), first) for first in firsts):
        if quick < least:
            least = min(least, _after(rules, first, _by_second(rules, first)))
    return least


_Bound: TypeAlias = Callable[[Rules, IndexArray], int]
"""Returns the least turns of some secrets from turn 2 on."""


def _after(rules: Rules, first: CodeIndex, bound: _Bound) -> int:
    """Return the least turns if the first guess is this one."""
    parts = _parts(rules, np.arange(rules.size, dtype=np.int32), first)
    return 1 + sum(bound(rules, part) for answer, part in parts if answer != rules.win)


def _by_size(rules: Rules, members: IndexArray) -> int:
    return cheapest(len(members), range(1, rules.size + 1), len(rules.answers) - 1, 2)


def _by_second(rules: Rules, first: CodeIndex) -> _Bound:
    """Return the bound by the parts of the best second guess, unless there are too many."""
    seconds = representatives(rules, [first])
    if rules.size * len(seconds) > _PAIRS:
        return _by_size

    def bound(rules: Rules, members: IndexArray) -> int:
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


def sampled(rules: Rules) -> tuple[tuple[int, ...], CodeIndex]:
    """Return the distribution of the rule, and its first guess.

    >>> sampled(Rules.parse("p3c6r"))
    ((1, 7, 39, 119, 49, 1), 8)
    """
    found = np.zeros(rules.size + 1, dtype=np.int64)
    everything = np.arange(rules.size, dtype=np.int32)
    first = _chosen(rules, everything)
    left = [(everything, first, 1)]
    while left:
        members, guess, turn = left.pop()
        for answer, part in _parts(rules, members, guess):
            if answer == rules.win or len(part) <= 2:
                found[turn + (answer != rules.win)] += 1
                found[turn + 2] += len(part) - 1
            else:
                left.append((part, _chosen(rules, part), turn + 1))
    last = np.flatnonzero(found)[-1]
    return tuple(found[1 : last + 1].tolist()), first


def _chosen(rules: Rules, members: IndexArray) -> CodeIndex:
    """Return the best of the guesses that are compared; of equals the first candidate."""
    scale = min(1, _LARGE / rules.size, _CELLS / len(members) / CODES)
    candidates = _spread(members, 1 + int(scale * CANDIDATES))
    others = _spread(np.arange(rules.size, dtype=np.int32), 1 + int(scale * CODES))
    tried, answers = np.concatenate([candidates, others]), len(rules.answers)
    given = responses_between(rules, members, tried) + np.arange(len(tried)) * answers
    sizes = np.bincount(given.ravel(), minlength=len(tried) * answers).reshape(-1, answers)
    sums = (sizes * np.log(np.maximum(sizes, 1))).sum(axis=1)
    sums[len(candidates) :] += np.log(4)
    return int(tried[sums.argmin()])


def _spread(codes: IndexArray, most: int) -> IndexArray:
    """Return at most `most` codes, spread evenly."""
    few = min(len(codes), most)
    chosen: IndexArray = codes[np.arange(few) * len(codes) // few]
    return chosen


def _parts(rules: Rules, members: IndexArray, guess: CodeIndex) -> list[tuple[int, IndexArray]]:
    """Return the members that give each answer to a guess."""
    answers = responses_between(rules, members, np.array([guess], dtype=np.int32))[:, 0]
    order = np.argsort(answers, kind="stable")
    given, starts = np.unique(answers[order], return_index=True)
    return list(zip(given.tolist(), np.split(members[order], starts[1:]), strict=True))
