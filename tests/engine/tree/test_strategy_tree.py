"""Strategy trees: growing, walking, counting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import Weights
from bullscows.game.rules import Rules
from bullscows.tree.nodes import Nodes
from bullscows.tree.strategy_tree import StrategyTree, TreeError, special_guess
from tests.support.strategies import random_trees, small_rules


@given(random_trees())
def test_every_secret_is_played_to_its_guess(tree: StrategyTree) -> None:
    turns = [len(tree.play(secret)) for secret in range(tree.rules.size)]
    assert tree.distribution == tuple(turns.count(turn) for turn in range(1, max(turns) + 1))
    assert tree.total == sum(turns)
    assert tree.depth == max(turns)
    squares = Weights.of([turn * turn for turn in range(1, tree.depth + 1)])
    assert squares.cost(tree.distribution) == sum(turn * turn for turn in turns)


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


def test_turns_may_exceed_a_byte() -> None:
    """A history may repeat turns."""
    tree = StrategyTree.grow(Rules.parse("p2c3n"), lambda candidates, _: candidates[0], turn=300)
    assert tree.distribution == (*[0] * 299, 1, 3, 2)


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
        assert tree.nodes.distribution(node.number) == (*[0] * (node.turn - 1), *found)
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
