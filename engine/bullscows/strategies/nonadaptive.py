"""The nonadaptive game: all guesses are made before any answer, and must identify every code.

The guesses that identify the secret are counted, following Goddard (Static Mastermind, 2003),
without a final guess that names it.

Upper bounds come from simulated annealing over sets that some transformation maps onto themselves.
For lower bounds, sets of k guesses are ruled out, one size after the other. Of the k - 3 guesses
that make the most parts, one set of each class is tried, and one guess of each class to follow. The
other two must separate all pairs of codes that are still together: those that past attempts left
together exclude nearly all others (docs/proof.md, "Nonadaptive sets").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice, product
from math import lcm

import numpy as np
from numpy.typing import NDArray

from bullscows.game.canonical import canonical_form
from bullscows.game.history import History
from bullscows.game.response_table import GameTooLargeError, ResponseTable
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import Transformation, representatives
from bullscows.game.timer import UNLIMITED, OutOfTimeError, ReportText, Timer
from bullscows.kernels.parts import count_parts
from bullscows.strategies.nonadaptive_kernels import anneal, complete

MAX_CODES = 7000
"""The largest game: a step looks at the answers of all codes to all guesses."""

_STEPS = 2000
"""Number of exchanges of an orbit of a symmetric set."""
_RUNS = 500
"""Number of kinds of symmetric sets that are tried."""

Guesses = tuple[CodeIndex, ...]
_Labels = NDArray[np.int64]
"""(size,): codes with one label have got the same answers so far; labels are 0, 1, ..."""


@dataclass(frozen=True)
class NonadaptiveSet:
    """Guesses that identify every secret, and a bound on the number that can."""

    rules: Rules
    guesses: Guesses
    """A set that identifies every code."""
    lower: int
    """No fewer guesses do."""
    searched: int = 0
    """The number of sets of all but two guesses that were tried."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search."""

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
    timer: Timer = UNLIMITED,
    progress: ReportText | None = None,
) -> NonadaptiveSet:
    """Find the fewest guesses, all made before any answer, that identify every code.

    >>> found = nonadaptive_set("p2c3r")
    >>> len(found.guesses), found.proved
    (2, True)

    The search ends with what it has at the end of the time, or on Ctrl-C; a first set is always
    found.  `progress` receives sentences.

    Raises `GameTooLargeError` if the game has more than `MAX_CODES` codes.
    """
    rules = Rules.of(game)
    if rules.size > MAX_CODES:
        raise GameTooLargeError(
            f"{rules} has {rules.size} codes; nonadaptive sets are searched for up to {MAX_CODES}"
        )
    return _Search(rules, timer, progress or (lambda _: None)).search()


