"""Strategy tree <-> base-92 text, in the format of Slovesnov's paper, section 6.2.

docs/reference/format.md describes the format, which does not change: strings published by the
paper's author decode here, and ours decode in his program. Decoding is strict:
``encode(decode(rules, text)) == text`` for every text that decodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.errors import EngineError
from bullscows.game import arguments
from bullscows.game.responses import ResponseArray, responses_of_pairs
from bullscows.game.rules import Rules
from bullscows.tree.nodes import Nodes
from bullscows.tree.strategy_tree import StrategyTree, check_size, special_guess

BASE = 92
_FIRST = 35
_SKIPPED = 92

DIGITS = "".join(chr(code) for code in range(_FIRST, 128) if code != _SKIPPED)
_VALUES = np.full(128, -1, dtype=np.int32)
_VALUES[[ord(character) for character in DIGITS]] = range(BASE)
"""(128,): the digit that each character stands for; -1: none."""

_Column: TypeAlias = NDArray[np.int32]


class CodecError(EngineError, ValueError):
    """Text that is not a strategy tree, or a tree that has no text."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position
        """The place in the text, from 0, or the number of the node of a tree."""


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

    Examples
    --------
    >>> encode(decode("p2c3n", "##"))
    '##'

    Parameters
    ----------
    tree
        A tree of a whole game.

    Returns
    -------
    str
        The tree in base 92.

    Raises
    ------
    CodecError
        If a special node has another guess than the one that the format implies.
    """
    arguments.instance("tree", tree, StrategyTree, "a StrategyTree")
    digits = digits_per_guess(tree.rules)
    stored = []
    for node in tree.nodes:
        implied = special_guess(tree.rules, node.candidates)
        if implied is None:
            stored.append(encode_number(node.guess, digits))
        elif node.guess != implied:
            raise CodecError(
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

    Examples
    --------
    >>> print(decode("p2c3n", "##"))
    p2c3n: first guess 01, 6 secrets, total 13, turns 1/3/2

    The tree finds every secret; nothing is said of its quality.

    Parameters
    ----------
    game
        The rules, or their text.
    text
        The tree in base 92.

    Returns
    -------
    StrategyTree
        The tree.

    Raises
    ------
    CodecError
        One of its subclasses, with the place in the text.
    TreeError
        If the game is too large for a tree.
    """
    rules = Rules.of(game)
    check_size(rules)
    arguments.text("text", text, "##")
    reader = _Reader(rules, text)
    tree = StrategyTree(rules, _read(reader))
    if reader.position != len(text):
        raise TrailingError(
            f"the tree is complete at {reader.position}, "
            f"but {len(text) - reader.position} characters are left",
            reader.position,
        )
    return tree


@dataclass(frozen=True)
class _Turn:
    """The nodes that are asked at one turn, n in number, and their m candidates."""

    parents: _Column
    """(n,): the node before each, ascending."""
    answers: ResponseArray
    """(n,): the answer that leads from there."""
    starts: _Column
    """(n + 1,): where the candidates of each begin in `codes`, and where the last end."""
    codes: _Column
    """(m,): the candidates of all of them."""

    @property
    def sizes(self) -> _Column:
        """(n,): how many candidates each has."""
        return np.diff(self.starts)

    @property
    def owners(self) -> _Column:
        """(m,): the node of each candidate, from 0."""
        return np.repeat(np.arange(len(self.parents), dtype=np.int32), self.sizes)


def _read(reader: _Reader) -> Nodes:
    """Return the nodes of a tree, turn by turn: all nodes of one are read at once."""
    rules = reader.rules
    codes = np.arange(rules.size, dtype=np.int32)
    turn = _Turn(
        np.array([-1], dtype=np.int32),
        np.zeros(1, dtype=np.uint8),
        np.array([0, rules.size], dtype=np.int32),
        codes,
    )
    turns = []
    guesses = []
    before = 0
    while len(turn.parents):
        turns.append(turn)
        guesses.append(reader.guesses(turn))
        turn, before = _next(rules, turn, guesses[-1], before), before + len(turn.parents)
    sizes = np.concatenate([turn.sizes for turn in turns])
    return Nodes(
        np.concatenate(guesses),
        np.concatenate([turn.parents for turn in turns]),
        np.concatenate([turn.answers for turn in turns]),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        np.concatenate([turn.codes for turn in turns]),
    )


