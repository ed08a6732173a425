"""Strategy tree <-> base-92 text, in the format of Slovesnov's paper, section 6.2.

Nodes are taken in breadth-first order, children by ascending answer.  A *special* node is not
stored: its guess follows from its candidates (see `engine.tree.strategy_tree.special_guess`).
Every other node stores the number of its guess as base-92 digits, most significant first: two
digits for games of up to 92 * 92 = 8464 codes, the fewest that suffice for larger ones.

Digit v is the character with code 35 + v for v < 57 and 36 + v from there on: the characters 35
``#`` to 127 without 92, the backslash, which most languages make two of.  Digit 91 is character
127 (DEL).  It does occur, so text that travels must carry it escaped.

Stability: this format does not change.  Strings published by the paper's author decode here, and
ours decode in his program.  There is one string per tree and one tree per string: decoding is
strict, and ``encode(decode(rules, text)) == text`` for every text that decodes.

Errors
------
CodecError(ValueError)
    CharacterError      a character that is no digit
    NumberError         digits of a number that no code has
    SplitError          a guess that leaves all candidates together
    TruncatedError      the text ends before the tree is complete
    TrailingError       text is left over when the tree is complete
    UnencodableError    a tree that has no text: a special node with another guess
"""

from __future__ import annotations

from engine.errors import EngineError
from engine.game.history import Turns
from engine.game.rules import CodeIndex, Rules
from engine.tree.strategy_tree import Candidates, StrategyTree, special_guess

BASE = 92
_FIRST = 35
_SKIPPED = 92

DIGITS = "".join(chr(code) for code in range(_FIRST, 128) if code != _SKIPPED)
_VALUES = {character: value for value, character in enumerate(DIGITS)}


class CodecError(EngineError, ValueError):
    """Text that is not a strategy tree, or a tree that has no text.

    `position` is the place in the text, from 0; for a tree, the number of the node.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class CharacterError(CodecError):
    """A character that is no base-92 digit."""


class NumberError(CodecError):
    """A number that no code of the game has."""


class SplitError(CodecError):
    """A stored guess that leaves all candidates together."""


class TruncatedError(CodecError):
    """The text ends before every node has its guess."""


class TrailingError(CodecError):
    """The tree is complete and text is left over."""


class UnencodableError(CodecError):
    """A special node whose guess is not the one that the format implies."""


def digits_per_guess(rules: Rules) -> int:
    """Return how many base-92 digits a guess takes: 2 for up to 8464 codes.

    >>> digits_per_guess(Rules.parse("p5c10n"))
    3
    """
    digits = 2
    while BASE**digits < rules.size:
        digits += 1
    return digits


def encode_number(number: int, digits: int) -> str:
    """Return `number` as `digits` base-92 digits, most significant first.

    >>> encode_number(5039, 2)
    'Yk'
    """
    text = ""
    for _ in range(digits):
        number, value = divmod(number, BASE)
        text = DIGITS[value] + text
    return text


def encode(tree: StrategyTree) -> str:
    """Return the text of `tree`, which must be of a whole game.

    >>> encode(decode("p2c3n", "##"))
    '##'

    Raises
    ------
    UnencodableError
        If a special node has another guess than the one that the format implies.
    """
    digits = digits_per_guess(tree.rules)
    stored = []
    for node in tree.nodes:
        implied = special_guess(tree.rules, node.candidates)
        if implied is None:
            stored.append(encode_number(node.guess, digits))
        elif node.guess != implied:
            raise UnencodableError(
                f"special node {node.number} guesses {tree.rules.text(node.guess)}, "
                f"the format implies {tree.rules.text(implied)}",
                node.number,
            )
    return "".join(stored)


def stored_nodes(rules: Rules, text: str) -> int:
    """Return how many nodes `text` stores."""
    return len(text) // digits_per_guess(rules)


def decode(game: Rules | str, text: str) -> StrategyTree:
    """Return the tree of a game that `text` describes.

    >>> print(decode("p2c3n", "##"))
    p2c3n: first guess 01, 6 secrets, total 13, turns 1/3/2

    Success promises a complete strategy for every secret; it promises nothing about its quality.

    Raises
    ------
    CodecError
        One of its subclasses, with the place in the text.
    engine.tree.strategy_tree.TreeError
        If the game is too large for a tree.
    """
    rules = Rules.of(game)
    reader = _Reader(rules, text)
    tree = StrategyTree.grow(rules, reader.choose)
    if reader.position != len(text):
        raise TrailingError(
            f"the tree is complete at {reader.position}, "
            f"but {len(text) - reader.position} characters are left",
            reader.position,
        )
    return tree


class _Reader:
    """Reads one guess after the other from a text."""

    def __init__(self, rules: Rules, text: str) -> None:
        self.position = 0
        self._rules = rules
        self._text = text
        self._digits = digits_per_guess(rules)

    def choose(self, candidates: Candidates, _: Turns) -> CodeIndex:
        if len(candidates) == 1:  # as three of four nodes
            return candidates[0]
        implied = special_guess(self._rules, candidates)
        return self._stored(candidates) if implied is None else implied

    def _stored(self, candidates: Candidates) -> CodeIndex:
        start = self.position
        guess = self._number(start)
        if guess >= self._rules.size:
            raise NumberError(
                f"number {guess} at {start} is no code: {self._rules} has {self._rules.size}",
                start,
            )
        if not self._rules.splits(guess, candidates):
            raise SplitError(
                f"guess {self._rules.text(guess)} at {start} leaves all "
                f"{len(candidates)} candidates together",
                start,
            )
        self.position = start + self._digits
        return guess

    def _number(self, start: int) -> int:
        number = 0
        for place in range(start, start + self._digits):
            if place >= len(self._text):
                raise TruncatedError(f"the text ends at {place}, but the tree does not", place)
            value = _VALUES.get(self._text[place])
            if value is None:
                raise CharacterError(
                    f"invalid base-92 character {self._text[place]!r} at {place}", place
                )
            number = number * BASE + value
        return number
