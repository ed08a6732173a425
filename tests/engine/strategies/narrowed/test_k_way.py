"""K-way branching: crush with one way, never worse with more, and its figures for Mastermind."""

import numpy as np
import pytest

from bullscows.game.rules import Rules
from bullscows.strategies.narrowed.search import k_way, one_of_each_group
from bullscows.strategies.rules.one_step import HEURISTICS, Splits, heuristic_tree
from bullscows.tree.verifier import verify

MASTERMIND = Rules.parse("p4c6r")


@pytest.mark.parametrize("text", ["p3c4r", "p3c6n", "p4c6r", "p4c6n"])
def test_one_way_is_crush(text: str):
    rules = Rules.parse(text)
    crush = heuristic_tree(rules, HEURISTICS["crush"])
    assert k_way(rules, 1).tree() == crush


@pytest.mark.parametrize("text", ["p3c4r", "p3c6n", "p4c5n"])
def test_more_ways_never_cost_more(text: str):
    totals = [k_way(Rules.parse(text), ways).tree().total for ways in (1, 2, 4, 8, 1000)]
    assert totals == sorted(totals, reverse=True)


def test_tree_has_the_total():
    rules = Rules.parse("p3c6n")
    search = k_way(rules, 4)
    tree = search.tree()
    assert tree.total == search._solve(tuple(range(rules.size)), ())[0] == verify(tree).total


@pytest.mark.slow
def test_bulls_and_cows_with_five_ways():
    # Chen et al., section 3, need at most 7 turns a secret too.
    assert k_way(Rules.parse("p4c10n"), 5).tree().distribution == (
        1, 6, 56, 620, 2451, 1828, 78,
    )  # fmt: skip


def test_groups_are_tried_in_the_order_of_crush():
    splits = Splits(
        np.arange(5, dtype=np.int32),
        np.array([[4, 0, 0], [3, 1, 0], [2, 1, 1], [2, 1, 1], [2, 2, 0]]),
        np.array([True, False, False, True, False]),
    )
    # One guess of each group, the candidate 3 for 2; 0 leaves all together.
    assert one_of_each_group(splits) == [3, 4, 1]


def test_at_least_one_way_is_asked_for():
    with pytest.raises(ValueError, match="at least one guess"):
        k_way(MASTERMIND, 0)
