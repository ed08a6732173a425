"""The checker: accepts sound trees, and names what is wrong with any other."""

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bullscows.game.rules import Rules
from bullscows.tree.nodes import Nodes
from bullscows.tree.strategy_tree import StrategyTree
from bullscows.tree.verifier import MAX_PROBLEMS, verify
from tests.support.strategies import random_trees

RULES = Rules.parse("p3c5n")
TREE = StrategyTree.grow(RULES, lambda candidates, _: candidates[0])


@given(random_trees())
def test_sound_trees_are_accepted_with_their_figures(tree: StrategyTree) -> None:
    checked = verify(tree)
    assert checked.ok
    assert checked.distribution == tree.distribution
    assert (checked.secrets, checked.nodes) == (tree.rules.size, len(tree))
    assert (checked.total, checked.depth) == (tree.total, tree.depth)


def claims(tree: StrategyTree) -> dict[str, Any]:
    """Return what the nodes of a tree say, in lists to be changed; `with_claims` takes it."""
    return {
        "guesses": [node.guess for node in tree.nodes],
        "edges": [(node.parent, node.answer) for node in tree.nodes[1:]],
        "left": [list(node.candidates) for node in tree.nodes],
    }


def with_claims(
    rules: Rules,
    guesses: list[int],
    edges: list[tuple[int, int]],
    left: list[list[int]],
    first_turn: int = 1,
) -> StrategyTree:
    sizes = [len(some) for some in left]
    codes = list(chain.from_iterable(left))
    return StrategyTree(rules, Nodes.of(guesses, edges, sizes, codes, first_turn))


def damaged(damage: Callable[[dict[str, Any]], None], tree: StrategyTree = TREE) -> StrategyTree:
    claimed = claims(tree)
    damage(claimed)
    return with_claims(tree.rules, **claimed)


def problems(damage: Callable[[dict[str, Any]], None]) -> tuple[str, ...]:
    """Return what is wrong once the nodes say something else."""
    return verify(damaged(damage)).problems


def test_a_tree_is_what_its_nodes_say() -> None:
    assert damaged(lambda _: None) == TREE


LAST = len(TREE) - 1


def without_a_branch(claimed: dict[str, Any]) -> None:
    """Take away the last node."""
    for values in claimed.values():
        values.pop()


def bare(claimed: dict[str, Any]) -> None:
    for name, values in claimed.items():
        del values[name != "edges" :]


def exchange(values: list[Any], one: int, other: int) -> None:
    values[one], values[other] = values[other], values[one]


@pytest.mark.parametrize(
    "damage",
    [
        without_a_branch,
        bare,
        lambda claimed: exchange(claimed["guesses"], 1, 2),
        lambda claimed: exchange(claimed["left"], 1, 2),
        lambda claimed: exchange(claimed["edges"], 0, 1),
        lambda claimed: claimed["guesses"].__setitem__(0, TREE.root.guess + 1),
        lambda claimed: claimed["left"][0].pop(0),
        lambda claimed: claimed["left"][0].pop(),
        lambda claimed: claimed["left"][1].append(RULES.size - 1),
        lambda claimed: claimed["left"][2].insert(0, claimed["left"][1].pop()),
        lambda claimed: claimed["edges"].__setitem__(0, (0, RULES.win)),
        lambda claimed: claimed.update(first_turn=2),
        lambda claimed: claimed.update(first_turn=0),
    ],
    ids=(f"damage {number}" for number in range(13)),
)
def test_each_kind_of_damage_is_found(damage: Callable[[dict[str, Any]], None]) -> None:
    checked = verify(damaged(damage))
    assert not checked.ok
    assert 1 <= len(checked.problems) <= MAX_PROBLEMS


@pytest.mark.parametrize("node", [LAST, LAST - 2])
def test_two_nodes_after_one_answer_are_found(node: int) -> None:
    def twice(claimed: dict[str, Any]) -> None:
        claimed["edges"][node - 1] = claimed["edges"][node - 2]

    assert problems(twice) == (f"node {node} does not follow the one before by its answer",)


def test_a_secret_that_is_lost_is_named() -> None:
    """The first of each part, and no other node is to blame."""
    lost = TREE.nodes[LAST].candidates
    (problem,) = problems(without_a_branch)
    assert (
        problem == f"secret {RULES.text(lost[0])} has no branch at node {TREE.nodes[LAST].parent}"
    )


def test_at_most_ten_problems_are_reported() -> None:
    def all_exchanged(claimed: dict[str, Any]) -> None:
        claimed["left"] = [[0] for _ in claimed["left"]]

    assert len(TREE) > 20
    assert len(problems(all_exchanged)) == MAX_PROBLEMS == 10


def test_a_tree_without_nodes_guesses_nothing() -> None:
    numbers = np.zeros(0, dtype=np.int32)
    none = Nodes(
        numbers, numbers, np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int32), numbers
    )
    checked = verify(StrategyTree(RULES, none))
    assert (checked.ok, checked.distribution, checked.secrets) == (False, (), 0)


def test_a_node_that_no_secret_reaches_is_found() -> None:
    def one_more(claimed: dict[str, Any]) -> None:
        claimed["guesses"].append(0)
        claimed["edges"].append((LAST, 0))
        claimed["left"].append([0])

    assert problems(one_more) == (f"node {len(TREE)} is reached by no secret",)
