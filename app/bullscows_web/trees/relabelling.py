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
from functools import cached_property
from math import factorial

from bullscows.game.rules import SYMBOLS, CodeIndex, Rules
from bullscows.game.symmetry import Transformation, inverse
from bullscows_web.web.exceptions import MalformedError

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
        raise MalformedError("malformed-relabelling", message, token)

    @cached_property
    def transformation(self) -> Transformation:
        """The transformation of the codes of the tree to those that players see."""
        rules = self.rules
        renamed, moved = divmod(self.rank, _orders(rules))
        places = _unrank(moved, rules.positions, rules.pinned)
        symbols = _unrank(renamed, rules.symbols, rules.pinned)
        return Transformation(inverse(places), symbols)

    @cached_property
    def token(self) -> str:
        """The text of this relabelling."""
        rank = self.rank
        text = ""
        while rank:
            rank, digit = divmod(rank, 36)
            text = _DIGITS[digit] + text
        return text or "0"

    @property
    def order(self) -> tuple[int, ...]:
        """The position of the tree that is shown at each position; scripts use it offline."""
        return self.transformation.positions

    @property
    def letters(self) -> str:
        """The symbol as which each symbol of the tree is shown, for the same."""
        return "".join(SYMBOLS[symbol] for symbol in self.transformation.symbols)

    def show(self, code: CodeIndex) -> CodeIndex:
        """Return the code that players see for a code of the tree."""
        return self.transformation.apply_to_index(self.rules, code)


def _orders(rules: Rules) -> int:
    return factorial(rules.positions - rules.pinned)


def _count(rules: Rules) -> int:
    return _orders(rules) * factorial(rules.symbols - rules.pinned)


def _unrank(rank: int, size: int, pinned: int) -> tuple[int, ...]:
    """Return permutation `rank` of 0 to size - 1, whose first `pinned` stay."""
    permutation = list(range(pinned))
    unused = list(range(pinned, size))
    for left in range(size - pinned - 1, -1, -1):
        place, rank = divmod(rank, factorial(left))
        permutation.append(unused.pop(place))
    return tuple(permutation)
