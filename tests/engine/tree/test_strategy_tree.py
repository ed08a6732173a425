"""Strategy trees: growing, walking, counting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows.tree.strategy_tree import StrategyTree, TreeError, special_guess
from tests.support.strategies import random_trees, small_rules


@given(random_trees())
def test_every_secret_is_played_to_its_guess(tree: StrategyTree) -> None:
    turns = [len(tree.play(secret)) for secret in range(tree.rules.size)]
    assert tree.distribution == tuple(turns.count(turn) for turn in range(1, max(turns) + 1))
    assert tree.total == sum(turns)
    assert tree.depth == max(turns)
    squares = [turn * turn for turn in range(tree.depth + 1)]
    assert tree.cost(squares) == sum(turn * turn for turn in turns)


@given(random_trees())
def test_nodes_are_in_breadth_first_order(tree: StrategyTree) -> None:
    queue = [0]
    for number in queue:
        queue.extend(tree.nodes[number].children.values())
    assert queue == list(range(len(tree)))


@given(random_trees())
def test_walk_inverts_path(tree: StrategyTree) -> None:
    for node in tree.nodes:
        answers = [answer for _, answer in tree.path(node)]
        assert tree.walk(answers) == node
        assert node.turn == len(answers) + 1
    again = StrategyTree.grow(tree.rules, lambda _, path: tree.walk(a for _, a in path).guess)
    assert again == tree
    assert hash(again) == hash(tree)


def test_walk_names_the_first_impossible_step() -> None:
    rules = Rules.parse("p2c3n")
    tree = StrategyTree.grow(rules, lambda candidates, _: candidates[0])
    with pytest.raises(TreeError) as caught:
        tree.walk([rules.answer_index(0, 1), rules.answer_index(0, 0), 0])
    assert caught.value.step == 1


@pytest.mark.parametrize(("game", "words"), [("p2c6n", "splits nothing"), ("p8c8r", "up to")])
def test_grow_refuses_what_is_no_tree(game: str, words: str) -> None:
    with pytest.raises(TreeError, match=words):
        StrategyTree.grow(Rules.parse(game), lambda left, path: 0 if path else left[0])


def test_grow_starts_from_any_position() -> None:
    rules = Rules.parse("p3c5n")
    part = tuple(rules.partition(0, range(rules.size))[2])
    tree = StrategyTree.grow(rules, lambda left, _: left[0], candidates=part, path=((0, 2),))
    assert [node.turn for node in tree.nodes[:2]] == [2, 3]
    assert sum(tree.distribution) == len(part)
    assert tree.distribution[0] == 0


@given(small_rules(), st.data())
def test_special_guess_is_the_first_that_splits_all(rules: Rules, data: st.DataObject) -> None:
    codes = data.draw(st.sets(st.integers(0, rules.size - 1), min_size=1, max_size=16))
    candidates = tuple(sorted(codes))
    splitting = [
        guess
        for guess in candidates
        if len({rules.respond(guess, code) for code in candidates}) == len(candidates)
    ]
    assert special_guess(rules, candidates) == (splitting[0] if splitting else None)
