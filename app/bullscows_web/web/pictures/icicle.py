"""The icicle of a tree: turns from top to bottom, positions as wide as their codes are many.

A picture shows a node and what follows it, four turns in all.  Widths are shares of the picture, so
that its words keep their size on every screen: each label says how wide the picture has to be for
it to fit whole.  Positions too narrow to be seen are drawn together and lead to the one before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bullscows.game.rules import Answer, AnswerIndex
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

LEVELS = 4
"""How many turns a picture shows."""

NARROWEST = 0.004
"""The least share of the picture that a position of its own takes."""

WIDTHS = (280, 360, 480, 640, 800, 1000)
"""From which widths of the picture, in pixels, labels are shown."""
DIGIT, PEG, LETTER, MARGIN = 10, 18, 6.5, 12
"""Sizes of labels in pixels: a digit or a peg of the guess, a letter below it, their margins."""


@dataclass(frozen=True)
class Block:
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
    answer: Answer | None = None
    """The answer that leads there; None for the first block."""

    def fit(self, *, pegs: bool) -> int:
        """Return from which of `WIDTHS` on its label fits, 1 for the first; 0 for none."""
        below = len(f"{self.answer or ''} · {self.remaining:,}")
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
    def of(cls, tree: StrategyTree, node: Node, answers: tuple[AnswerIndex, ...]) -> Icicle:
        """Draw a node that is reached by these answers."""
        address = "-".join(str(tree.rules.answers[answer]) for answer in answers)
        return cls(list(_Drawing(tree, node).blocks(address)))

    @property
    def levels(self) -> int:
        """How many turns it shows."""
        return self.blocks[-1].level + 1


@dataclass(frozen=True)
class _Place:
    """A node with its place in the picture."""

    node: Node
    size: int
    """The number of its candidates."""
    address: str
    """The answers that lead to it."""
    answer: Answer | None
    """The last of them; None for the node that the picture is of."""
    x: float


class _Drawing:
    def __init__(self, tree: StrategyTree, node: Node) -> None:
        self._tree = tree
        self._node = node
        self._scale = 1 / node.size
        self._answers = [(answer, str(answer)) for answer in tree.rules.answers]

    def blocks(self, address: str) -> Iterator[Block]:
        level = [_Place(self._node, self._node.size, address, None, 0.0)]
        yield self._block(level[0], 0)
        for number in range(1, LEVELS):
            below = []
            for parent in level:
                for is_wide, places in groupby(self._children(parent), self._is_wide):
                    if is_wide:
                        wide = list(places)
                        below += wide
                        yield from (self._block(place, number) for place in wide)
                    else:
                        yield self._several(parent, list(places), number)
            level = below

    def _children(self, parent: _Place) -> Iterator[_Place]:
        x, before = parent.x, f"{parent.address}-" if parent.address else ""
        for index, number in parent.node.children.items():
            child, (answer, text) = self._tree.nodes[number], self._answers[index]
            size = child.size
            yield _Place(child, size, before + text, answer, x)
            x += size * self._scale

    def _is_wide(self, place: _Place) -> bool:
        return place.size * self._scale >= NARROWEST

    def _block(self, place: _Place, level: int) -> Block:
        return Block(
            level=level,
            x=place.x,
            width=place.size * self._scale,
            answers=place.address,
            remaining=place.size,
            shade=_shade([place], place.size),
            guess=self._tree.rules.text(place.node.guess),
            answer=place.answer,
        )

    def _several(self, parent: _Place, places: Sequence[_Place], level: int) -> Block:
        remaining = sum(place.size for place in places)
        return Block(
            level=level,
            x=places[0].x,
            width=remaining * self._scale,
            answers=parent.address,
            remaining=remaining,
            shade=_shade(places, remaining),
        )


def _shade(places: Sequence[_Place], size: int) -> int:
    """Return twice the mean turn at which the candidates of places are found."""
    total = sum(place.node.nodes.totals.item(place.node.number) for place in places)
    return round(2 * total / size)
