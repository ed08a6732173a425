"""The response table: the answer of every secret to every guess, computed once (paper, 2.5.10).

A search knows a game only by this table. It can be made from `Rules`, or from any square of
answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bullscows.errors import EngineError
from bullscows.game import arguments
from bullscows.game.arguments import ArgumentError
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.timer import UNLIMITED, Timer

ResponseArray = NDArray[np.uint8]
"""Answers by number, uint8."""

ROW_ALIGNMENT = 64
"""Rows are padded to whole cache lines, so that vector code never needs a ragged end."""

MAX_TABLE_CODES = 41_000
"""The largest game a table is made for: 1.7 GB."""

MAX_TABLE_BYTES = MAX_TABLE_CODES**2
"""The most that the rows of some candidates of a larger game may take: as much as such a table."""

MAX_LISTED_CODES = 8**8
"""The most codes that are listed, 128 MB: as many as eight of eight symbols make."""

_BLOCK_CELLS = 1 << 16
"""How many answers are made at once: a block that stays in the processor's cache."""

TABLE_SHARE = 0.5
"""The share of a time limit that the responses may take: with less time left a search is vain."""

MAX_ANSWERS = 255
"""The most answers of a table: each is a byte."""

UNNAMED = "a game without rules"

_Words: TypeAlias = NDArray[np.unsignedinteger]
"""(words, codes): a bit mask for each code."""


_Made = TypeVar("_Made")

_large_caches: list[Callable[[], None]] = []


class GameTooLargeError(EngineError, ValueError):
    """A game with too many codes, or a position with too many candidates, for what is asked."""


@dataclass(frozen=True)
class ResponseTable:
    """The answers of a game of `size` codes.

    Codes are both guesses and secrets, so the table is square but for the padding of its rows. A
    table made `of_candidates` has rows for some secrets only; its codes are renumbered, those
    secrets first.

    Examples
    --------
    >>> ResponseTable.of("p4c6r").responses.shape
    (1296, 1344)
    """

    responses: ResponseArray
    """(size, stride) uint8: ``responses[secret, guess]`` is an answer index.  A row belongs to a
    secret and runs over the guesses; stride is size rounded up to 64, and the padding repeats
    column 0."""
    answers: int
    """The number of different answers, including those that never occur."""
    win: int
    """The answer that ends the game."""
    rules: Rules | None = None
    """The rules the table was made from, if any; without them there is no symmetry to use."""
    codes: NDArray[np.int32] | None = None
    """(size,): the code that each number stands for; None if the numbers are the codes."""
    name: str = UNNAMED
    """The name of a game without rules."""
    shared: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Arrays that the searches of the game share, by their names; to be read only."""

    @property
    def rows(self) -> int:
        """The number of codes that may be the secret."""
        return int(self.responses.shape[0])

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.rows if self.codes is None else len(self.codes)

    @property
    def stride(self) -> int:
        """Bytes from one row to the next."""
        return int(self.responses.shape[1])

    @classmethod
    def of(cls, game: ResponseTable | Rules | str, timer: Timer = UNLIMITED) -> ResponseTable:
        """Make the table of a game, given by its rules or their text; a table is returned as it is.

        Raises
        ------
        GameTooLargeError
            If the rules have more than `MAX_TABLE_CODES` codes.
        OutOfTimeError
            If the table would take more than half of the time.
        """
        if isinstance(game, ResponseTable):
            return game
        rules = Rules.of(game)
        arguments.instance("timer", timer, Timer, "a Timer")
        if rules.size > MAX_TABLE_CODES:
            gigabytes = rules.size**2 / 1e9
            raise GameTooLargeError(
                f"{rules} has {rules.size} codes: its response table would take {gigabytes:.1f} "
                f"GB; the limit is {MAX_TABLE_CODES} codes"
            )
        codes = all_codes(rules)
        return cls(_rows(rules, codes, codes, timer), len(rules.answers), rules.win, rules)

    @classmethod
    def of_candidates(
        cls, rules: Rules, candidates: NDArray[np.int32], timer: Timer = UNLIMITED
    ) -> ResponseTable:
        """Make the rows of some secrets only: for a search of positions within `candidates`.

        Parameters
        ----------
        rules
            The game.
        candidates
            (n,) int32, ascending, n > 0: numbers 0 to n - 1 of the table. The other codes follow in
            ascending order.
        timer
            The time limit of the search.

        Raises
        ------
        GameTooLargeError
            If the game has more than `MAX_LISTED_CODES` codes, or the rows take more than
            `MAX_TABLE_BYTES`.
        OutOfTimeError
            If the rows would take more than half of the time.
        """
        arguments.instance("rules", rules, Rules, "Rules")
        arguments.instance("timer", timer, Timer, "a Timer")
        candidates = _checked_codes(rules, candidates)
        needed = table_bytes(rules, len(candidates))
        if needed > MAX_TABLE_BYTES:
            raise GameTooLargeError(
                f"{len(candidates)} candidates of {rules} are left: their rows of the response "
                f"table would take {needed / 1e9:.1f} GB; the limit is {MAX_TABLE_BYTES / 1e9:.1f} "
                "GB"
            )
        others = np.ones(rules.size, dtype=bool)
        others[candidates] = False
        codes = np.concatenate([candidates, np.flatnonzero(others)]).astype(np.int32)
        responses = _rows(rules, candidates, codes, timer)
        return cls(responses, len(rules.answers), rules.win, rules, codes)

    def number(self, code: CodeIndex) -> int:
        """Return the number by which the table knows a code."""
        return code if self.codes is None else int(np.flatnonzero(self.codes == code)[0])

    def code(self, number: int) -> CodeIndex:
        """Return the code that a number of the table stands for."""
        return number if self.codes is None else int(self.codes[number])

    @classmethod
    def from_answers(
        cls, square: ResponseArray, *, answers: int, win: int, name: str = UNNAMED
    ) -> ResponseTable:
        """Make the table of any game from its answers, (size, size) uint8: secrets, guesses.

        Raises
        ------
        ArgumentError
            If some guess that is not the secret wins, or one that is does not.
        """
        arguments.integer("answers", answers, 1, MAX_ANSWERS)
        arguments.integer("win", win, 0, answers - 1)
        arguments.text("name", name, UNNAMED)
        allowed = "a square of answers, of which win is on the diagonal and nowhere else"
        arguments.instance("square", square, np.ndarray, allowed)
        size = len(square)
        if square.dtype != np.uint8 or not np.array_equal(square == win, np.eye(size, dtype=bool)):
            raise ArgumentError("square", square, allowed)
        padded = np.pad(square, ((0, 0), (0, _stride(size) - size)), mode="wrap")
        return cls(padded, answers, win, name=name)


def _checked_codes(rules: Rules, codes: object) -> NDArray[np.int32]:
    """Return the codes of the candidates of a table, or raise `ArgumentError`."""
    allowed = f"an array of ascending codes from 0 to {rules.size - 1}"
    given = arguments.instance("candidates", codes, np.ndarray, allowed)
    is_listed = given.ndim == 1 and len(given) > 0 and np.issubdtype(given.dtype, np.integer)
    if not is_listed or given[0] < 0 or given[-1] >= rules.size or (np.diff(given) <= 0).any():
        raise ArgumentError("candidates", given, allowed)
    return given.astype(np.int32, copy=False)


def table_bytes(rules: Rules, rows: int) -> int:
    """Return the size in bytes of `rows` rows of a game's table."""
    return rows * _stride(rules.size)


