"""Every row of the table of known costs, found again from nothing."""

from collections import Counter

import pytest

from bullscows.build.strategies import strategy_tree
from bullscows.game.objective import NAMES
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.search.solver import solve
from bullscows.tree.strategy_tree import StrategyTree
from tests.support.known import KnownCost, known_costs

SEARCHED = [row for row in known_costs() if set(row.objective.split(",")) <= set(NAMES)]
FOLLOWED = [row for row in known_costs() if row not in SEARCHED]


def rows(costs: list[KnownCost]) -> list[object]:
    slow = pytest.mark.slow
    return [pytest.param(row, id=str(row), marks=[slow] if row.is_slow else []) for row in costs]


def agrees(tree: StrategyTree, row: KnownCost) -> None:
    found = {"total": tree.total, "depth": tree.depth, "worst": tree.distribution[-1]}
    stated = {name: getattr(row, name) for name in found if getattr(row, name) is not None}
    assert stated == {name: found[name] for name in stated}


@pytest.mark.parametrize("row", rows(SEARCHED))
def test_the_search_finds_the_known_cost(row: KnownCost) -> None:
    rules = Rules.parse(row.rules)
    first = None if row.first is None else rules.parse_code(row.first)
    table = ResponseTable.of(rules)
    solution = solve(table, row.objective, max_turns=row.max_turns, first=first)
    assert solution.feasible == row.is_feasible
    if row.is_feasible:
        tree = solution.tree()
        agrees(tree, row)
        for name, cost in (("total", tree.total), ("worst", tree.depth)):
            assert solution.levels.get(name, cost) == cost


@pytest.mark.parametrize("row", rows(FOLLOWED))
def test_the_strategy_has_the_known_cost(row: KnownCost) -> None:
    agrees(strategy_tree(Rules.parse(row.rules), row.objective), row)


def test_rows_are_asked_once_and_say_who_found_them() -> None:
    assert {
        name: count for name, count in Counter(map(str, known_costs())).items() if count > 1
    } == {}
    for row in known_costs():
        assert row.source
        assert not row.is_feasible or any((row.total, row.depth, row.worst)), row
