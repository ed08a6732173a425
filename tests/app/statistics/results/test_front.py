"""The trees of the front that ship: each is what its name says, and none betters another."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bullscows.tree.files import read_tree
from bullscows.tree.storage import PARETO, default_folder
from bullscows_web.statistics.results.figures import FrontPoint, Results

POINTS = Results.open(default_folder()).front


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_a_tree_of_the_front_costs_what_its_name_says(point: FrontPoint) -> None:
    record = read_tree(default_folder() / PARETO / point.name).record
    assert (record.rules, record.total, record.depth) == ("p4c10n", point.total, 7)
    assert record.distribution[6] == point.late


def test_no_point_of_the_front_betters_another() -> None:
    """From the fewest turns of all, 26274 with 69 7-movers, to the fewest 7-movers, 50."""
    costs = [(point.total, point.late) for point in POINTS]
    assert len(costs) == 18
    assert (costs[0], costs[-1]) == ((26274, 69), (26450, 50))
    assert all(one[1] > other[1] for one, other in pairwise(costs))
