"""The bounded tree: how bounds of parts add up, who shares them, and what a proof asks next."""

import gc
import weakref
from random import Random

import pytest

from bullscows.game.history import History
from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Turns
from bullscows.search.search import Search
from bullscows.search.tree import BoundedTree, TreeNode


def searched(text: str) -> tuple[Question, Search]:
    question = Question.parse(text)
    return question, Search(ResponseTable.of(question.rules), question.weights())


def tree_of(text: str) -> BoundedTree:
    question, search = searched(text)
    return BoundedTree(search.table, search.weights, question.history)


def test_a_guess_costs_what_its_parts_do_together() -> None:
    tree = tree_of("p3c6n average -")
    (option,) = tree.split(tree.root)
    by_size = option.bounds
    assert by_size == Bounds(option.least)
    parts = tree.parts(tree.root, option)
    parts[0].entry.learn(Bounds(parts[0].bounds.lower + 5))
    assert option.bounds == Bounds(by_size.lower + 5)
    for part in parts:
        part.entry.learn(Bounds(0, part.bounds.lower + 10))
    assert option.bounds == Bounds(by_size.lower + 5, by_size.lower + 5 + 10 * len(parts))
    assert tree.bounds() == option.bounds


def test_a_position_costs_what_the_cheapest_of_its_guesses_does() -> None:
    question, search = searched("p3c6n average - 012:0.1")
    tree = BoundedTree(search.table, search.weights, question.history)
    for option in tree.split(tree.root):
        for part in tree.parts(tree.root, option):
            part.entry.learn(search.value(part.position(search.table)))
    value = search.value(tree.root.position(search.table))
    assert tree.bounds() == value
    assert tree.weakest(tree.root).bounds == value
    assert max(option.bounds.lower for option in tree.split(tree.root)) > value.lower


def test_equivalent_positions_share_what_is_proved() -> None:
    tree = tree_of("p4c10n average -")
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


def test_what_is_known_beforehand_is_known_of_positions_looked_at_later() -> None:
    tree = tree_of("p4c10n average -")
    rules = tree.table.rules
    assert rules is not None
    tree.learn(str(History.parse(rules, "0123:0.1")), Bounds(9000), is_long=True)
    (first,) = tree.split(tree.root)
    node = tree.after(tree.root, first, rules.parse_answer("0.1"))
    assert node.bounds.lower == 9000
    assert tree.is_split(node)
    assert tree.bounds().lower == first.least + 9000 - tree.least(node)


def test_what_holds_for_a_given_guess_is_not_learnt_of_the_position() -> None:
    tree = tree_of("p4c6r average -")
    option = tree.option(tree.root, 0)  # 0000
    least = tree.bounds().lower
    option.learn(Bounds(6000, 6100))
    assert tree.bounds() == Bounds(least)
    tree.split(tree.root)
    assert tree.bounds().lower < 6000
    tree.learn(tree.root.key, Bounds(0, 5625))
    assert option.bounds == Bounds(6000, 6100)


def test_a_tree_and_its_table_are_freed_without_the_garbage_collector() -> None:
    """Of a large game they take a large part of the memory that the analysis may use."""
    tree = tree_of("p3c6n average -")
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


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("p4c6n average,last 6", 1),
        ("p4c6n movers 6", 2),
        ("p3c6r average -", 2),
        ("p4c6n average - 0123:0.2", 1),
        ("p4c6n last 3", 1),  # no strategy keeps within the turns
    ],
)
def test_questions_answered_in_any_order_prove_the_value(text: str, plies: int, seed: int) -> None:
    """Some answers are given up at once, so that their positions are split as well."""
    question, search = searched(text)
    tree = BoundedTree(search.table, search.weights, question.history, plies=plies)
    chance = Random(seed)
    while asked := tree.next_questions():
        node, budget, guess = chance.choice(asked)
        key = node.key if guess is None else tree.key(node.turns, guess)
        if chance.random() < 0.2:
            tree.learn(key, Bounds(), is_long=True)
        elif guess is None:
            tree.learn(key, search.value(node.position(search.table), budget=budget))
        else:
            parts = search.parts(node.position(search.table), search.table.number(guess))
            total = sum(map(search.cost, parts))
            tree.learn(key, Bounds(min(total, INFINITE), total if total < INFINITE else None))
    assert tree.bounds() == search.value(tree.root.position(search.table))


def test_a_budget_that_is_too_small_is_proved_to_be() -> None:
    _, search = searched("p4c6n average 6")
    value = search.value(BoundedTree(search.table, search.weights).root.position(search.table))
    tree = BoundedTree(search.table, search.weights, plies=2)
    while asked := tree.next_questions(value.lower - 1):
        for node, budget, guess in asked:
            assert guess is None  # no guess has a value to compare others with
            tree.learn(node.key, search.value(node.position(search.table), budget=budget))
    assert tree.bounds().lower == value.lower


def test_the_optimal_strategy_leaves_the_split_part_at_its_edge() -> None:
    _, search = searched("p4c6n average 6")
    tree = BoundedTree(search.table, search.weights, plies=1)
    while asked := tree.next_questions():
        for node, budget, _ in asked:
            tree.learn(node.key, search.value(node.position(search.table), budget=budget))
    nodes, open_questions = tree.edge(lambda _: False)
    assert not open_questions
    assert tree.root.best is not None
    assert [node.turns for node in nodes] == _following(tree.root, tree)
    plain = search.tree(tree.root.position(search.table))
    assert tree.root.best.guess == plain.root.guess


def _following(node: TreeNode, tree: BoundedTree) -> list[Turns]:
    assert node.best is not None
    return [part.turns for part in tree.parts(node, node.best)]
