"""Lookup of a position in a tree up to symmetry.

Renaming symbols, reordering positions and playing the same guesses in another order change no
answer and no cost (paper, 2.2, lemma 1), so figures of a node hold for every equivalent history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from bullscows.game.history import History
from bullscows.game.rules import Code, CodeIndex, Rules
from bullscows.game.symmetry import Transformation, completed, place_orders
from bullscows.tree.nodes import Node
from bullscows.tree.strategy_tree import StrategyTree

MAX_REORDERED = 6
"""The longest codes that are reordered: longer ones have too many orders for a web request."""


@dataclass(frozen=True)
class NodeImage:
    """A node, and how the names of a position become those of the tree."""

    node: Node
    """The node: its candidates are the images of the position's."""
    names: Transformation
    """Maps codes of the position to codes of the tree."""
    rules: Rules

    @property
    def guess(self) -> CodeIndex:
        """The tree's guess there, by the names of the position."""
        return self.names.inverse().apply_to_index(self.rules, self.node.guess)


def find_image(tree: StrategyTree, history: History) -> NodeImage | None:
    """Return the node to which some image of a history leads, or None.

    A history along the tree finds its own node. Codes above `MAX_REORDERED` are not reordered.
    """
    if len(history) >= tree.depth:  # no node comes after as many answers
        return None
    rules = tree.rules
    turns = [(rules.code(guess), answer) for guess, answer in history]
    pinned = {symbol: symbol for symbol in range(rules.pinned)}
    some = None if rules.positions <= MAX_REORDERED else 1
    for order in islice(place_orders(rules), some):
        for node, names in _walks(tree, tree.root, turns, order, pinned):
            return NodeImage(node, Transformation(order, completed(names, rules.symbols)), rules)
    return None


def _walks(
    tree: StrategyTree,
    node: Node,
    turns: list[tuple[Code, int]],
    order: tuple[int, ...],
    names: Mapping[int, int],
) -> Iterator[tuple[Node, Mapping[int, int]]]:
    """Yield the nodes to which the turns lead from `node`, in any order, with names for symbols."""
    if not turns:
        yield node, names
        return
    wanted = tree.rules.code(node.guess)
    for number, (guess, answer) in enumerate(turns):
        child = node.children.get(answer)
        found = None if child is None else _named(guess, wanted, order, names)
        if child is not None and found is not None:
            left = turns[:number] + turns[number + 1 :]
            yield from _walks(tree, tree.nodes[child], left, order, found)


def _named(
    guess: Code, wanted: Code, order: tuple[int, ...], names: Mapping[int, int]
) -> dict[int, int] | None:
    """Return names under which a guess becomes the wanted one, those given and as few more."""
    found = dict(names)
    for place, symbol in zip(order, wanted, strict=True):
        if found.setdefault(guess[place], symbol) != symbol:
            return None
    return found if len(set(found.values())) == len(found) else None
