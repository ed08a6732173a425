"""Portions of what a limit leaves: asked in small amounts, a set costs what it costs."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import Weights
from bullscows.game.responses import ResponseTable
from bullscows.game.symmetry import representatives
from bullscows.kernels.arrays import problem as problem_module
from bullscows.kernels.arrays.problem import ALL_PRUNING, Problem, Pruning, make_problem
from bullscows.kernels.arrays.workspace import (
    AFTER,
    BY_BOUND,
    LEAST,
    MAX_ANSWERS,
    ORDER,
    SIZE,
    Node,
)
from bullscows.kernels.compiling.jit import Numbers
from bullscows.kernels.steps.budgets import QUEUE, open_sizes, part_budget, put_back, raise_least
from bullscows.kernels.thresholds import BUDGETED_SIZE
from bullscows.search.position import Position
from bullscows.search.search import Search
from tests.support.examples import examples

TURNS = range(1, 17)
PLAIN = (
    Pruning.SIZE
    | Pruning.PARTS
    | Pruning.TABLE
    | Pruning.CANONICAL
    | Pruning.HISTORY
    | Pruning.SYMBOLS
)
"""Solves each part to its end, with no bound but those by size and by parts."""
FEW, NONE = Pruning.QUICK | Pruning.MEMBERS, Pruning(0)
"""Rules switched off, so that parts stay open."""
LARGE = Node(0, 1000, 2, 13, BY_BOUND)


@cache
def table_of(text: str) -> ResponseTable:
    return ResponseTable.of(text)


@cache
def problem_of(pruning: Pruning = ALL_PRUNING) -> Problem:
    return make_problem(table_of("p4c6r"), Weights.of(TURNS), pruning)


def open_parts(sizes: list[int], leasts: list[int]) -> Numbers:
    """Return the row of a guess whose open parts have these sizes and bounds."""
    part = np.zeros(7 * 64, dtype=np.int64)
    for answer, (size, least) in enumerate(zip(sizes, leasts, strict=True)):
        part[SIZE + answer], part[LEAST + answer], part[ORDER + answer] = size, least, answer
    return part


@st.composite
def guesses(draw: st.DrawFn) -> tuple[Numbers, int]:
    """Draw the open parts of a guess, and how many there are."""
    sizes = draw(st.lists(st.integers(3, 400), min_size=2, max_size=13))
    return open_parts(sizes, [4 * size for size in sizes]), len(sizes)


@given(guess=guesses(), spare=st.integers(0, 1 << 62), rounds=st.integers(0, 100))
@examples(200)
def test_a_portion_is_never_more_than_what_is_left(
    guess: tuple[Numbers, int], spare: int, rounds: int
) -> None:
    part, left = guess
    sizes = open_sizes(part, left)
    assert sizes == part[SIZE : SIZE + left].sum()
    for answer in range(left):
        least = int(part[LEAST + answer])
        budget, most = part_budget(problem_of(), LARGE, part, answer, spare, sizes, rounds)
        assert least <= budget <= most == least + spare


@given(guess=guesses(), spare=st.integers(0, 10**6))
@examples(100)
def test_parts_are_asked_for_twice_their_share_at_first_and_for_all_in_the_end(
    guess: tuple[Numbers, int], spare: int
) -> None:
    part, left = guess
    sizes = open_sizes(part, left)
    for answer in range(left):
        least, size = int(part[LEAST + answer]), int(part[SIZE + answer])
        asked = [
            part_budget(problem_of(), LARGE, part, answer, spare, sizes, rounds)
            for rounds in range(12)
        ]
        assert asked[0][0] == least + min(spare, 2 * spare * size // sizes)
        assert [budget for budget, _ in asked] == sorted(budget for budget, _ in asked)
        assert len(set(asked[-1])) == 1


@pytest.mark.parametrize(
    ("pruning", "node"),
    [
        (ALL_PRUNING & ~Pruning.BUDGETS, LARGE),
        (ALL_PRUNING, LARGE._replace(size=BUDGETED_SIZE - 1)),
    ],
)
def test_small_sets_are_asked_for_all_at_once(pruning: Pruning, node: Node) -> None:
    found = part_budget(problem_of(pruning), node, open_parts([50, 50], [200, 200]), 0, 40, 100, 0)
    assert found == (240, 240)


def test_the_last_open_part_is_asked_for_all() -> None:
    found = part_budget(problem_of(), LARGE, open_parts([50], [200]), 0, 40, 50, 0)
    assert found == (240, 240)


def test_parts_wait_in_a_ring() -> None:
    parts = MAX_ANSWERS - 1
    part, end = open_parts([7] * parts, [0] * parts), parts
    for turn in range(3 * QUEUE):
        answer = part[ORDER + turn % QUEUE]
        assert answer == turn % parts
        end = put_back(part, answer, end)
    assert not part[AFTER:].any()


def test_only_what_is_new_of_a_bound_is_gained() -> None:
    part = open_parts([50], [200])
    assert [raise_least(part, 0, value) for value in (190, 230, 230, 235)] == [0, 30, 0, 5]


def portioned_search(table: ResponseTable, pruning: Pruning, jobs: int = 1) -> Search:
    """Return a search that asks the parts of the smallest sets for portions, too."""
    weights = Weights.of(TURNS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(problem_module, "BUDGETED_SIZE", 3)
        return Search(table, weights, pruning=pruning, table_bits=12, threads=jobs)


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
def test_bounds_by_portions_are_those_of_a_search_without(
    game: str | int, off: Pruning, jobs: int
) -> None:
    """The value if it is within the budget, else a bound between the two."""
    table = game_table(game)
    everything = Position(tuple(range(table.size)))
    expected = plain_search(game).value(everything).lower
    search = portioned_search(table, ALL_PRUNING & ~off, jobs)
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
                found = portioned_search(table, ALL_PRUNING & ~off).value(position, budget=budget)
                assert found.lower == expected, position
                assert found.upper == expected or budget < expected, position
