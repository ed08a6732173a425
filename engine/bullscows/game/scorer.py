"""Answers by bit masks, one code against many, for who plays a tree without a response table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bullscows.game.rules import AnswerIndex, CodeIndex, Rules


class _Masks(dict[int, tuple[int, int]]):
    """Codes as two integers each, made when a code is first met and kept."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, index: int) -> tuple[int, int]:
        """Make those of all codes that differ from this one in the last place at most."""
        *head, last = self._rules.code(index)
        masks = 0, 0
        for place, symbol in enumerate(head):
            masks = self._extended(masks, place, symbol)
        tails = range(0 if head else self._rules.pinned, self._rules.symbols)
        free = tails if self._rules.repeats else [tail for tail in tails if tail not in head]
        for number, tail in enumerate(free, start=index - free.index(last)):
            self[number] = self._extended(masks, len(head), tail)
        return self[index]

    def _extended(self, masks: tuple[int, int], place: int, symbol: int) -> tuple[int, int]:
        placed, counts = masks
        width = self._rules.positions
        unary = (counts >> (symbol * width)) & ((1 << width) - 1)
        bit = (unary + 1) << (symbol * width)
        return placed | 1 << (place * self._rules.symbols + symbol), counts | bit


class Scorer:
    """Answers by bit masks: the fast twin of `respond`, about ten times as quick.

    A code becomes two integers: `placed` has one bit per (position, symbol), so the common bits
    of two codes are bulls; `counts` holds the count of each symbol in unary, so the common bits
    are bulls + cows.
    """

    def __init__(self, rules: Rules) -> None:
        self._masks = _Masks(rules)
        self._stride = rules.positions + 1
        self._index = [-1] * (self._stride * self._stride)
        for index, (bulls, cows) in enumerate(rules.answers):
            self._index[bulls * self._stride + bulls + cows] = index

    def answer(self, guess: CodeIndex, secret: CodeIndex) -> AnswerIndex:
        """Return what one code answers."""
        return next(self.answers(guess, (secret,)))

    def answers(self, guess: CodeIndex, candidates: Iterable[CodeIndex]) -> Iterator[AnswerIndex]:
        """Yield what each candidate answers."""
        index, stride, masks = self._index, self._stride, self._masks
        placed, counts = masks[guess]
        for candidate in candidates:
            other_placed, other_counts = masks[candidate]
            bulls = (placed & other_placed).bit_count()
            yield index[bulls * stride + (counts & other_counts).bit_count()]

    # The next two do as `answers` does, in half the time.

    def tells_apart(self, guess: CodeIndex, candidates: Iterable[CodeIndex]) -> bool:
        """Return whether each candidate answers something else."""
        stride, masks = self._stride, self._masks
        placed, counts = masks[guess]
        given = set()
        for candidate in candidates:
            other_placed, other_counts = masks[candidate]
            bulls = (placed & other_placed).bit_count()
            answer = bulls * stride + (counts & other_counts).bit_count()
            if answer in given:
                return False
            given.add(answer)
        return True

    def partition(
        self, guess: CodeIndex, candidates: Iterable[CodeIndex]
    ) -> dict[AnswerIndex, list[CodeIndex]]:
        """Return the candidates by what they answer, answers ascending."""
        index, stride, masks = self._index, self._stride, self._masks
        placed, counts = masks[guess]
        parts = defaultdict[int, list[int]](list)
        for candidate in candidates:
            other_placed, other_counts = masks[candidate]
            bulls = (placed & other_placed).bit_count()
            parts[index[bulls * stride + (counts & other_counts).bit_count()]].append(candidate)
        return dict(sorted(parts.items()))


@lru_cache(maxsize=32)
def scorer(rules: Rules) -> Scorer:
    """Return the scorer of a game, one for all who ask."""
    return Scorer(rules)
