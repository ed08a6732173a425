"""Sizes of the parts of many guesses, counted without a response table and in little memory.

An answer is a sum over the places of a code. So the answers of one code to a column of others are a
few sums of columns that are made once for the game, a byte for each code. They are counted in
blocks that stay in the processor's cache.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import answer_counts
from bullscows.game.responses import code_array, per_game
from bullscows.game.rules import Rules
from bullscows.game.symmetry import IndexArray

_Counts: TypeAlias = NDArray[np.int32]
_Rows: TypeAlias = NDArray[np.unsignedinteger]

SMALL = 10_000
"""Columns take 0.2 MB for Bulls & Cows, 1.6 here, and 6.5 MB for five pegs in eight colours; they
are made again in 4 to 30 ms."""
LARGEST_KEPT = 41_000
"""The most codes of a game whose columns are made: those of 531,441 codes would take 172 MB."""
_BLOCK = 1 << 19
"""Bytes of answers that are made at once: with what is counted in them they stay in the cache."""
_ROWS = 255
"""The most answers that are counted in a byte."""


def sizes_between(rules: Rules, secrets: IndexArray, guesses: IndexArray) -> NDArray[np.intp]:
    """Return (guesses, answers) intp of int32 arrays: sizes of parts, descending, then zeros."""
    if rules.size > LARGEST_KEPT:
        counts = answer_counts(rules, secrets, guesses)
    elif len(guesses) < len(secrets):
        counts = _by_guess(rules, secrets, guesses)
    else:
        counts = _by_secret(rules, secrets, guesses)
    counts.sort(axis=1)
    return counts[:, ::-1].astype(np.intp)


def _by_secret(rules: Rules, secrets: IndexArray, guesses: IndexArray) -> _Counts:
    """Count many guesses at once, secret after secret: how often does each get each answer."""
    columns = np.ascontiguousarray(_columns(rules)[:, guesses])
    rows = _rows(rules)[secrets]
    step = max(1, min(_ROWS, _BLOCK // len(guesses)))
    values = _sums(rules)
    counts = np.zeros((len(values), len(guesses)), dtype=np.int32)
    answers = np.empty((step, len(guesses)), dtype=np.uint8)
    hits = np.empty(answers.shape, dtype=np.bool_)
    for start in range(0, len(rows), step):
        block = answers[: len(rows) - start]
        for answer, row in zip(block, rows[start : start + step], strict=True):
            _add(columns, row, answer)
        for count, value in zip(counts, values, strict=True):
            equal = np.equal(block, value, out=hits[: len(block)])
            count += np.add.reduce(equal.view(np.uint8), axis=0, dtype=np.uint8)
    return np.ascontiguousarray(counts.T)


def _by_guess(rules: Rules, secrets: IndexArray, guesses: IndexArray) -> _Counts:
    """Count one guess after the other; what a secret answers to a guess, the guess answers it."""
    columns = np.ascontiguousarray(_columns(rules)[:, secrets])
    values = _sums(rules)
    counts = np.empty((len(guesses), len(values)), dtype=np.int32)
    answers = np.empty(len(secrets), dtype=np.uint8)
    for count, row in zip(counts, _rows(rules)[guesses], strict=True):
        _add(columns, row, answers)
        count[:] = np.bincount(answers, minlength=(rules.positions + 1) ** 2)[values]
    return counts


def _sums(rules: Rules) -> list[int]:
    """Return the sum of the columns that stands for each answer."""
    bull = rules.positions + 1
    if rules.bulls_only:
        return [bull * bulls for bulls, _ in rules.answers]
    return [bull * bulls + bulls + cows for bulls, cows in rules.answers]


def _add(columns: NDArray[np.uint8], row: _Rows, answers: NDArray[np.uint8]) -> None:
    """Write the sum of the columns that `row` names to `answers`."""
    np.take(columns, row[0], axis=0, out=answers)
    for number in row[1:]:
        np.add(answers, columns[number], out=answers)


@per_game(SMALL)
def _columns(rules: Rules) -> NDArray[np.uint8]:
    """Return (places * symbols * occurrences, size): the columns that add up to answers.

    The column of a place, a symbol and occurrence k is positions + 1 where a code has the symbol at
    the place, and 1 more where it has the symbol more than k times, which adds up to bulls and cows
    and is left out if only bulls are answered. Read-only.
    """
    codes = code_array(rules)
    width = _occurrences(rules)
    columns = np.empty((rules.positions, rules.symbols, width, rules.size), dtype=np.uint8)
    for symbol in range(rules.symbols):
        here = codes == symbol
        found = here.sum(axis=1)
        for place in range(rules.positions):
            bulls = here[:, place] * np.uint8(rules.positions + 1)
            for occurrence in range(width):
                columns[place, symbol, occurrence] = bulls
                if not rules.bulls_only:
                    columns[place, symbol, occurrence] += found > occurrence
    return columns.reshape(-1, rules.size)


@lru_cache(maxsize=8)
def _rows(rules: Rules) -> _Rows:
    """Return (size, positions): the columns that add up to the answers of each code."""
    codes = code_array(rules).astype(np.intp)
    columns = rules.positions * rules.symbols * _occurrences(rules)
    rows = np.empty(codes.shape, dtype=np.min_scalar_type(columns))
    for place in range(rules.positions):
        occurrence = (codes[:, :place] == codes[:, place, None]).sum(axis=1)
        rows[:, place] = (place * rules.symbols + codes[:, place]) * _occurrences(
            rules
        ) + occurrence
    return rows


def _occurrences(rules: Rules) -> int:
    return rules.positions if rules.repeats else 1
