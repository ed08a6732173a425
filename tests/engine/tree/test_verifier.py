"""The checker: accepts sound trees, and names what is wrong with any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.rules import Rules, respond
from engine.tree.strategy_tree import Node, StrategyTree
from engine.tree.verifier import (
    MAX_PROBLEMS,
    _Scores,
    score,
    verify,
)
from tests.support.strategies import random_trees, small_rules

RULES = Rules.parse("p3c5n")
TREE = StrategyTree.grow(RULES, lambda candidates, _: candidates[0])


@given(small_rules(), st.data())
def test_own_scorer_agrees_with_the_definition(rules: Rules, data: st.DataObject) -> None:
    guess = rules.code(data.draw(st.integers(0, rules.size - 1)))
    secret = rules.code(data.draw(st.integers(0, rules.size - 1)))
    assert score(guess, secret) == respond(guess, secret)


@pytest.mark.parametrize("text", ["p3c5n", "p3c4r", "p1c16r", "p2c16n"])
def test_every_two_codes_are_scored_by_the_definition(text: str) -> None:
    rules = Rules.parse(text)
    scores = _Scores(rules)
    for guess in range(rules.size):
        for place, secrets in scores.parts(guess, range(rules.size)).items():
            for secret in secrets:
                answer = respond(rules.code(guess), rules.code(secret))
                assert rules.answers[place] == answer


@given(random_trees())
def test_sound_trees_are_accepted_with_their_figures(tree: StrategyTree) -> None:
    checked = verify(tree)
    assert checked.ok
    assert checked.turns == tree.histogram
    assert (checked.secrets, checked.nodes) == (tree.rules.size, len(tree))
    assert (checked.total, checked.depth) == (tree.total, tree.depth)


def without_a_branch(node: Node) -> Node:
    return replace(node, children=MappingProxyType(dict(list(node.children.items())[1:])))


def with_swapped_branches(node: Node) -> Node:
    numbers = list(node.children.values())
    numbers[0], numbers[1] = numbers[1], numbers[0]
    return replace(node, children=MappingProxyType(dict(zip(node.children, numbers, strict=True))))


def with_a_loop(node: Node) -> Node:
    return replace(node, children=MappingProxyType(dict.fromkeys(node.children, 0)))


@pytest.mark.parametrize(
    "damage",
    [
        without_a_branch,
        with_swapped_branches,
        with_a_loop,
        lambda node: replace(node, guess=node.guess + 1),
        lambda node: replace(node, candidates=node.candidates[1:]),
        lambda node: replace(node, candidates=node.candidates[:-1]),
        lambda node: replace(node, turn=2),
        lambda node: replace(node, parent=3, answer=0),
    ],
    ids=[
        "branch missing",
        "branches swapped",
        "loop",
        "guess",
        "first lost",
        "last lost",
        "turn",
        "parent",
    ],
)
def test_each_kind_of_damage_is_found(damage: Callable[[Node], Node]) -> None:
    checked = verify(StrategyTree(RULES, [damage(TREE.root), *TREE.nodes[1:]]))
    assert not checked.ok
    assert 1 <= len(checked.problems) <= MAX_PROBLEMS


def problems(*nodes: Node) -> tuple[str, ...]:
    """Return what is wrong once these nodes stand in their places."""
    changed = {node.number: node for node in nodes}
    return verify(
        StrategyTree(RULES, [changed.get(n, node) for n, node in enumerate(TREE.nodes)])
    ).problems


LEAF = TREE.nodes[-1]
ODD = f"node {LEAF.number} has the wrong parent, answer or turn"


@pytest.mark.parametrize(
    "leaf",
    [
        replace(LEAF, turn=LEAF.turn + 1),
        replace(LEAF, turn=LEAF.turn - 1),
        replace(LEAF, answer=0),
        replace(LEAF, parent=0),
        replace(LEAF, parent=None, turn=1),
        replace(LEAF, answer=None, turn=1),
    ],
    ids=["later", "earlier", "answer", "parent", "no parent", "no answer"],
)
def test_what_a_leaf_claims_of_its_place_is_compared(leaf: Node) -> None:
    assert problems(leaf) == (ODD,)


def test_the_only_node_is_asked_at_the_first_turn() -> None:
    tree = StrategyTree.grow(Rules.parse("p1c1r"), lambda candidates, _: candidates[0])
    assert verify(tree).ok
    late = StrategyTree(tree.rules, [replace(tree.root, turn=2)])
    assert verify(late).problems == ("node 0 has the wrong parent, answer or turn",)


def test_the_first_secret_that_is_lost_is_named() -> None:
    cut = without_a_branch(TREE.root)
    lost = TREE.nodes[next(iter(TREE.root.children.values()))].candidates
    assert len(lost) > 1
    first = f"secret {RULES.text(lost[0])} has no branch at node 0"
    assert problems(cut)[0] == first


def test_the_first_secret_that_goes_round_is_named() -> None:
    rules = Rules.parse("p1c3r")
    tree = StrategyTree.grow(rules, lambda candidates, _: candidates[0])
    round_about = StrategyTree(rules, [with_a_loop(tree.root), *tree.nodes[1:]])
    assert verify(round_about).problems[0] == "secret 1 is never guessed"


def test_no_more_than_ten_problems_are_told() -> None:
    """A tree without its branches loses each answer's secrets and reaches no other node."""
    bare = replace(TREE.root, children=MappingProxyType({}))
    assert len(TREE) > 20
    assert len(problems(bare)) == 10


def test_a_tree_without_nodes_guesses_nothing() -> None:
    checked = verify(StrategyTree(RULES, []))
    assert (checked.ok, checked.turns, checked.secrets) == (False, (), 0)


def test_large_trees_are_sound_as_small_ones_are() -> None:
    """Numbers above 256 are objects of their own in CPython: equal is not the same."""
    tree = StrategyTree.grow(Rules.parse("p3c8n"), lambda candidates, _: candidates[0])
    assert len(tree) > 256
    nodes = [replace(node, number=int(str(node.number))) for node in tree.nodes]
    assert verify(StrategyTree(tree.rules, nodes)).ok


def test_a_node_that_no_secret_reaches_is_found() -> None:
    extra = replace(TREE.nodes[-1], number=len(TREE))
    assert "reached by no secret" in verify(StrategyTree(RULES, [*TREE.nodes, extra])).problems[0]