class _Search:
    def __init__(self, rules: Rules, timer: Timer, progress: ReportText) -> None:
        self.rules = rules
        self.progress = progress
        self.answers = len(rules.answers)
        self.timer = timer
        self.responses = ResponseTable.of(rules).responses
        self.rows = np.ascontiguousarray(self.responses[:, : rules.size].T)
        """(size, size) uint8: the answers of all secrets to each guess."""
        self.searched = 0

    def search(self) -> NonadaptiveSet:
        """Close in on the size from both sides until they meet or time is up."""
        best = self._greedy()
        lower = self._least_by_counting()
        interrupted = False
        improvable = True
        try:
            while lower < len(best):
                self.progress(f"{lower} to {len(best)} guesses")
                # The last size in question is decided by the second step.
                if improvable and lower < len(best) - 1:
                    fewer = self._annealed(len(best) - 1)
                    improvable = fewer is not None
                    best = fewer or best
                if (found := self._exhausted(lower)) is None:
                    lower += 1
                else:
                    best = found
        except OutOfTimeError:
            pass
        except KeyboardInterrupt:
            interrupted = True
        return NonadaptiveSet(self.rules, tuple(sorted(best)), lower, self.searched, interrupted)

    def _greedy(self) -> Guesses:
        """Return a set, each guess of which makes the most parts with those before."""
        guesses: Guesses = ()
        while self._count(guesses) < self.rules.size:
            guesses = (*guesses, int(self._parts(guesses).argmax()))
        return guesses

    def _annealed(self, size: int) -> Guesses | None:
        """Return a symmetric set of this size that identifies every code, if one is found."""
        for orbits, low, high in islice(_unions(self.rules, size), _RUNS):
            self.timer.check()
            if anneal(self.rows, orbits, low, high, _STEPS, chosen := low.copy()):
                return tuple(set(orbits[chosen].ravel().tolist()) - {-1})
        return None

    def _labels(self, guesses: Guesses) -> _Labels:
        labels = np.zeros(self.rules.size, dtype=np.int64)
        for guess in guesses:
            cells = labels * self.answers + self.rows[guess]
            labels = np.unique(cells, return_inverse=True)[1]
        return labels

    def _count(self, guesses: Guesses) -> int:
        """Return how many parts a set makes of all codes."""
        return int(self._labels(guesses).max()) + 1

    def _parts(self, guesses: Guesses) -> NDArray[np.int64]:
        """Return how many parts a set makes of all codes with one guess more, for each guess."""
        labels = self._labels(guesses)
        stride = self.responses.shape[1]
        order = np.argsort(labels, kind="stable").astype(np.uint32)
        start = 0
        total = np.zeros(stride, dtype=np.int64)
        made = np.zeros(stride, dtype=np.uint8)
        for size in np.bincount(labels).tolist():
            flat = self.responses.reshape(-1)
            count_parts(flat, stride, self.answers, order, start, size, made)
            total += made
            start += size
        return total[: self.rules.size]

    def _least_by_counting(self) -> int:
        """Return the fewest guesses that could have as many answers as there are codes."""
        most = int(self._parts(()).max())
        return next(size for size in count() if most**size >= self.rules.size)

    def _exhausted(self, size: int) -> Guesses | None:
        """Return a set of this size that identifies every code, or None if there is none."""
        if size < 3:
            longer = ((*one, int(self._parts(one).argmax())) for one in self._sets(size - 1))
            return next((one for one in longer if self._count(one) == self.rules.size), None)
        sets = self._sets(size - 3)
        sets.sort(key=self._count, reverse=True)
        for number, guesses in enumerate(sets, 1):
            self.timer.check()
            self.progress(f"are {size} guesses enough? {number} of {len(sets)} classes of sets")
            if (completed := self._completed(guesses)) is not None:
                return completed
        return None

    def _sets(self, size: int) -> list[Guesses]:
        """Return one of each class of sets of this size that symmetry makes equal."""
        level: list[Guesses] = [()]
        for _ in range(size):
            longer: set[Guesses] = set()
            for guesses in level:
                self.timer.check()
                others = representatives(self.rules, guesses).tolist()
                new = (guess for guess in others if guess not in guesses)
                longer.update(self._canonical((*guesses, guess)) for guess in new)
            level = sorted(longer)
        return level

    def _canonical(self, guesses: Guesses) -> Guesses:
        """Return one set for all that symmetry makes equal."""
        turns = tuple((guess, 0) for guess in guesses)
        return canonical_form(History(self.rules, turns)).history.guesses

    def _completed(self, guesses: Guesses) -> Guesses | None:
        """Return the set with three more guesses that identifies every code, if there is one.

        Of all subsets of its size in such a set, the given set makes the most parts.
        """
        most = self._count(guesses)
        allowed = np.ones(self.rules.size, dtype=np.bool_)
        for place in range(len(guesses)):
            allowed &= self._parts(guesses[:place] + guesses[place + 1 :]) <= most
        allowed[list(guesses)] = False
        parts = self._parts(guesses)
        others = np.flatnonzero(allowed)
        others = others[np.argsort(parts[others], kind="stable")]
        first = np.flatnonzero(np.isin(others, representatives(self.rules, guesses)))[::-1].copy()
        columns = np.ascontiguousarray(self.responses[:, others])
        found = np.full(3, -1)
        self.searched += complete(
            self._labels(guesses), columns, self.answers, parts[others], first, found
        )
        return None if found[0] < 0 else (*guesses, *others[found].tolist())


def _partitions(number: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of numbers up to `most`, descending."""
    if number == 0:
        yield ()
    for first in range(min(number, most), 0, -1):
        for rest in _partitions(number - first, first):
            yield (first, *rest)


def _unions(rules: Rules, size: int) -> Iterator[tuple[NDArray[np.int64], _Labels, _Labels]]:
    """Yield orbits with first and last + 1 of those to choose from, for unions of this size."""
    for orbits in _orbits(rules, size):
        lengths = (orbits >= 0).sum(axis=1)
        for slots in _partitions(size, orbits.shape[1]):
            low, high = (np.searchsorted(lengths, slots, side) for side in ("left", "right"))
            if (low < high).all():
                yield orbits, low, high


def _orbits(rules: Rules, longest: int) -> Iterator[NDArray[np.int64]]:
    """Yield the orbits of one transformation of each kind, by length, padded with -1.

    Transformations whose order is above `longest` are left out.
    """
    free = rules.positions - rules.pinned, rules.symbols - rules.pinned
    for kind in product(*(_partitions(number, number) for number in free)):
        order = lcm(*kind[0], *kind[1])
        move = Transformation(*(_rotation(rules, k) for k in kind))
        if order <= longest:
            image = np.array([move.apply_to_index(rules, code) for code in range(rules.size)])
            powers = [np.arange(rules.size)]
            while len(powers) < order:
                powers.append(image[powers[-1]])
            orbits = np.stack(powers, axis=1)
            orbits = orbits[orbits.min(axis=1) == orbits[:, 0]]
            orbits[np.cumsum(orbits == orbits[:, :1], axis=1) > 1] = -1
            yield orbits[np.argsort((orbits >= 0).sum(axis=1), kind="stable")]


def _rotation(rules: Rules, cycles: tuple[int, ...]) -> tuple[int, ...]:
    """Return a permutation with these cycles after what every symmetry fixes."""
    images = list(range(rules.pinned))
    for length in cycles:
        images += [*range(len(images) + 1, len(images) + length), len(images)]
    return tuple(images)
