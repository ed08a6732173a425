"""Budgets of parts: searched with small budgets at first, a set costs what it costs."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bullscows.game.objective import Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.symmetry import representatives
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.search.position import Position
from bullscows.search.position_search import Search

pytestmark = pytest.mark.large

TURNS = range(1, 17)
PLAIN = Pruning.SIZE | Pruning.PARTS | Pruning.TABLE
PLAIN |= Pruning.CANONICAL | Pruning.HISTORY | Pruning.SYMBOLS
"""Solves each part to its end, with no bound but those by size and by parts."""
FEW = Pruning.QUICK | Pruning.MEMBERS
NONE = Pruning(0)
"""Rules switched off, so that parts stay open."""


table_of = cache(ResponseTable.of)


def budgeted_search(table: ResponseTable, pruning: Pruning, jobs: int = 1) -> Search:
    """Return a search that shares the budget among the parts of the smallest sets, too."""
    search = Search(table, Weights.of(TURNS), pruning=pruning, table_bits=12, threads=jobs)
    search.problem = replace(search.problem, budgeted=3)
    return search


def skewed_table(seed: int) -> ResponseTable:
    """Return a random game in which one answer is frequent, so that large parts stay open."""
    drawn = np.random.default_rng(seed).geometric(0.45, (90, 90)) - 1
    square = np.minimum(drawn, 3).astype(np.uint8)
    np.fill_diagonal(square, 4)
    return ResponseTable.from_answers(square, answers=5, win=4)


@cache
def game_table(game: str | int) -> ResponseTable:
    return table_of(game) if isinstance(game, str) else skewed_table(game)


@cache
def plain_search(game: str | int) -> Search:
    return Search(game_table(game), Weights.of(TURNS), pruning=PLAIN)


@pytest.mark.parametrize(
    ("off", "jobs"),
    [(FEW, 1), (FEW | Pruning.SIZE, 1), (FEW | Pruning.PARTS, 1), (NONE, 1), (FEW, 2)],
)
@pytest.mark.parametrize("game", ["p4c5r", "p4c6n", "p3c8r", 0, 1, 2, 3])
def test_bounds_by_budgets_are_those_of_a_search_without(game, off, jobs):
    """The value if it is within the budget, else a bound between the two."""
    table = game_table(game)
    everything = Position(tuple(range(table.size)))
    expected = plain_search(game).value(everything).lower
    search = budgeted_search(table, ALL_PRUNING & ~off, jobs)
    for budget in range(expected - 3, expected + 1):
        found = search.value(everything, budget=budget)
        if expected <= budget:
            assert found.lower == found.upper == expected
        else:
            assert budget < found.lower <= expected


@pytest.mark.parametrize("off", [FEW | Pruning.SIZE, FEW, NONE])
@pytest.mark.parametrize("game", ["p4c5r", "p3c8r", "p3c9n"])
def test_positions_after_a_guess_cost_what_a_plain_search_finds(game: str, off: Pruning) -> None:
    table = table_of(game)
    assert table.rules is not None
    plain = plain_search(game)
    for guess in representatives(table.rules, ()).tolist():
        for answer in np.unique(table.responses[:, guess]).tolist():
            position = Position.after(table, [(guess, answer)])
            expected = plain.value(position).lower
            for budget in (expected - 1, expected):
                found = budgeted_search(table, ALL_PRUNING & ~off).value(position, budget=budget)
                assert found.lower == expected, position
                assert found.upper == expected or budget < expected, position
