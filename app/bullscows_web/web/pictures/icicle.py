"""The icicle of a tree: turns from top to bottom, positions as wide as their codes are many.

A picture shows a node and what follows it, four turns in all.  Widths are shares of the picture, so
that its words keep their size on every screen: each label says how wide the picture has to be for
it to fit whole.  Positions too narrow to be seen are drawn together and lead to the one before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import NamedTuple

from markupsafe import Markup

from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.web.html.bars import width

LEVELS = 4
"""How many turns a picture shows."""

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
    def box(self) -> Markup:
        """Its place in the picture, as attributes."""
        x, y, length = width(self.x), 46 * self.level, width(self.width)
        return Markup(f'x="{x}" y="{y}" width="{length}" height="44"')

    def fit(self, *, pegs: bool) -> int:
        """Return from which of `WIDTHS` on its label fits, 1 for the first; 0 for none."""
        below = len(f"{self.answer} · {self.remaining:,}")
        guess = len(self.guess) * (PEG if pegs else DIGIT)
        wanted = (max(guess, below * LETTER) + MARGIN) / self.width
        fitting = bisect_left(WIDTHS, wanted) + 1
        return fitting if fitting <= len(WIDTHS) else 0


@dataclass(frozen=True)
class Icicle:
    """A node of a tree and what follows it."""

    blocks: Sequence[Block]
    """Level by level, from left to right; the first is the node itself."""

    @classmethod
    def of(
        cls,
        tree: StrategyTree,
        node: Node,
        answers: tuple[AnswerIndex, ...],
        text: Callable[[CodeIndex], str],
    ) -> Icicle:
        """Draw a node that is reached by these answers; `text` writes a code."""
        address = "-".join(str(tree.rules.answers[answer]) for answer in answers)
        return cls(list(_Drawing(tree, node, text).blocks(address)))

    @property
    def levels(self) -> int:
        """How many turns it shows."""
        return self.blocks[-1].level + 1


class _Place(NamedTuple):
    """A node with its place in the picture."""

    number: int
    size: int
    """The number of its candidates."""
    total: int
    """The sum of the turns at which they are found."""
    address: str
    """The answers that lead to it."""
    answer: str
    """The last of them; empty for the node that the picture is of."""
    x: float


class _Drawing:
    def __init__(self, tree: StrategyTree, node: Node, text: Callable[[CodeIndex], str]) -> None:
        self._nodes = tree.nodes
        self._root = node
        self._text = text
        self._scale = 1 / node.size
        self._answers = [str(answer) for answer in tree.rules.answers]

    def blocks(self, address: str) -> Iterator[Block]:
        number, size = self._root.number, self._root.size
        level = [_Place(number, size, self._nodes.totals.item(number), address, "", 0.0)]
        yield self._block(level[0], 0)
        for turn in range(1, LEVELS):
            below = []
            for parent in level:
                for is_wide, places in groupby(self._children(parent), self._is_wide):
                    if is_wide:
                        wide = list(places)
                        below += wide
                        yield from (self._block(place, turn) for place in wide)
                    else:
                        yield self._several(parent, list(places), turn)
            level = below

    def _children(self, parent: _Place) -> Iterator[_Place]:
        x, before, nodes = parent.x, f"{parent.address}-" if parent.address else "", self._nodes
        first, end = nodes.below(parent.number, parent.number + 1)
        answers, totals = nodes.answers[first:end].tolist(), nodes.totals[first:end].tolist()
        starts = pairwise(nodes.starts[first : end + 1].tolist())
        columns = zip(range(first, end), starts, totals, answers, strict=True)
        for number, (start, stop), total, answer in columns:
            text, size = self._answers[answer], stop - start
            yield _Place(number, size, total, before + text, text, x)
            x += size * self._scale

    def _is_wide(self, place: _Place) -> bool:
        return place.size * self._scale >= NARROWEST

    def _block(self, place: _Place, level: int) -> Block:
        number, size, total, address, answer, x = place
        guess = self._text(self._nodes.guesses.item(number))
        shade = round(2 * total / size)
        return Block(level, x, size * self._scale, address, size, shade, guess, answer)

    def _several(self, parent: _Place, places: Sequence[_Place], level: int) -> Block:
        remaining = sum(place.size for place in places)
        shade = round(2 * sum(place.total for place in places) / remaining)
        width = remaining * self._scale
        return Block(level, places[0].x, width, parent.address, remaining, shade)
