"""The field: all codes of a game as one small picture, with those alight that are left.

A code's colour is the answer that it would give to a guess: one path per answer, made of rows of
cells.  Each row tells only how far it is from the one before, which is what repeats and so packs
well: 5,040 cells take at most 4 kB over the wire.  Where codes share a cell, it is the brighter the
more of them are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.candidates import candidates
from bullscows.game.history import History
from bullscows.game.responses import responses_between
from bullscows.game.rules import Answer, CodeIndex, Rules
from bullscows_web.web.pictures.places import Layout, layout

SHADES = 4
"""How many shades tell how many codes of a cell are left."""

Row: TypeAlias = tuple[int, int, int]
"""Column and row of the first cell, and how many cells there are side by side."""


@dataclass(frozen=True)
class Light:
    """The cells of one colour."""

    rows: Sequence[Row]
    """The cells."""
    answer: Answer | None = None
    """The answer that they give to the guess, if that is what the colour says."""
    is_win: bool = False
    """Whether that is the guess itself."""
    shade: int = 0
    """From 1 to `SHADES` how many codes of each are left, if that is what the colour says."""

    @property
    def style(self) -> str:
        """The classes that colour it: of an answer ``b1 c2``, of a shade ``n3``, or ``lit``."""
        if self.answer is None:
            return f"n{self.shade}" if self.shade else "lit"
        return f"b{self.answer.bulls} c{self.answer.cows}{' win' if self.is_win else ''}"

    @cached_property
    def path(self) -> str:
        """Rows of cells, each a move from the end of the one before, and a length."""
        return "".join(_steps(self.rows))


@dataclass(frozen=True)
class Field:
    """What is left of a game."""

    rules: Rules
    lights: Sequence[Light]
    remaining: int
    """How many codes are left."""
    guess: CodeIndex | None
    """The guess whose answers the colours are; None if they are no answers."""

    @property
    def layout(self) -> Layout:
        """Where the codes stand."""
        return layout(self.rules)

    @classmethod
    def of(cls, rules: Rules, left: NDArray[np.int32], guess: CodeIndex | None = None) -> Field:
        """Light the codes that are left, (n,) int32 ascending, by their answers to a guess."""
        where = layout(rules)
        if not where.is_exact:
            return cls(rules, list(_shades(where, left)), len(left), None)
        if guess is None:
            lights = [Light(rows) for _, rows in _rows(where, where.cells(left))]
        else:
            lights = list(_answers(rules, where, left, guess))
        return cls(rules, lights, len(left), guess)

    @staticmethod
    @lru_cache(maxsize=8)  # 0.4 MB each; pages that were made are kept themselves
    def after(history: History, guess: CodeIndex | None = None) -> Field:
        """Light what a history leaves.

        Raises
        ------
        GameTooLargeError
            If the game has too many codes.
        """
        return Field.of(history.rules, candidates(history.rules, history), guess)


def _answers(
    rules: Rules, where: Layout, left: NDArray[np.int32], guess: CodeIndex
) -> Iterator[Light]:
    given = responses_between(rules, left, np.array([guess], dtype=np.int32))[:, 0]
    for index, rows in _rows(where, where.cells(left), given):
        yield Light(rows, rules.answers[index], is_win=index == rules.win)


def _shades(where: Layout, left: NDArray[np.int32]) -> Iterator[Light]:
    counts = np.bincount(where.cells(left), minlength=len(where.x))
    cells = np.flatnonzero(counts)
    shades = -(-counts[cells] * SHADES // where.share)
    for shade, rows in _rows(where, cells, shades):
        yield Light(rows, shade=shade)


def _rows(
    where: Layout, cells: NDArray[np.int64], colours: NDArray[Any] | int = 0
) -> Iterator[tuple[int, list[Row]]]:
    """Yield each colour, in order, with its adjacent cells as rows, from the top down."""
    stride = where.width + 1  # no row goes on in the next one, and no colour in the next colour
    area = stride * where.height
    places = np.sort(colours * np.int64(area) + where.y[cells] * stride + where.x[cells])
    starts = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    lengths = np.diff(starts, append=len(places))
    found, place = np.divmod(places[starts], area)
    y, x = np.divmod(place, stride)
    rows = list(zip(x.tolist(), y.tolist(), lengths.tolist(), strict=True))
    borders = [*np.flatnonzero(np.diff(found, prepend=-1)).tolist(), len(rows)]
    for begin, end in pairwise(borders):
        yield int(found[begin]), rows[begin:end]


def _steps(rows: Iterable[Row]) -> Iterator[str]:
    at_x = at_y = 0
    for x, y, length in rows:
        down = y - at_y
        yield f"m{x - at_x}{'' if down < 0 else ' '}{down}h{length}"
        at_x, at_y = x + length, y
