"""A tree unfolded to some depth below a node, as far as a page can hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.contexts import NodePage
from app.library import Entry
from engine.tree.strategy_tree import Node, StrategyTree

MAX_SHOWN = 1000
"""The most nodes that a page shows below its own; larger views are for downloads."""


def widths(tree: StrategyTree, node: Node) -> list[int]:
    """Return how many nodes stand one level below `node`, two levels below it, and so on."""
    counts = []
    level = [node]
    while level := [tree.nodes[child] for parent in level for child in parent.children.values()]:
        counts.append(len(level))
    return counts


@dataclass(frozen=True)
class TreePage(NodePage):
    """One node of a tree, and what follows it to some depth."""

    wanted: int
    """To which depth the visitor asked to unfold it: 1 shows its own answers only."""
    others: Sequence[Entry]
    """The other trees of the game."""

    @cached_property
    def depths(self) -> list[int]:
        """The depths that a page can hold, with how many nodes each would show."""
        shown, sums = 0, []
        for width in widths(self.entry.tree, self.position.node):
            shown += width
            sums.append(shown)
        return [count for count in sums if count <= MAX_SHOWN] or sums[:1]

    @property
    def depth(self) -> int:
        """To which depth it is unfolded."""
        return max(1, min(self.wanted, len(self.depths)))
