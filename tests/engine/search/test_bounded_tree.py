"""The bounded tree: how bounds of parts add up, and who shares them."""

import gc
import weakref

import pytest

from bullscows.game.objective import Bounds
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable
from bullscows.search.bounded_tree import BoundedTree

pytestmark = pytest.mark.large


def tree_of(game: str) -> BoundedTree:
    return BoundedTree(ResponseTable.of(game), Question.of(game).weights())


def test_equivalent_positions_share_what_is_proved() -> None:
    tree = tree_of("p4c10n")
    rules = tree.table.rules
    assert rules is not None
    (first,) = tree.split(tree.root)
    node = tree.after(tree.root, first, rules.parse_answer("0.0"))
    one, other = tree.split(node, [rules.parse_code("4567"), rules.parse_code("7654")])
    same = [tree.after(node, option, rules.parse_answer("1.1")) for option in (one, other)]
    before = other.bounds
    same[0].entry.learn(Bounds(same[0].bounds.lower + 7))
    assert same[1].bounds == same[0].bounds
    assert other.bounds.lower == before.lower + 7


def test_what_holds_for_a_given_guess_is_not_learnt_of_the_position() -> None:
    tree = tree_of("p4c6r")
    option = tree.option(tree.root, 0)  # 0000
    least = tree.bounds().lower
    option.learn(Bounds(6000, 6100))
    assert tree.bounds() == Bounds(least)
    tree.split(tree.root)
    assert tree.bounds().lower < 6000
    tree.root.entry.learn(Bounds(0, 5625))
    assert option.bounds == Bounds(6000, 6100)


def test_a_tree_and_its_table_are_freed_without_the_garbage_collector() -> None:
    """Of a large game they take a large part of the memory that the analysis may use."""
    tree = tree_of("p3c6n")
    gc.collect()
    gc.disable()
    try:
        node = tree.after(tree.root, tree.split(tree.root)[0], 1)
        tree.parts(node, tree.split(node)[0])
        things = [weakref.ref(thing) for thing in (tree, tree.table, node, tree.root)]
        del tree, node
        assert [thing() for thing in things] == [None] * 4
    finally:
        gc.enable()
