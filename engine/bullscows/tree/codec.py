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
from bullscows.game.response_table import ResponseArray, all_codes, responses_of_pairs
from bullscows.game.rules import Rules
from bullscows.tree.nodes import Nodes
from bullscows.tree.strategy_tree import StrategyTree, check_size

BASE = 92
_FIRST = 35
_SKIPPED = 92

DIGITS = "".join(chr(code) for code in range(_FIRST, 128) if code != _SKIPPED)
_VALUES = np.full(128, -1, dtype=np.int32)
_VALUES[[ord(character) for character in DIGITS]] = range(BASE)
"""(128,): the digit that each character stands for; -1: none."""

_Column: TypeAlias = NDArray[np.int32]
_Nodes: TypeAlias = NDArray[np.intp]


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
    guesses = tree.nodes.guesses
    implied = _implied(tree.rules, tree.nodes.starts, tree.nodes.codes)
    wrong = np.flatnonzero((implied >= 0) & (implied != guesses))
    if len(wrong):
        node = tree.nodes[int(wrong[0])]
        raise CodecError(
            f"special node {node.number} guesses {tree.rules.text(node.guess)}, "
            f"the format implies {tree.rules.text(int(implied[node.number]))}",
            node.number,
        )
    digits = digits_per_guess(tree.rules)
    return "".join(encode_number(guess, digits) for guess in guesses[implied < 0].tolist())


def stored_nodes(rules: Rules, text: str) -> int:
    """Return how many nodes `text` stores."""
    return len(text) // digits_per_guess(rules)


def decode(game: Rules | str, text: str) -> StrategyTree:
    """Return the tree of a game that `text` describes.

    Examples
    --------
    >>> print(decode("p2c3n", "##"))
    p2c3n: first guess 01, 6 secrets, total 13, turns 1/3/2

    The tree finds every secret; it need not be a good one.

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


def _read(reader: _Reader) -> Nodes:
    """Return the nodes of a tree, turn by turn: all nodes of one are read at once."""
    rules = reader.rules
    every = all_codes(rules)
    ends = np.array([0, rules.size], dtype=np.int32)
    turn = _Turn(np.array([-1], dtype=np.int32), np.zeros(1, dtype=np.uint8), ends, every)
    turns = []
    guesses = []
    before = 0
    while len(turn.parents):
        turns.append(turn)
        guesses.append(reader.guesses(turn.starts, turn.codes))
        turn, before = _next(rules, turn, guesses[-1], before), before + len(turn.parents)
    sizes = np.concatenate([np.diff(turn.starts) for turn in turns])
    return Nodes(
        np.concatenate(guesses),
        np.concatenate([turn.parents for turn in turns]),
        np.concatenate([turn.answers for turn in turns]),
        np.cumsum([0, *sizes], dtype=np.int32),
        np.concatenate([turn.codes for turn in turns]),
    )


def _next(rules: Rules, turn: _Turn, guesses: _Column, before: int) -> _Turn:
    """Return the positions after the guesses of a turn; `before` nodes come earlier in the tree."""
    owners = np.repeat(np.arange(len(guesses)), np.diff(turn.starts))
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

    def guesses(self, starts: _Column, codes: _Column) -> _Column:
        """Return the guess of each node, implied or stored; node k has ``codes[starts[k]:...]``."""
        guesses = _implied(self.rules, starts, codes)
        places = np.flatnonzero(guesses < 0)
        stored = self._numbers(len(places))
        self._check(starts, codes, places[: len(stored)], stored)
        if len(stored) < len(places):
            unreadable = np.flatnonzero(self._values[self.position :] < 0)
            if not len(unreadable):
                place = len(self._text)
                raise TruncatedError(f"the text ends at {place}, but the tree does not", place)
            place = self.position + int(unreadable[0])
            raise CharacterError(
                f"invalid base-92 character {self._text[place]!r} at {place}", place
            )
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

    def _check(self, starts: _Column, codes: _Column, nodes: _Nodes, numbers: _Column) -> None:
        """Refuse the first number that no code has, or whose guess splits nothing."""
        for place, (node, number) in enumerate(zip(nodes, numbers.tolist(), strict=True)):
            at = self.position + place * self._digits
            if number >= self.rules.size:
                raise NumberError(
                    f"number {number} at {at} is no code: {self.rules} has {self.rules.size}", at
                )
            members = codes[starts[node] : starts[node + 1]]
            if not self.rules.splits(number, members.tolist()):
                raise SplitError(
                    f"guess {self.rules.text(number)} at {at} leaves all "
                    f"{len(members)} candidates together",
                    at,
                )


def _implied(rules: Rules, starts: _Column, codes: _Column) -> _Column:
    """Return the guess of each special node as `special_guess` defines it, -1 for the others.

    The candidates of node k are ``codes[starts[k]:starts[k + 1]]``.  One of them splits them into
    singletons if it gets as many different answers as there are candidates.  There are at most 44
    answers: one bit each.
    """
    sizes = np.diff(starts)
    implied = np.where(sizes <= 2, codes[starts[:-1]], np.int32(-1))
    nodes = np.flatnonzero((sizes > 2) & (sizes <= len(rules.answers)))
    for size in np.unique(sizes[nodes]):
        places = nodes[sizes[nodes] == size]
        members = codes[starts[places][:, None] + np.arange(size)]
        pairs = (np.repeat(members, size, axis=1), np.tile(members, size))
        given = responses_of_pairs(rules, *(pair.ravel() for pair in pairs))
        bits = np.uint64(1) << given.reshape(-1, size, size).astype(np.uint64)
        apart = np.bitwise_count(np.bitwise_or.reduce(bits, axis=1)) == size
        special = apart.any(axis=1)
        implied[places[special]] = members[special, apart[special].argmax(axis=1)]
    return implied
