"""Each point of a front has a tree that costs just so much in both criteria."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.search.front_trees import FrontTrees
from bullscows.search.fronts import FrontSearch, Vectors
from bullscows.search.points import Point
from tests.support.examples import examples

weights = st.lists(st.integers(0, 5), min_size=5, max_size=5).map(
    lambda steps: [sum(steps[: turn + 1]) for turn in range(5)]
)


def costs_of_trees(rules: str, vectors: Vectors) -> dict[Point, Point]:
    table = ResponseTable.of(Rules.parse(rules))
    search = FrontSearch(table, vectors)
    trees = FrontTrees(table, search).trees(search.front())
    first, second = vectors
    return {
        point: Point(tree.cost((0, *first)), tree.cost((0, *second)))
        for point, tree in trees.items()
    }


@given(rules=st.sampled_from(["p2c4n", "p2c4r", "p2c5n", "p3c4n"]), first=weights, second=weights)
@examples(25)
def test_trees_cost_what_the_points_say(rules: str, first: list[int], second: list[int]) -> None:
    costs = costs_of_trees(rules, (first, second))
    assert costs
    assert all(point == cost for point, cost in costs.items())


def test_points_above_the_convex_hull_have_trees_too() -> None:
    """Five points, of which no weighted sum finds the second and the fourth."""
    costs = costs_of_trees("p2c5r", ([0, 1, 2, 9, 14], [1, 1, 8, 9, 11]))
    points = [(120, 184), (122, 183), (124, 179), (126, 178), (128, 177)]
    assert list(costs) == list(costs.values()) == points


@pytest.mark.slow
def test_mastermind_has_a_tree_for_each_end() -> None:
    table = ResponseTable.of(Rules.parse("p4c6r"))
    search = FrontSearch.of(table, "average,last", max_turns=5)
    trees = FrontTrees(table, search).trees(search.front())
    assert [(tree.total, tree.histogram[4]) for tree in trees.values()] == [
        (5626, 540),
        (5627, 539),
    ]
