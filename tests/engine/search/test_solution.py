"""Histories and solutions as text."""

from contextlib import suppress
from dataclasses import replace

import pytest

from bullscows.game.objective import total_turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.search.position import SearchError
from bullscows.search.solver import solve

RULES = Rules.parse("p3c6n")
TABLE = ResponseTable.of(RULES)


@pytest.mark.parametrize(
    ("history", "first"), [("", None), ("", "012"), ("012:0.1", None), ("012:0.1 345:0.2", "120")]
)
@pytest.mark.parametrize("objective", ["average,last", "last"])
def test_distribution_total_and_mean_are_those_of_the_tree(history, first, objective):
    solution = solve(TABLE, objective, history=history, first=first, max_turns=6)
    tree = solution.tree()
    assert tree.root.turn == len(history.split()) + 1
    assert solution.distribution == tree.distribution
    assert solution.total == tree.total
    assert solution.mean == tree.total / tree.root.size


def test_a_total_counts_from_the_first_turn_of_the_game_as_the_value_does() -> None:
    solution = solve(TABLE, history="012:0.1")
    assert solution.value == solution.total == 140
    assert solution.distribution == (0, 1, 7, 23, 5)
    assert "average, " not in str(solution)
    assert "total 140 (mean 3.889)" in str(solution)


@pytest.mark.parametrize(("text", "left"), [("012:0.3", 2), ("012:0.3 120:0.3", 1)])
def test_turns_of_one_or_two_candidates_begin_with_the_first_guess_too(text: str, left: int):
    """A guess that can't be the secret takes a turn more, and the value has it."""
    turn = len(text.split()) + 1
    later = 0
    for first in range(RULES.size):
        with suppress(SearchError):  # it excludes nothing
            solution = solve(TABLE, history=text, first=first)
            turns = solution.distribution
            assert turns is not None
            assert sum(turns) == solution.secrets == left
            assert total_turns(turns) == solution.value
            assert (turns[turn - 1] == 1) == (first in solution.position.candidates)
            later += turns[turn - 1] == 0
            if left > 1:
                tree = solution.tree()
                assert (tree.root.guess, tree.distribution) == (first, turns)
    assert later


@pytest.mark.parametrize(
    ("objective", "level", "value"),
    [("average", "total", 436), ("last,average", "last", 3), ("worst,average", "worst", 5)],
)
def test_bounds_are_those_of_the_strongest_criterion(objective, level, value):
    proved = solve(TABLE, objective, max_turns=5)
    assert proved.value == proved.levels[level]
    assert proved.bounds == (proved.value, proved.value)
    stopped = replace(proved, lower=proved.lower - 1)
    assert (stopped.value, stopped.total, stopped.distribution) == (None, None, None)
    if level != "worst":
        assert stopped.bounds.lower <= value <= (stopped.bounds.upper or 0)
    assert f"{level} at least {stopped.bounds.lower}" in stopped.claim


def test_without_a_strategy_there_is_no_distribution() -> None:
    solution = solve(TABLE, "average", max_turns=2)
    assert (solution.distribution, solution.total, solution.mean) == (None, None, None)
    assert "no strategy" in str(solution)
