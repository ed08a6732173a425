"""The exact expected distribution of guessing random candidates, by recursion over all games.

Each candidate is guessed with the same probability. The expected number of secrets found at each
turn is a fraction, the mean over all guesses of the sum over their parts; for n candidates, times
n!, it is whole. Positions are known by their candidates; at most two turns into a game one guess of
each class is tried.

The expected number of a set of n candidates has a denominator that divides n!: that of a part
divides (n - 1)!, and the sum over the guesses is divided by n. So up to `SMALL` candidates, times
`SCALE`, all such numbers are whole and fit 64 bits, and a kernel computes them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import GameTooLargeError, ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray, equivalence_classes
from bullscows.kernels.compiling.jit import Bytes, Numbers, int64, kernel
from bullscows.strategies.one_step import TURNS_WITH_SYMMETRY
from bullscows.tree.nodes import Candidates

MAX_SECRETS = 6000
"""The most candidates: the sums over one guess of more would not fit 64 bits, nor end soon."""

SMALL = 17
SCALE = math.factorial(SMALL)
"""The factor of all numbers of sets of up to `SMALL` candidates."""

factorial = cache(math.factorial)


@dataclass(frozen=True)
class ExpectedLengths:
    """How long games last, expected over all draws of a strategy and summed over all secrets."""

    turns: tuple[Fraction, ...]
    """How many secrets are found at turn 1, 2, ... of the game."""
    by_answer: dict[AnswerIndex, Fraction]
    """The turns over the secrets that give each answer to the next guess, which is drawn too."""

    @property
    def secrets(self) -> int:
        """The number of secrets."""
        return int(sum(self.turns))

    @property
    def total(self) -> Fraction:
        """The turns over all secrets."""
        return _total(self.turns)


def check_size(rules: Rules, count: int) -> None:
    """Refuse a position of too many candidates."""
    if count > MAX_SECRETS:
        raise GameTooLargeError(
            f"random-candidate is followed through all games of up to {MAX_SECRETS} candidates, "
            f"and {rules} has {count} here: give some turns"
        )


class RandomCandidate:
    """Finds what to expect in any position of a game."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._table = ResponseTable.of(rules)
        self._known: dict[bytes, list[int]] = {}

    def lengths(
        self, candidates: Candidates, path: Turns = (), first: CodeIndex | None = None
    ) -> ExpectedLengths:
        """Return the expected distribution after the turns of `path`; raise `GameTooLargeError`."""
        check_size(self._rules, len(candidates))
        members = np.array(candidates, dtype=np.int32)
        guesses = self._guesses(members, path) if first is None else [(first, 1)]
        drawn = sum(weight for _, weight in guesses)
        by_answer: dict[AnswerIndex, list[Fraction]] = defaultdict(list)
        for guess, weight in guesses:
            answers = self._table.responses[members, guess]
            for answer in np.unique(answers).tolist():
                part = members[answers == answer]
                after = (*path, (guess, answer))
                found = self._part(part, after, answer == self._table.win)
                known = by_answer[answer]
                known += [Fraction()] * (len(found) - len(known))
                for turn, count in enumerate(found):
                    known[turn] += Fraction(weight, drawn) * count
        totals = {answer: _total(by_answer[answer]) for answer in sorted(by_answer)}
        return ExpectedLengths(_summed(list(by_answer.values())), totals)

    def _part(self, part: IndexArray, path: Turns, is_won: bool) -> list[Fraction]:
        """Return how many of a part are found at turn 1, 2, ... of the game."""
        if is_won:
            return [*[Fraction()] * (len(path) - 1), Fraction(len(part))]
        scale = factorial(len(part))
        return [Fraction()] * len(path) + [Fraction(n, scale) for n in self._found(part, path)]

    def _guesses(self, members: IndexArray, path: Turns) -> list[tuple[CodeIndex, int]]:
        """Return the candidates to look into, and for how many each stands."""
        if len(path) > TURNS_WITH_SYMMETRY:
            return [(guess, 1) for guess in members.tolist()]
        labels = equivalence_classes(self._rules, [guess for guess, _ in path]).labels[members]
        _, places, counts = np.unique(labels, return_index=True, return_counts=True)
        return list(zip(members[places].tolist(), counts.tolist(), strict=True))

    def _found(self, members: IndexArray, path: Turns) -> list[int]:
        """Return how many are found at the next guess, ..., times the factorial of all."""
        key = members.tobytes()
        if key not in self._known:
            self._known[key] = self._expected(members, path)
        return self._known[key]

    def _expected(self, members: IndexArray, path: Turns) -> list[int]:
        count = len(members)
        below = factorial(count - 1)
        scratch = make_scratch(count, self._table.answers)
        responses = self._table.responses
        sums = [0] * (SMALL + 2)
        found = [factorial(count)]
        for guess, weight in self._guesses(members, path):
            scratch.members[0, :count] = members
            larger = expect(responses, self._table.win, scratch, 0, 0, count, guess)
            for turn, number in enumerate(scratch.found[0].tolist()):
                sums[turn] += weight * number
            for start, size in scratch.larger[: 2 * larger].reshape(-1, 2).tolist():
                part = scratch.members[1, start : start + size].copy()
                factor = weight * (below // factorial(size))
                answer = int(responses[part[0], guess])
                _add(found, 1, factor, self._found(part, (*path, (guess, answer))))
        _add(found, 0, below, sums, SCALE)
        return found


def _add(found: list[int], later: int, factor: int, counts: Sequence[int], scale: int = 1) -> None:
    """Add to `found` the counts of positions `later` turns on, times a factor over a scale."""
    last = max((turn + 1 for turn, count in enumerate(counts) if count), default=0)
    found += [0] * (last + later - len(found))
    for turn, count in enumerate(counts[:last]):
        found[turn + later] += factor * count // scale


def _summed(rows: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    last = max(turn for row in rows for turn, count in enumerate(row, start=1) if count)
    padded = [[*row[:last], *[Fraction()] * (last - len(row))] for row in rows]
    return tuple(sum(column, start=Fraction()) for column in zip(*padded, strict=True))


def _total(found: Sequence[Fraction]) -> Fraction:
    return sum((turn * count for turn, count in enumerate(found, start=1)), start=Fraction())


# -- small sets, compiled --------------------------------------------------------------------------


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
