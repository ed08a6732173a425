"""The nonadaptive game: all guesses are made before any answer, and must identify every code.

The guesses that identify the secret are counted, following Goddard (Static Mastermind, 2003),
without a final guess that names it.

An upper bound is a set found by random choices that are improved guess by guess. For a lower bound,
sets of k guesses are ruled out one size after the other. Symmetry and the order of the guesses
change nothing, so one set of each class of k - 2 guesses is enough. A pair of codes with the same
answers to such a set must be separated by one of the other two guesses; pairs that few guesses
separate rule out nearly all of these, and the rest is checked one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, permutations

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import GameTooLargeError, ResponseTable
from bullscows.game.rules import Code, CodeIndex, Rules
from bullscows.game.symmetry import place_orders, representatives
from bullscows.search.threads import Timer

MAX_CODES = 7000
"""The largest game: a step looks at the answers of all codes to all guesses."""

_SEED = 1
_RESTARTS = 24
_TRIED = 1500
"""How many guesses are tried for each that is replaced, where there are more."""
_PATIENCE = 6
"""How often each guess of a random set is replaced in vain before the set is given up."""
_PAIRS = 2048
_HARDEST = 128
_BLOCK = 512
"""Guesses that are held against all others at once."""

Guesses = tuple[CodeIndex, ...]
_Labels = NDArray[np.intp]
"""(size,): codes with one label have got the same answers so far; labels are 0, 1, ..."""


@dataclass(frozen=True)
class NonadaptiveSet:
    """Guesses that identify every secret, and how few can."""

    rules: Rules
    guesses: Guesses
    """A set that identifies every code."""
    lower: int
    """No fewer guesses do."""
    interrupted: bool = False
    """Was the search ended by Ctrl-C?"""

    @property
    def proved(self) -> bool:
        """Whether no smaller set exists."""
        return self.lower == len(self.guesses)

    @property
    def texts(self) -> list[str]:
        """The guesses as they are written."""
        return [self.rules.text(guess) for guess in self.guesses]


def nonadaptive_set(
    game: Rules | str,
    *,
    time_limit: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> NonadaptiveSet:
    """Find the fewest guesses, all made before any answer, that identify every code.

    >>> found = nonadaptive_set("p2c3r")
    >>> len(found.guesses), found.proved
    (2, True)

    The search ends with what it has after `time_limit` seconds, or on Ctrl-C; a first set is always
    found.  `progress` receives sentences.

    Raises `GameTooLargeError` if the game has more than `MAX_CODES` codes.
    """
    rules = Rules.of(game)
    if rules.size > MAX_CODES:
        raise GameTooLargeError(
            f"{rules} has {rules.size} codes; nonadaptive sets are searched for up to {MAX_CODES}"
        )
    return _Search(rules, time_limit, progress or (lambda _: None)).search()


class _Search:
    def __init__(
        self, rules: Rules, time_limit: float | None, progress: Callable[[str], None]
    ) -> None:
        self.rules, self.progress = rules, progress
        self.answers, self.timer = len(rules.answers), Timer(time_limit)
        responses = ResponseTable.of(rules).responses[:, : rules.size]
        self.rows = np.ascontiguousarray(responses.T)
        """(size, size) uint8: the answers of all secrets to each guess."""
        self.random = np.random.default_rng(_SEED)

    def search(self) -> NonadaptiveSet:
        """Close in on the size from both sides until they meet or time is up."""
        best, interrupted = self._greedy(), False
        lower = next(size for size in count() if self._most_parts**size >= self.rules.size)
        try:
            while lower < len(best) and (fewer := self._improved(len(best) - 1)) is not None:
                best = fewer
            while lower < len(best):
                self.progress(f"{lower} to {len(best)} guesses")
                if (found := self._exhausted(lower)) is None:
                    lower += 1
                else:
                    best = found
        except TimeoutError:
            pass
        except KeyboardInterrupt:
            interrupted = True
        return NonadaptiveSet(self.rules, tuple(sorted(best)), lower, interrupted)

    def _check_time(self) -> None:
        if self.timer.is_over:
            raise TimeoutError

    def _greedy(self) -> Guesses:
        """Return a set, each guess of which makes the most classes with those before."""
        guesses: Guesses = ()
        labels = self._labels(())
        while labels.max() + 1 < self.rules.size:
            counts = self._classes(labels, np.arange(self.rules.size))
            guesses = (*guesses, int(counts.argmax()))
            labels = self._labels(guesses)
        return guesses

    def _improved(self, size: int) -> Guesses | None:
        """Return a set of this size that identifies every code, if random improvement finds one."""
        if size < 1:
            return None
        for _ in range(_RESTARTS):
            guesses = self.random.choice(self.rules.size, size, replace=False).tolist()
            most, stale = 0, 0
            while stale < _PATIENCE * size:
                self._check_time()
                place = int(self.random.integers(size))
                guesses[place], count = self._replaced(guesses, place)
                if count == self.rules.size:
                    return tuple(guesses)
                stale = 0 if count > most else stale + 1
                most = max(most, count)
        return None

    def _replaced(self, guesses: list[CodeIndex], place: int) -> tuple[CodeIndex, int]:
        """Return the guess that makes the most classes in one place of a set, and how many."""
        labels = self._labels(tuple(guesses[:place] + guesses[place + 1 :]))
        tried = np.arange(self.rules.size)
        if self.rules.size > _TRIED:
            some = self.random.choice(self.rules.size, _TRIED, replace=False)
            tried = np.append(some, guesses[place])
        counts = self._classes(labels, tried)
        best = tried[counts == counts.max()]
        return int(self.random.choice(best)), int(counts.max())

    def _labels(self, guesses: Guesses) -> _Labels:
        labels = np.zeros(self.rules.size, dtype=np.intp)
        for guess in guesses:
            cells = labels * self.answers + self.rows[guess]
            labels = np.unique(cells, return_inverse=True)[1]
        return labels

    def _classes(self, labels: _Labels, guesses: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return how many classes each guess makes of those that there are."""
        sizes = np.bincount(labels)
        left = np.flatnonzero(sizes[labels] > 1)
        alone = int((sizes == 1).sum())
        if not len(left):
            return np.full(len(guesses), alone)
        # Labels times answers stay below the codes times the answers, so 32 bits are enough.
        cells = self.rows[guesses][:, left] + (labels[left] * self.answers).astype(np.int32)
        cells.sort(axis=1)
        counts: NDArray[np.intp] = (cells[:, 1:] != cells[:, :-1]).sum(axis=1)
        return counts + alone + 1

    @cached_property
    def _most_parts(self) -> int:
        """The most parts into which one guess splits all codes: more, no guess makes of any."""
        return int(self._classes(self._labels(()), np.arange(self.rules.size)).max())

    def _exhausted(self, size: int) -> Guesses | None:
        """Return a set of this size that identifies every code, or None if there is none."""
        if size < 2:
            counts = self._classes(self._labels(()), np.arange(self.rules.size))
            return next(((int(one),) for one in np.flatnonzero(counts == self.rules.size)), None)
        for guesses in self._sets(size - 2):
            self._check_time()
            if (completed := self._completed(guesses)) is not None:
                return completed
        return None

    def _sets(self, size: int) -> list[Guesses]:
        """Return one of each class of sets of this size that symmetry makes equal."""
        level: list[Guesses] = [()]
        for _ in range(size):
            longer: set[Guesses] = set()
            for guesses in level:
                self._check_time()
                others = representatives(self.rules, guesses).tolist()
                new = (guess for guess in others if guess not in guesses)
                longer.update(least_image(self.rules, (*guesses, guess)) for guess in new)
            level = sorted(longer)
        return level

    def _completed(self, guesses: Guesses) -> Guesses | None:
        """Return the set with two more guesses that identifies every code, if there is one."""
        labels = self._labels(guesses)
        if np.bincount(labels).max() > self._most_parts**2:
            return None
        together = self._hard_pairs(labels)
        for two in self._separating(together):
            completed = (*guesses, *two)
            if self._labels(completed).max() + 1 == self.rules.size:
                return completed
        return None

    def _hard_pairs(self, labels: _Labels) -> NDArray[np.bool_]:
        """Return (pairs, guesses): which guesses do not separate some pairs, hardest pairs first.

        The pairs have one label; there are at most about `_PAIRS`.
        """
        order = np.argsort(labels, kind="stable")
        found: list[NDArray[np.intp]] = []
        for step in range(1, len(order)):
            same = np.flatnonzero(labels[order[step:]] == labels[order[:-step]])
            found.append(np.stack([order[same], order[same + step]]))
            if not len(same) or sum(pairs.shape[1] for pairs in found) > _PAIRS:
                break
        one, other = np.concatenate(found, axis=1)[:, :_PAIRS]
        together = self.rows.T[one] == self.rows.T[other]
        hardest: NDArray[np.bool_] = together[np.argsort(-together.sum(axis=1), kind="stable")]
        return hardest

    def _separating(self, together: NDArray[np.bool_]) -> Iterator[tuple[CodeIndex, CodeIndex]]:
        """Yield the pairs of guesses of which at least one separates each pair of codes."""
        hardest = together[:_HARDEST].astype(np.float32)
        for start in range(0, self.rules.size, _BLOCK):
            self._check_time()
            conflicts = hardest[:, start : start + _BLOCK].T @ hardest
            one, other = np.nonzero(np.triu(conflicts == 0, k=start + 1))
            one += start
            for first in range(_HARDEST, len(together), _HARDEST):
                if not len(one):
                    break
                rest = together[first : first + _HARDEST]
                apart = ~(rest[:, one] & rest[:, other]).any(axis=0)
                one, other = one[apart], other[apart]
            yield from zip(one.tolist(), other.tolist(), strict=True)


def least_image(rules: Rules, guesses: Guesses) -> Guesses:
    """Return the least image of guesses: symbols in order of appearance after pinned ones."""
    codes = [rules.code(guess) for guess in guesses]
    least: list[Code] = []
    for places in place_orders(rules):
        moved = [tuple(code[place] for place in places) for code in codes]
        for order in permutations(moved):
            names = {symbol: symbol for symbol in range(rules.pinned)}
            image: list[Code] = []
            for code in order:
                image.append(tuple(names.setdefault(symbol, len(names)) for symbol in code))
                if least and image > least[: len(image)]:
                    break
            else:
                least = image
    return tuple(rules.index(code) for code in least)
