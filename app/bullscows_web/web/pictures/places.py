"""The place of each code in the field of a game.

The first symbol says in which tile, the second in which block of it, and so on; the last two say
column and row in the innermost block.  If no symbol repeats, a symbol counts among those that
are not used before it.  Codes of a large game share cells: one stands for all codes that begin
alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log, perm

import numpy as np
from numpy.typing import NDArray

from bullscows.game.responses import code_array
from bullscows.game.rules import Rules

MAX_CELLS = 10_000
"""The most cells of a field: the size of a game of four digits that may repeat."""

WIDE, SQUARE = 2.6, 1.2
"""How much wider than high a field is meant to be, and the blocks in it."""

Places = NDArray[np.int32]


@dataclass(frozen=True)
class Tile:
    """The area of all codes with the same first symbol."""

    symbol: int
    x: int
    y: int


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
    x, y = ranks[inner].copy(), ranks[-1].copy() if shown > 1 else np.zeros_like(ranks[0])
    width, height = choices[inner], choices[-1] if shown > 1 else 1
    tiles: list[Tile] = []
    tile_width = tile_height = 0
    for place in reversed(range(inner)):
        gap = inner - place
        step_x, step_y = width + gap, height + gap
        columns = _columns(choices[place], step_x, step_y, WIDE if place == 0 else SQUARE)
        x += ranks[place] % columns * step_x
        y += ranks[place] // columns * step_y
        if place == 0:
            tile_width, tile_height = width, height
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
