"""The columns of a tree's nodes: each says what a walk along the answers says."""

import pytest
from hypothesis import given

from bullscows.game.rules import Rules
from bullscows.tree.nodes import Nodes
from bullscows.tree.strategy_tree import StrategyTree
from tests.support.strategies import random_trees

RULES = Rules.parse("p3c5n")
TREE = StrategyTree.grow(RULES, lambda candidates, _: candidates[0])


@given(random_trees(max_size=60))
def test_a_node_says_what_the_answers_so_far_leave(tree: StrategyTree) -> None:
    rules = tree.rules
    for node in tree.nodes:
        left = list(range(rules.size))
        for guess, answer in tree.path(node):
            left = [code for code in left if rules.respond(guess, code) == answer]
        assert (node.candidates, node.size) == (tuple(left), len(left))
        assert node.is_candidate_guess == (node.guess in left)
        parts = rules.partition(node.guess, left)
        assert list(node.children) == [answer for answer in parts if answer != rules.win]
        for answer, number in node.children.items():
            child = tree.nodes[number]
            assert (child.parent, child.answer) == (node.number, answer)
            assert child.turn == node.turn + 1


@given(random_trees(max_size=60))
def test_what_is_below_a_node_is_counted_turn_by_turn(tree: StrategyTree) -> None:
    for node in tree.nodes:
        below = list(tree.subtree(node))
        turns = range(node.turn, max(one.turn for one in below) + 1)
        found = [sum(one.is_candidate_guess for one in below if one.turn == turn) for turn in turns]
        sizes = [sum(one.turn == turn for one in below) for turn in turns]
        assert tree.nodes.found_below(node.number) == tuple(found)
        assert tree.nodes.sizes_below(node.number) == tuple(sizes)
        assert sum(found) == node.size
        total = sum(turn * count for turn, count in zip(turns, found, strict=True))
        assert tree.nodes.totals[node.number] == total


@pytest.mark.parametrize(
    "parents", [(0, 1, 0), (0, 2, 2), (0, 0, -1)], ids=["descending", "own parent", "second root"]
)
def test_nodes_out_of_order_are_refused(parents: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="breadth-first"):
        Nodes.of([0, 1, 2, 3], [(parent, 0) for parent in parents], [1] * 4, [0, 1, 2, 3])
