"""Scoring a guess: its answer for a secret, by the definition and by bit masks.

An answer is ``bulls.cows``: bulls are right symbols in the right place, cows are right symbols in a
wrong place. With repeats, cows = sum over symbols of min(count in guess, count in secret) minus
bulls.

`score` is the definition. `Scorer` gives the same answers about ten times as fast; `Rules.respond`
and `Rules.partition` use it. The response table (`bullscows.game.response_table`) scores arrays of
codes by the same masks, in code of its own, so that the verifier of trees does not depend on what a
search used. Tests compare all three.

This module uses the standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple


class Answer(NamedTuple):
    """The answer to one guess.

    Examples
    --------
    >>> print(Answer(bulls=1, cows=2))
    1.2
    """

    bulls: int
    """Right symbols in the right place, 0 to p."""
    cows: int
    """Right symbols in a wrong place, 0 to p - bulls."""

    def __str__(self) -> str:
        return f"{self.bulls}.{self.cows}"


def score(guess: Sequence[int], secret: Sequence[int]) -> Answer:
    """Return the answer to `guess` for a secret, by the definition.

    Both are symbols by number, of the same length; exchanging them does not change the answer.

    Examples
    --------
    >>> print(score((0, 1, 2, 3), (1, 0, 4, 5)))
    0.2
    """
    bulls = sum(asked == hidden for asked, hidden in zip(guess, secret, strict=True))
    common = sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))
    return Answer(bulls, common - bulls)


class Scorer(dict[int, tuple[int, int]]):
    """Answers to codes by number; the masks of a code are made once and kept.

    A code becomes two integers: the first has one bit per (position, symbol), so the common bits of
    two codes are bulls; the second holds the count of each symbol in unary, so the common bits are
    bulls + cows. With bulls only both are the first.
    """

    def __init__(
        self,
        code: Callable[[int], Sequence[int]],
        answers: Sequence[Answer],
        *,
        symbols: int,
        bulls_only: bool,
    ) -> None:
        super().__init__()
        self._code = code
        self._symbols = symbols
        self._bulls_only = bulls_only
        self._stride = answers[-1].bulls + 1
        self._index = [-1] * (self._stride * self._stride)
        for index, (bulls, cows) in enumerate(answers):
            self._index[bulls * self._stride + bulls + cows] = index

    def __missing__(self, number: int) -> tuple[int, int]:
        code = self._code(number)
        placed = 0
        counts = 0
        for place, symbol in enumerate(code):
            placed |= 1 << (place * self._symbols + symbol)
            bit = 1 << (symbol * len(code))
            while counts & bit:
                bit <<= 1
            counts |= bit
        self[number] = placed, placed if self._bulls_only else counts
        return self[number]

    def answers(self, guess: int, secrets: Iterable[int]) -> Iterator[int]:
        """Yield the place in the answers of the game of what each secret answers to a guess."""
        index = self._index
        stride = self._stride
        placed, counts = self[guess]
        for secret in secrets:
            other_placed, other_counts = self[secret]
            bulls = (placed & other_placed).bit_count()
            yield index[bulls * stride + (counts & other_counts).bit_count()]
