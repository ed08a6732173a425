"""Relabelling: another name for every position and symbol, so that no two games look alike.

A tree always opens with the same guess.  Permuting the positions and the symbols of every code
that is shown changes no answer, so a game under a relabelling is the same game in other clothes.
If no code begins with 0, the first position and symbol 0 stay as they are.

A relabelling is written as a *token*: its rank among all pairs of permutations, in base 36.
``0`` changes nothing.  There is one token per relabelling and one relabelling per token.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import code_array
from bullscows.game.rules import SYMBOLS, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.web.exceptions import MalformedError

Permutation: TypeAlias = tuple[int, ...]
"""`permutation[i]` is what `i` becomes."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MAX_TOKEN = 12
"""The longest token: 8! * 16! has twelve base-36 digits."""


@dataclass(frozen=True)
class Relabelling:
    """A permutation of the positions and one of the symbols of a game."""

    rules: Rules
    rank: int = 0
    """Number among all pairs of permutations; 0 changes nothing."""

    @classmethod
    def draw(cls, rules: Rules) -> Relabelling:
        """Return a relabelling drawn at random, all equally likely."""
        return cls(rules, secrets.randbelow(_count(rules)))

    @classmethod
    def numbered(cls, rules: Rules, number: int) -> Relabelling:
        """Return one of the relabellings by a number; those of a hash are all equally likely."""
        return cls(rules, number % _count(rules))

    @classmethod
    def parse(cls, rules: Rules, token: str) -> Relabelling:
        """Read a token; the inverse of `token`.

        Raises `MalformedError` if the text is no canonical base-36 number, or too large for the
        game.
        """
        if not 0 < len(token) <= MAX_TOKEN:
            message = f"a relabelling has 1 to {MAX_TOKEN} characters"
        elif set(token).difference(_DIGITS):
            message = f"invalid relabelling {token!r}: only 0 to 9 and a to z count"
        elif token[0] == "0" and token != "0":
            message = f"invalid relabelling {token!r}: a leading zero"
        elif (rank := int(token, 36)) >= _count(rules):
            message = f"relabelling {token!r} is too large for {rules}"
        else:
            return cls(rules, rank)
        raise MalformedError("relabelling", message, token)

    @cached_property
    def positions(self) -> Permutation:
        """The position at which each position of the tree is shown."""
        return _unrank(self.rank % _orders(self.rules), self.rules.positions, self.rules.pinned)

    @cached_property
    def symbols(self) -> Permutation:
        """The symbol as which each symbol of the tree is shown."""
        return _unrank(self.rank // _orders(self.rules), self.rules.symbols, self.rules.pinned)

    @cached_property
    def token(self) -> str:
        """The text of this relabelling."""
        rank = self.rank
        text = ""
        while rank:
            rank, digit = divmod(rank, 36)
            text = _DIGITS[digit] + text
        return text or "0"

    def show(self, code: CodeIndex) -> CodeIndex:
        """Return the code that players see for a code of the tree."""
        return self.rules.parse_code(self.show_text(code))

    def show_text(self, code: CodeIndex) -> str:
        """Return the text of that code."""
        symbols = self.rules.code(code)
        return "".join([self.letters[symbols[place]] for place in self.order])

    def show_all(self, codes: IndexArray) -> IndexArray:
        """Return what players see for codes of the tree, (n,) int32 each: `show`, in bulk."""
        if not self.rank:
            return codes
        listed, numbers, weights = _listed(self.rules)
        symbols = np.array(self.symbols, dtype=np.int64)
        shown = symbols[listed[codes]] @ weights[list(self.positions)]
        return np.searchsorted(numbers, shown).astype(np.int32)

    @cached_property
    def letters(self) -> str:
        """The symbol as which each symbol of the tree is shown, as text."""
        return "".join([SYMBOLS[symbol] for symbol in self.symbols])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The position of the tree that is shown at each position."""
        return tuple(map(self.positions.index, range(self.rules.positions)))


@lru_cache(maxsize=16)
def _listed(rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return all codes, the numbers that they are read as, and the weight of each position."""
    codes = code_array(rules)
    weights = rules.symbols ** np.arange(rules.positions - 1, -1, -1, dtype=np.int64)
    return codes, codes @ weights, weights


def _orders(rules: Rules) -> int:
    return factorial(rules.positions - rules.pinned)


def _count(rules: Rules) -> int:
    return _orders(rules) * factorial(rules.symbols - rules.pinned)


def _unrank(rank: int, size: int, pinned: int) -> Permutation:
    """Return permutation `rank` of 0 to size - 1, whose first `pinned` stay."""
    permutation = list(range(pinned))
    unused = list(range(pinned, size))
    for left in range(size - pinned - 1, -1, -1):
        place, rank = divmod(rank, factorial(left))
        permutation.append(unused.pop(place))
    return tuple(permutation)