def _next(rules: Rules, turn: _Turn, guesses: _Column, before: int) -> _Turn:
    """Return the positions after the guesses of a turn; `before` nodes come earlier in the tree."""
    owners = turn.owners
    answers = len(rules.answers)
    given = responses_of_pairs(rules, turn.codes, guesses[owners])
    left = np.flatnonzero(given != rules.win)
    keys = owners[left] * answers + given[left]
    order = np.argsort(keys, kind="stable")
    children, starts = np.unique(keys[order], return_index=True)
    return _Turn(
        (before + children // answers).astype(np.int32),
        (children % answers).astype(np.uint8),
        np.append(starts, len(left)).astype(np.int32),
        turn.codes[left[order]],
    )


class _Reader:
    """Reads the guesses of one turn after the other from a text."""

    def __init__(self, rules: Rules, text: str) -> None:
        self.rules = rules
        self.position = 0
        self._text = text
        self._digits = digits_per_guess(rules)
        characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        self._values = np.where(characters < 128, _VALUES[characters & 127], np.int32(-1))

    def guesses(self, turn: _Turn) -> _Column:
        """Return the guess of each node: the first of one or two candidates, implied or stored."""
        guesses = turn.codes[turn.starts[:-1]]
        large = np.flatnonzero(turn.sizes > 2)
        guesses[large] = _implied(self.rules, turn)[large]
        places = np.flatnonzero(guesses < 0).astype(np.int32)
        stored = self._numbers(len(places))
        self._check(turn, places[: len(stored)], stored)
        if len(stored) < len(places):
            raise self._unreadable()
        guesses[places] = stored
        self.position += len(places) * self._digits
        return guesses

    def _numbers(self, count: int) -> _Column:
        """Return the next `count` numbers, or as many as can be read."""
        digits = self._digits
        values = self._values[self.position : self.position + count * digits]
        unreadable = np.flatnonzero(values < 0)
        readable = (unreadable[0] if len(unreadable) else len(values)) // digits
        powers = np.array([BASE**place for place in reversed(range(digits))], dtype=np.int32)
        numbers: _Column = values[: readable * digits].reshape(-1, digits) @ powers
        return numbers

    def _check(self, turn: _Turn, places: _Column, numbers: _Column) -> None:
        """Refuse the first number that no code has, or whose guess splits nothing."""
        known = numbers < self.rules.size
        splits = _splits(self.rules, turn, places, np.where(known, numbers, 0))
        wrong = np.flatnonzero(~(known & splits))
        if not len(wrong):
            return
        first = int(wrong[0])
        at = self.position + first * self._digits
        number = int(numbers[first])
        if not known[first]:
            raise NumberError(
                f"number {number} at {at} is no code: {self.rules} has {self.rules.size}", at
            )
        raise SplitError(
            f"guess {self.rules.text(number)} at {at} leaves all "
            f"{turn.sizes[places[first]]} candidates together",
            at,
        )

    def _unreadable(self) -> CodecError:
        """Return what is wrong with the text from here on: a character, or that it ends."""
        left = self._values[self.position :]
        place = self.position + int(np.append(np.flatnonzero(left < 0), len(left))[0])
        if place == len(self._text):
            return TruncatedError(f"the text ends at {place}, but the tree does not", place)
        return CharacterError(f"invalid base-92 character {self._text[place]!r} at {place}", place)


def _answers_of(
    rules: Rules, turn: _Turn, nodes: _Column, guesses: _Column
) -> tuple[ResponseArray, _Column]:
    """Return the answers of each node's candidates to its guess, and where each node's begin."""
    sizes = turn.sizes[nodes]
    ends = np.cumsum(sizes)
    starts = (ends - sizes).astype(np.int32)
    of_all = np.arange(ends[-1]) + np.repeat(turn.starts[nodes] - starts, sizes)
    return responses_of_pairs(rules, turn.codes[of_all], np.repeat(guesses, sizes)), starts


def _splits(rules: Rules, turn: _Turn, places: _Column, guesses: _Column) -> NDArray[np.bool_]:
    """Return whether each guess splits the candidates of its node."""
    if not len(places):
        return np.ones(0, dtype=bool)
    given, starts = _answers_of(rules, turn, places, guesses)
    return np.minimum.reduceat(given, starts) < np.maximum.reduceat(given, starts)


def _implied(rules: Rules, turn: _Turn) -> _Column:
    """Return the guess of each special node as `special_guess` defines it, -1 for the others.

    A candidate splits its node into singletons if the node has as many different answers as
    candidates. There are at most 44 answers: one bit each.
    """
    sizes = turn.sizes[turn.owners]
    asked = np.flatnonzero((sizes > 2) & (sizes <= len(rules.answers)))
    implied = np.full(len(turn.parents), -1, dtype=np.int32)
    if not len(asked):
        return implied
    given, starts = _answers_of(rules, turn, turn.owners[asked], turn.codes[asked])
    bits = np.bitwise_or.reduceat(np.uint64(1) << given.astype(np.uint64), starts)
    apart = asked[np.bitwise_count(bits) == sizes[asked]]
    special, first = np.unique(turn.owners[apart], return_index=True)
    implied[special] = turn.codes[apart[first]]
    return implied
