"""The exact expected distribution of guessing random candidates, by recursion over all games.

Each candidate is guessed with the same probability. The expected number of secrets found at each
turn is a fraction, the mean over all guesses of the sum over their parts; for n candidates, times
n!, it is whole. Positions are known by their candidates; at most two turns into a game one guess of
each class is tried. Small sets are computed by `bullscows.strategies.random_kernels`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from bullscows.game.response_table import GameTooLargeError, ResponseTable
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray, equivalence_classes
from bullscows.strategies.one_step import TURNS_WITH_SYMMETRY
from bullscows.strategies.random_kernels import SCALE, SMALL, expect, make_scratch
from bullscows.tree.nodes import Candidates

MAX_SECRETS = 6000
"""The most candidates: the sums over one guess of more would not fit 64 bits, nor end soon."""

factorial = cache(math.factorial)


@dataclass(frozen=True)
class ExpectedLengths:
    """Lengths of games, expected over all draws of a strategy and summed over all secrets."""

    turns: tuple[Fraction, ...]
    """The expected number of secrets found at turn 1, 2, ... of the game."""
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