def all_codes(rules: Rules) -> NDArray[np.int32]:
    """Return the numbers of all codes, (size,) int32."""
    return np.arange(rules.size, dtype=np.int32)


def code_array(rules: Rules) -> NDArray[np.uint8]:
    """Return all codes in order, (size, positions) uint8, or raise `GameTooLargeError`."""
    if rules.size > MAX_LISTED_CODES:
        raise GameTooLargeError(
            f"{rules} has {rules.size} codes to list; the limit is {MAX_LISTED_CODES}"
        )
    codes = np.zeros((1, 0), dtype=np.uint8)
    every = np.arange(rules.symbols, dtype=np.uint8)
    for place in range(rules.positions):
        if rules.repeats:
            longer = np.repeat(codes, rules.symbols, axis=0), np.tile(every, len(codes))
        else:
            is_free = np.ones((len(codes), rules.symbols), dtype=np.bool_)
            is_free[:, : place == 0 and not rules.leading_zero] = False
            np.put_along_axis(is_free, codes, False, axis=1)
            rows, symbols = np.divmod(np.flatnonzero(is_free), rules.symbols)
            longer = codes[rows], every[symbols]
        codes = np.column_stack(longer)
    return codes


def responses_between(
    rules: Rules,
    secrets: NDArray[np.int32],
    guesses: NDArray[np.int32],
    out: ResponseArray | None = None,
    timer: Timer = UNLIMITED,
) -> ResponseArray:
    """Return (secrets, guesses) uint8, maybe `out`: a part of the table, made without the rest.

    Raises `OutOfTimeError` if it would take more than half of the time.
    """
    out = np.empty((len(secrets), len(guesses)), dtype=np.uint8) if out is None else out
    rows, columns = out.shape
    width = max(1, min(columns, _BLOCK_CELLS))
    height = _BLOCK_CELLS // width
    pace = timer.pace(TABLE_SHARE)
    made = 0
    for left in range(0, columns, width):
        across = slice(left, left + width)
        asked = [masks.take(guesses[across], axis=1)[:, None] for masks in bit_masks(rules)]
        for top in range(0, rows, height):
            down = slice(top, top + height)
            some = [masks.take(secrets[down], axis=1)[..., None] for masks in bit_masks(rules)]
            placed, counts = zip(some, asked, strict=True)
            block = _scored(rules, placed, counts)
            out[down, across] = block
            made += block.size
            pace(made / out.size)
    return out


