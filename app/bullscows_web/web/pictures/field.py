"""The field: all codes of a game as one small picture, in which the remaining ones are lit.

The first symbol of a code says in which tile it is, the second in which block of it, and so on; the
last two say column and row in the innermost block.  If no symbol repeats, a symbol counts among
those that are not used before it.  Codes of a large game share cells: one stands for all codes that
begin alike.

A code's colour is its answer to a guess: one SVG path per answer, made of rows of cells.  Each row
is relative to the one before, which repeats and so compresses well: 5,040 cells take at most 4 kB
over the wire.  In a game whose codes share cells, a cell is the brighter the more of them are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import log, perm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import History, candidates, responses_to
from bullscows.game.response_table import code_array
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.scoring import Answer

SHADES = 4
"""How many shades show how many codes of a cell are left."""

Row: TypeAlias = tuple[int, int, int]
"""Column and row of the first cell, and the number of cells side by side."""


@dataclass(frozen=True)
class Light:
    """The cells of one colour."""

    cells: NDArray[np.int64]
    """(3, n): columns and rows of first cells, and numbers of cells side by side, top down."""
    path: str
    """The same as an SVG path: each row a move from the end of the one before, and a length."""
    answer: Answer | None = None
    """The answer of these codes to the guess, if colours are answers."""
    is_win: bool = False
    """Whether this is the guess itself."""
    shade: int = 0
    """How many codes of each cell are left, from 1 to `SHADES`, if colours are shades."""

    @property
    def rows(self) -> list[Row]:
        """The cells as rows."""
        x, y, length = self.cells.tolist()
        return list(zip(x, y, length, strict=True))

    @cached_property
    def style(self) -> str:
        """The CSS classes: ``b1 c2`` for an answer, ``n3`` for a shade, or ``lit``."""
        if self.answer is None:
            return f"n{self.shade}" if self.shade else "lit"
        return f"b{self.answer.bulls} c{self.answer.cows}{' win' if self.is_win else ''}"


@dataclass(frozen=True)
class Field:
    """The remaining codes of a game."""

    rules: Rules
    lights: Sequence[Light]
    remaining: int
    """The number of remaining codes."""
    by_answer: bool
    """Whether the colours are answers to a guess."""

    @property
    def layout(self) -> Layout:
        """The places of the codes."""
        return layout(self.rules)

    @classmethod
    def of(cls, rules: Rules, left: NDArray[np.int32], guess: CodeIndex | None = None) -> Field:
        """Light the remaining codes, (n,) in any order, by their answers to a guess if any."""
        where = layout(rules)
        cells = where.cells(left)
        if not where.is_exact:
            counts = np.bincount(cells, minlength=len(where.x))
            cells = np.flatnonzero(counts)
            rows = _rows(where, cells, -(-counts[cells] * SHADES // where.share))
            lights = [Light(lit, path, shade=shade) for shade, lit, path in rows]
        elif guess is None:
            lights = [Light(lit, path) for _, lit, path in _rows(where, cells)]
        else:
            answers = responses_to(rules, guess, left)
            lights = [
                Light(lit, path, rules.answers[answer], is_win=answer == rules.win)
                for answer, lit, path in _rows(where, cells, answers)
            ]
        return cls(rules, lights, len(left), where.is_exact and guess is not None)

    @classmethod
    def after(cls, history: History, guess: CodeIndex | None = None) -> Field:
        """Light the codes that a history leaves, by their answers to a guess.

        Raises `GameTooLargeError` if the game has too many codes.
        """
        return cls.of(history.rules, candidates(history.rules, history), guess)


def _rows(
    where: Layout, cells: NDArray[np.int64], colours: NDArray[Any] | int = 0
) -> list[tuple[int, NDArray[np.int64], str]]:
    """Return each colour, in order, with its adjacent cells as rows, and as a path."""
    stride = where.width + 1  # no row goes on in the next one, and no colour in the next colour
    area = stride * where.height
    places = colours * np.int64(area) + where.places[cells]
    places.sort()
    bounds = _bounds(places, 1)
    lengths = bounds[1:] - bounds[:-1]
    found, place = np.divmod(places[bounds[:-1]], area)
    y, x = np.divmod(place, stride)
    right = x.copy()
    down = y.copy()
    right[1:] -= (x + lengths)[:-1]
    down[1:] -= y[:-1]
    *firsts, _ = borders = _bounds(found, 0).tolist()
    right[firsts] = x[firsts]
    down[firsts] = y[firsts]
    steps = list(map(_step, right.tolist(), down.tolist(), lengths.tolist()))
    rows = np.array((x, y, lengths))
    return [
        (colour, rows[:, begin:end], "".join(steps[begin:end]))
        for colour, (begin, end) in zip(found[firsts].tolist(), pairwise(borders), strict=True)
    ]


def _bounds(values: NDArray[np.int64], step: int) -> NDArray[np.int64]:
    """Return where runs of values that rise by `step` begin, and where the last one ends."""
    begins = np.ones(len(values) + 1, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1] + step, out=begins[1:-1])
    return np.flatnonzero(begins)


@lru_cache(maxsize=1 << 14)
def _step(right: int, down: int, length: int) -> str:
    return f"m{right}{'' if down < 0 else ' '}{down}h{length}"


MAX_CELLS = 10_000
"""The most cells of a field: the size of a game of four digits that may repeat."""

WIDE, SQUARE = 2.6, 1.2
"""How much wider than high a field is meant to be, and the blocks in it."""

MARGIN = 1
"""How far the ground of a tile extends beyond its cells."""

Places = NDArray[np.int32]


@dataclass(frozen=True)
class Tile:
    """The area of all codes with the same first symbol."""

    symbol: int
    x: int
    y: int

    @property
    def left(self) -> int:
        """The left edge of its ground."""
        return self.x - MARGIN

    @property
    def top(self) -> int:
        """The upper edge of its ground."""
        return self.y - MARGIN

    @property
    def baseline(self) -> int:
        """Where its symbol stands."""
        return self.y + 4


@dataclass(frozen=True, eq=False)
class Layout:
    """Coordinates of the cells of a game, in steps from one cell to the next."""

    x: Places
    """The column of each cell, in the order of its codes."""
    y: Places
    """Its row."""
    width: int
    height: int
    tiles: Sequence[Tile]
    """The tiles; none if the first symbol says no more than the column."""
    tile_width: int
    """The width of the ground of a tile."""
    tile_height: int
    first: int
    """How many codes before code 0 there would be if codes could begin with 0."""
    share: int
    """How many codes a cell stands for."""

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Each cell's place in reading order, rows one column longer than the field is wide."""
        return self.y * np.int64(self.width + 1) + self.x

    @property
    def view_box(self) -> str:
        """The view box of the picture."""
        edge = 2 * MARGIN
        return f"{-edge} {-edge} {self.width + 2 * edge} {self.height + 2 * edge}"

    @property
    def is_exact(self) -> bool:
        """Whether each code has a cell of its own."""
        return self.share == 1

    def cells(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the number of the cell of each code."""
        return (codes.astype(np.int64) + self.first) // self.share


@lru_cache(maxsize=16)
def layout(rules: Rules) -> Layout:
    """Lay out a game, from its innermost blocks outwards."""
    shown = _shown(rules)
    ranks = _ranks(rules, shown)
    choices = [rules.symbols - (0 if rules.repeats else place) for place in range(shown)]
    inner = max(shown - 2, 0)
    x = ranks[inner].copy()
    y = ranks[-1].copy() if shown > 1 else np.zeros_like(ranks[0])
    width = choices[inner]
    height = choices[-1] if shown > 1 else 1
    tiles: list[Tile] = []
    tile_width = tile_height = 0
    for place in reversed(range(inner)):
        gap = inner - place
        step_x = width + gap
        step_y = height + gap
        columns = _columns(choices[place], step_x, step_y, WIDE if place == 0 else SQUARE)
        x += ranks[place] % columns * step_x
        y += ranks[place] // columns * step_y
        if place == 0:
            tile_width = width + 2 * MARGIN
            tile_height = height + 2 * MARGIN
            tiles = [
                Tile(symbol, symbol % columns * step_x, symbol // columns * step_y)
                for symbol in range(rules.symbols)
            ]
        width = columns * step_x - gap
        height = -(-choices[place] // columns) * step_y - gap
    share = _size(rules, rules.positions) // _size(rules, shown)
    return Layout(x, y, width, height, tiles, tile_width, tile_height, rules.skipped, share)


def _size(rules: Rules, places: int) -> int:
    """Return in how many ways these first places can be filled."""
    return rules.symbols**places if rules.repeats else perm(rules.symbols, places)


def _shown(rules: Rules) -> int:
    """Return the number of positions of a code that its cell depends on."""
    return max(p for p in range(1, rules.positions + 1) if p == 1 or _size(rules, p) <= MAX_CELLS)


def _ranks(rules: Rules, shown: int) -> list[Places]:
    """Return, place by place, which of the symbols still free there each cell has."""
    codes = code_array(Rules(shown, rules.symbols, rules.repeats)).astype(np.int32)
    ranks = [codes[:, place].copy() for place in range(shown)]
    if not rules.repeats:
        for place, rank in enumerate(ranks):
            rank -= (codes[:, :place] < codes[:, place : place + 1]).sum(axis=1, dtype=np.int32)
    return ranks


def _columns(choices: int, width: int, height: int, aspect: float) -> int:
    """Return the number of columns of blocks for the aspect ratio, with few gaps."""

    def flaw(columns: int) -> float:
        rows = -(-choices // columns)
        shape = columns * width / (rows * height)
        return abs(log(shape / aspect)) + (columns * rows - choices) / choices

    return min(range(1, choices + 1), key=flaw)
