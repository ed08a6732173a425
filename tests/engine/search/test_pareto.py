"""Pareto fronts: those of a plain recursion over all strategies, and the ends as published."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import ObjectiveError, Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.search.pareto import ParetoSearch, Point, Vectors
from tests.support.examples import examples
from tests.support.known import known_total
from tests.support.naive import naive_front

pytestmark = pytest.mark.large


def table_of(rules: str) -> ResponseTable:
    return ResponseTable.of(Rules.parse(rules))


def naive(table: ResponseTable, first: list[int], second: list[int]) -> set[tuple[int, int]]:
    responses = table.responses[:, : table.size].tolist()
    return naive_front(responses, table.win, (first, second), tuple(range(table.size)))


weights = st.lists(st.integers(0, 5), min_size=5, max_size=5).map(
    lambda steps: [sum(steps[: turn + 1]) for turn in range(5)]
)


def test_ends_of_mastermind_are_the_lexicographic_optima() -> None:
    """5626 turns with 540 five-movers, 539 five-movers with 5627 turns (docs/results.md)."""
    search = ParetoSearch.of(table_of("p4c6r"), "average,last", max_turns=5)
    trees = search.trees(search.front())
    assert list(trees) == [(5626, 540), (5627, 539)]
    assert [(tree.total, tree.distribution[4]) for tree in trees.values()] == list(trees)


@pytest.mark.slow
def test_front_of_bulls_and_cows_has_eighteen_points() -> None:
    """docs/results.md; one end has the fewest turns, the other the fewest 7-movers."""
    front = ParetoSearch.of(table_of("p4c10n"), "average,last", max_turns=7).front()
    assert [point.second for point in front] == [69, 67, *range(65, 49, -1)]
    ends = (known_total("p4c10n"), known_total("p4c10n", "last,average", 7))
    assert (front[0].first, front[-1].first) == ends
    assert Point(26345, 53) in front
    assert Point(26401, 52) in front


def test_too_few_turns_leave_an_empty_front() -> None:
    assert ParetoSearch.of(table_of("p4c6r"), "average,last", max_turns=4).front() == ()


@given(rules=st.sampled_from(["p2c4n", "p2c5n", "p2c5r", "p3c4n"]), first=weights, second=weights)
@examples(30)
def test_front_is_that_of_all_strategies_and_so_are_the_costs_of_trees(rules, first, second):
    table = table_of(rules)
    search = ParetoSearch(table, (first, second))
    assert set(search.front()) == naive(table, first, second)
    costs = costs_of_trees(rules, (first, second))
    assert costs
    assert all(point == cost for point, cost in costs.items())


@pytest.mark.parametrize("objective", ["average", "worst,average", "movers,average"])
def test_other_objectives_are_refused(objective: str) -> None:
    with pytest.raises(ObjectiveError):
        ParetoSearch.of(table_of("p2c4n"), objective, max_turns=5)


def costs_of_trees(rules: str, vectors: Vectors) -> dict[Point, Point]:
    table = ResponseTable.of(Rules.parse(rules))
    search = ParetoSearch(table, vectors)
    trees = search.trees(search.front())
    return {
        point: Point(*(Weights.of(vector).cost(tree.distribution) or 0 for vector in vectors))
        for point, tree in trees.items()
    }


def test_points_above_the_convex_hull_have_trees_too() -> None:
    """Five points, of which no weighted sum finds the second and the fourth."""
    costs = costs_of_trees("p2c5r", ([0, 1, 2, 9, 14], [1, 1, 8, 9, 11]))
    points = [(120, 184), (122, 183), (124, 179), (126, 178), (128, 177)]
    assert list(costs) == list(costs.values()) == points
