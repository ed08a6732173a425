"""The icicle of a tree: turns from top to bottom, positions as wide as their codes are many.

A picture shows a node and what follows it, four turns in all.  Widths are shares of the picture, so
that its words keep their size on every screen: each label says how wide the picture has to be for
it to fit whole.  Positions too narrow to be seen are drawn together and lead to the one before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np

from bullscows.game.rules import CodeIndex
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

LEVELS = 4
"""How many turns a picture shows."""

STEP, BLOCK = 46, 44
"""From one level to the next, and the height of a block, in pixels."""

NARROWEST = 0.004
"""The least share of the picture that a position of its own takes."""

WIDTHS = (280, 360, 480, 640, 800, 1000)
"""From which widths of the picture, in pixels, labels are shown."""
DIGIT, PEG, LETTER, MARGIN = 10, 18, 6.5, 12
"""Sizes of labels in pixels: a digit or a peg of the guess, a letter below it, their margins."""


class Block(NamedTuple):
    """A position, or several that are too narrow to draw separately."""

    level: int
    """0 for the node that the picture is of."""
    x: float
    """The left edge, as a share of the picture."""
    width: float
    """The width, as a share of the picture."""
    answers: str
    """The answers from the root to where the block leads, as an address has them."""
    remaining: int
    """How many codes are left there."""
    shade: int
    """Twice the turn at which they are found on average."""
    guess: str = ""
    """Its guess; empty for several positions."""
    answer: str = ""
    """The answer that leads there; empty for the first block, and for several positions."""

    @property
    def y(self) -> int:
        """The upper edge, in pixels."""
        return STEP * self.level

    @property
    def height(self) -> int:
        """The height, in pixels."""
        return BLOCK

    def fit(self, *, pegs: bool) -> int:
        """Return from which of `WIDTHS` on its label fits, 1 for the first; 0 for none."""
        guess = len(self.guess) * (PEG if pegs else DIGIT)
        if not guess or guess + MARGIN > self.width * WIDTHS[-1]:
            return 0
        below = len(f"{self.answer} · {self.remaining:,}")
        wanted = (max(guess, below * LETTER) + MARGIN) / self.width
        fitting = bisect_left(WIDTHS, wanted) + 1
        return fitting if fitting <= len(WIDTHS) else 0


@dataclass(frozen=True)
class Icicle:
    """A node of a tree and what follows it."""

    tree: StrategyTree
    node: Node
    answers: str
    """The answers that lead to the node, as an address has them."""
    text: Callable[[CodeIndex], str]
    """Function that writes a code."""

    @cached_property
    def blocks(self) -> list[Block]:
        """Level by level, from left to right; the first is the node itself."""
        nodes = self.tree.nodes
        node = self.node
        size = self.node.size
        shade = round(2 * nodes.totals.item(node.number) / size)
        level = [
            (node.number, Block(0, 0.0, 1.0, self.answers, size, shade, self.text(node.guess)))
        ]
        blocks = [level[0][1]]
        for first, end in islice(nodes.levels(node.number), 1, LEVELS):
            columns = nodes.answers, nodes.totals, nodes.guesses
            lists = (column[first:end].tolist() for column in columns)
            sizes = np.diff(nodes.starts[first : end + 1]).tolist()
            rows = list(zip(range(first, end), sizes, *lists, strict=True))
            level = self._below([each for each in level if each[1].guess], first, rows)
            blocks += [block for _, block in level]
        return blocks

    @property
    def height(self) -> int:
        """The height of the picture, in pixels."""
        return STEP * self.blocks[-1].level + BLOCK

    def _below(
        self, level: list[tuple[int, Block]], first: int, rows: list[tuple[int, ...]]
    ) -> list[tuple[int, Block]]:
        """Return the blocks below a level, each with its node, or the last of several nodes."""
        names = self.tree.rules.answer_texts
        share = 1 / self.node.size
        found = []
        few, their_turns, left = 0, 0, 0.0
        for parent, above in level:
            before = f"{above.answers}-" if above.answers else ""
            x = above.x
            begin, end = self.tree.nodes.below(parent, parent + 1)
            for number, size, answer, total, guess in rows[begin - first : end - first]:
                length = size * share
                is_narrow = length < NARROWEST
                if is_narrow:
                    left = left if few else x
                    few = few + size
                    their_turns = their_turns + total
                if few and (not is_narrow or number == end - 1):
                    row = left, few * share, above.answers, few, round(2 * their_turns / few)
                    found.append((number, Block(above.level + 1, *row)))
                    few = their_turns = 0
                if not is_narrow:
                    row = x, length, before + names[answer], size, round(2 * total / size)
                    block = Block(above.level + 1, *row, self.text(guess), names[answer])
                    found.append((number, block))
                x += length
        return found
