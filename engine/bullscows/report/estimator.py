"""Francis' estimator: a lower bound on the turns after each first answer ("Estimators").

The *fan-out* of a set of candidates is the most answers that a guess can get from it, where a guess
that is no candidate counts one less: a candidate with f - 1 answers finds itself now and f - 2 more
on the next turn, which costs at least as much as f on the next turn. After two guesses the fan-outs
are exact, by trying every third guess. Below that a part is at most as wide as its size and the
fan-outs of every pair of the three guesses made.

A bound after a first answer is the least over all second guesses of the cost of its parts if every
fan-out is attained. There is one for each turn from 2 to 5, in which all secrets left are found at
the next turn; each uses the fan-outs of one guess more. Francis prints the differences of these
bounds as secrets at each turn. His columns therefore limit turns, not the secrets found by a turn:
those are in `bullscows.report.francis`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import ResponseTable, code_array
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, equivalence_classes, representatives

Counts = NDArray[np.intp]


@dataclass(frozen=True)
class Estimate:
    """The bound after one first answer."""

    found: tuple[int, ...]
    """Secrets at turn 1, 2, ..., 6."""

    @property
    def total(self) -> int:
        """The turns that no strategy betters."""
        return sum(turn * secrets for turn, secrets in enumerate(self.found, start=1))


class Estimator:
    """The estimates of one game without repeats, after its first guess, number 0.

    >>> Estimator(Rules.parse("p4c10n")).estimate(11).found  # after 3.0
    (0, 1, 5, 10, 8, 0)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        table = ResponseTable.of(rules)
        self._responses = table.responses[:, : rules.size]
        classes = equivalence_classes(rules, [0])
        self.seconds: list[CodeIndex] = classes.representatives.tolist()
        """A second guess of each class."""
        self._labels = classes.labels
        self._sizes = [self._parts(self._after(answer), self.seconds) for answer in self._answers]

    @property
    def _answers(self) -> range:
        return range(len(self.rules.answers))

    def estimate(self, answer: AnswerIndex) -> Estimate:
        """Return the estimate after an answer to the first guess."""
        if answer == self.rules.win:
            return Estimate((1, 0, 0, 0, 0, 0))
        left = int(self._sizes[answer][0].sum())
        found, turns = [0], 0
        for turn, bound in enumerate(self._bounds(answer), start=2):
            found.append(turns + (turn + 1) * left - bound)
            turns += turn * found[-1]
            left -= found[-1]
        return Estimate((*found, left))

    def fan_out(self, answer: AnswerIndex, place: int, second: AnswerIndex) -> int:
        """Return the fan-out after two answers, the second to ``seconds[place]``; 0 for no secret.

        The guesses may change places: with the answers exchanged the fan-out is the same.
        """
        return int(self._fan_outs[answer, place, second])

    # -- after two guesses -------------------------------------------------------------------------

    @cached_property
    def _fan_outs(self) -> Counts:
        """(answers, classes, answers): the fan-outs after two guesses."""
        fan_outs = np.zeros((len(self._answers), len(self.seconds), len(self._answers)), np.intp)
        for place, guess in enumerate(self.seconds):
            thirds = representatives(self.rules, [0, guess])
            for first, second, candidates in self._positions(guess):
                parts = np.count_nonzero(self._parts(candidates, thirds), axis=1)
                outside = self._outside(guess, first, second, thirds)
                fan_outs[first, place, second] = (parts - outside).max()
        return fan_outs

    @cached_property
    def _turns(self) -> Counts:
        """(answers, classes, answers): turns that the secrets after two guesses take at least."""
        least = np.zeros_like(self._fan_outs)
        for place, guess in enumerate(self.seconds):
            thirds = representatives(self.rules, [0, guess])
            labels, seen = self._labels[thirds], self._labels_seen_from(guess)[thirds]
            for first, second, candidates in self._positions(guess):
                sizes = self._parts(candidates, thirds)
                widths = np.minimum(sizes, self._fan_outs[first, place, second])
                widths = np.minimum(widths, self._fan_outs[first, labels])
                widths = np.minimum(widths, self._fan_outs[second, seen])
                inside = ~self._outside(guess, first, second, thirds)
                widths[:, self.rules.win] = sizes[:, self.rules.win] = 0
                fourth = np.count_nonzero(sizes, axis=1)
                fifth = np.maximum(widths - 1, 0).sum(axis=1)
                sixth = len(candidates) - inside - fourth - fifth
                turns = 3 * inside + 4 * fourth + 5 * fifth + 6 * sixth
                least[first, place, second] = turns.min()
        return least

    def _bounds(self, answer: AnswerIndex) -> list[int]:
        """Return the bounds of an answer's secrets, with those left after turn 2, 3, 4, 5 next."""
        sizes = self._sizes[answer]
        inside, parts = sizes[:, self.rules.win], np.delete(sizes, self.rules.win, axis=1)
        size = sizes[0].sum()
        third = np.count_nonzero(parts, axis=1)
        fourth = np.delete(self._fan_outs[answer], self.rules.win, axis=1).sum(axis=1) - third
        sixth = np.delete(self._turns[answer], self.rules.win, axis=1).sum(axis=1)
        bounds = (
            np.array([3 * size - 1]),
            4 * size - 2 * inside - third,
            5 * size - 3 * inside - 2 * third - fourth,
            2 * inside + sixth,
        )
        return [int(bound.min()) for bound in bounds]

    # -- what the response table says --------------------------------------------------------------

    def _positions(self, guess: CodeIndex) -> list[tuple[AnswerIndex, AnswerIndex, IndexArray]]:
        """Return the answers to the first guess and to `guess`, with the secrets that give them."""
        return [
            (first, second, left)
            for first in self._answers
            for second in self._answers
            if len(left := self._after(first, guess, second))
        ]

    def _after(
        self, answer: AnswerIndex, guess: CodeIndex = 0, second: AnswerIndex | None = None
    ) -> IndexArray:
        fits = self._responses[0] == answer
        if second is not None:
            fits = fits & (self._responses[guess] == second)
        return np.flatnonzero(fits).astype(np.int32)

    def _outside(
        self, guess: CodeIndex, first: AnswerIndex, second: AnswerIndex, thirds: IndexArray
    ) -> NDArray[np.bool_]:
        outside: NDArray[np.bool_] = self._responses[0] != first
        outside = outside | (self._responses[guess] != second)
        return outside[thirds]

    def _parts(self, candidates: IndexArray, guesses: IndexArray | list[CodeIndex]) -> Counts:
        """Return (guesses, answers): the sizes of the parts by answer."""
        answers = len(self._answers)
        cells = self._responses[guesses][:, candidates].astype(np.intp)
        cells += np.arange(0, len(guesses) * answers, answers)[:, None]
        counts = np.bincount(cells.ravel(), minlength=len(guesses) * answers)
        return counts.reshape(-1, answers)

    def _labels_seen_from(self, guess: CodeIndex) -> IndexArray:
        """Return the class of every code as a second guess after `guess` instead of the first."""
        names = np.argsort([*self.rules.code(guess), *self._unused(guess)])
        renamed = names[code_array(self.rules)]
        value = self.rules.symbols ** np.arange(self.rules.positions)[::-1]
        codes = code_array(self.rules).astype(np.intp) @ value
        labels: IndexArray = self._labels[np.searchsorted(codes, renamed @ value)]
        return labels

    def _unused(self, guess: CodeIndex) -> list[int]:
        used = self.rules.code(guess)
        return [symbol for symbol in range(self.rules.symbols) if symbol not in used]