def first_apart(answers: ResponseArray) -> int | None:
    """Return the first column in which all answers differ, of (secrets, guesses); None: none has.

    The guess separates all secrets; if it is one of them, the position is special.
    """
    ordered = np.sort(answers, axis=0)
    apart = (ordered[1:] != ordered[:-1]).all(axis=0)
    return int(apart.argmax()) if apart.any() else None


def responses_of_pairs(
    rules: Rules, secrets: NDArray[np.int32], guesses: NDArray[np.int32]
) -> ResponseArray:
    """Return (n,) uint8: the answer of each of n secrets to the guess at its place."""
    placed, counts = (
        (masks.take(secrets, axis=1), masks.take(guesses, axis=1)) for masks in bit_masks(rules)
    )
    return _scored(rules, placed, counts)


def _rows(
    rules: Rules, secrets: NDArray[np.int32], guesses: NDArray[np.int32], timer: Timer
) -> ResponseArray:
    """Return the rows of some secrets, padded; `guesses` are all codes in some order."""
    rows = np.empty((len(secrets), _stride(rules.size)), dtype=np.uint8)
    responses_between(rules, secrets, guesses, rows[:, : rules.size], timer)
    rows[:, rules.size :] = rows[:, :1]
    return rows


def _scored(
    rules: Rules, placed: tuple[_Words, _Words], counts: tuple[_Words, _Words]
) -> ResponseArray:
    """Return answers by popcount: common bits of two masks per code are bulls, and bulls + cows.

    Of n positions, ``n + 1 - b`` answers have b bulls, so answer b.c is number ``(b + c) + b * n -
    b * (b - 1) / 2``; the win is one less, because n-1 bulls and a cow are no answer. With bulls
    only, answer b.0 is number b.
    """
    bulls = _common(*placed)
    if rules.bulls_only:
        return bulls
    scored = _common(*counts)
    scored += bulls * np.uint8(rules.positions)
    scored -= bulls == rules.positions
    scored -= (bulls * (bulls - np.uint8(1))) >> np.uint8(1)
    return scored


def per_game(make: Callable[[Rules], _Made]) -> Callable[[Rules], _Made]:
    """Cache a function of the rules: for 8 games that may have a table, and one larger one."""
    of_small = lru_cache(maxsize=8)(make)
    of_large = lru_cache(maxsize=1)(make)
    _large_caches.append(of_large.cache_clear)

    @wraps(make)
    def cached(rules: Rules) -> _Made:
        return of_small(rules) if rules.size <= MAX_TABLE_CODES else of_large(rules)

    return cached


def forget_large() -> None:
    """Drop all arrays cached for large games."""
    for clear in _large_caches:
        clear()


@per_game
def bit_masks(rules: Rules) -> tuple[_Words, _Words]:
    """Return two sets of bit masks, each (words, size) unsigned integers, read-only.

    The first has one bit per (position, symbol); the second the count of each symbol in unary. Both
    take at most 128 bits.
    """
    codes = code_array(rules)
    width = rules.positions if rules.repeats else 1
    placed = _words(rules.positions * rules.symbols, rules.size)
    counts = _words(width * rules.symbols, rules.size)
    for place in range(rules.positions):
        column = codes[:, place]
        _set_bits(placed, place * rules.symbols + column)
        earlier = np.zeros(rules.size, dtype=np.uint8)
        for other in range(place if rules.repeats else 0):
            earlier += codes[:, other] == column
        _set_bits(counts, column * np.uint8(width) + earlier)
    return placed, counts


def _words(bits: int, size: int) -> _Words:
    """Return zeroed bit masks for all codes, in words as short as possible."""
    if bits > 32:
        return np.zeros((-(-bits // 64), size), dtype=np.uint64)
    return np.zeros((1, size), dtype=np.uint16 if bits <= 16 else np.uint32)


def _set_bits(words: _Words, bits: NDArray[np.uint8]) -> None:
    """Set one bit of each code: number `bits[code]`, (size,) uint8 below 128."""
    of_word = words.dtype.itemsize * 8
    numbers = np.arange(len(words) * of_word)
    for number, word in enumerate(words):
        shift = (numbers % of_word).astype(words.dtype)
        here = numbers // of_word == number
        word |= np.where(here, words.dtype.type(1) << shift, words.dtype.type(0))[bits]


def _common(some: _Words, every: _Words) -> ResponseArray:
    total: ResponseArray = np.bitwise_count(some[0] & every[0])
    for one, other in zip(some[1:], every[1:], strict=True):
        total += np.bitwise_count(one & other)
    return total


def _stride(size: int) -> int:
    return -(-size // ROW_ALIGNMENT) * ROW_ALIGNMENT
