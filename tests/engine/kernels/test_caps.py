"""Caps by answer against counting, guess by guess; and the search with them against all others."""

from functools import cache
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bullscows.game.number_game import NumberGame
from bullscows.game.objective import INFINITE, Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.caps import pair_caps, size_bounds
from bullscows.kernels.problem import Problem, make_problem
from bullscows.kernels.pruning import ALL_PRUNING, Pruning
from bullscows.search.position import Position
from bullscows.search.position_search import Search
from tests.support.naive import naive_caps, naive_fill, naive_rooms, naive_value

pytestmark = pytest.mark.large

ALONE = Pruning.SIZE | Pruning.ANSWER_CAPS | Pruning.SLACK | Pruning.TABLE
"""Pruning rules with which bounds differ only by their caps."""


table_of = cache(ResponseTable.of)


def rows_of(table: ResponseTable) -> list[list[int]]:
    rows: list[list[int]] = table.responses[:, : table.size].tolist()
    return rows


def problem_of(table: ResponseTable, flags: int = Pruning.ANSWER_CAPS) -> Problem:
    return make_problem(table, Weights.of(range(1, 8)), flags)


def caps_after(problem: Problem, guess: int) -> list[int]:
    row = int(problem.kinds[guess]) * problem.answers
    found: list[int] = problem.answer_caps[row : row + problem.answers].tolist()
    return found


@pytest.mark.parametrize(
    "text",
    ["p2c2n", "p2c2z", "p2c3r", "p2c4n", "p3c3r", "p3c4n", "p3c4r", "p3c5z", "p4c3r", "p4c5z"],
)
def test_caps_are_those_of_every_single_guess(text: str) -> None:
    """Of every guess, not only of the one of its kind whose classes were scanned."""
    table = table_of(text)
    problem = problem_of(table)
    for guess in range(table.size):
        expected = naive_caps(rows_of(table), table.win, table.answers, guess)
        assert caps_after(problem, guess) == expected


def test_what_is_not_the_whole_game_has_no_caps() -> None:
    """A class of some rows is no image of another, and a table without rules has no kinds."""
    rules = Rules.parse("p3c4r")
    some = ResponseTable.of_candidates(rules, np.arange(9, dtype=np.int32))
    bare = NumberGame(8).table()
    for problem in (problem_of(some), problem_of(bare), problem_of(table_of("p3c4r"), 0)):
        assert set(problem.answer_caps.tolist()) == {problem.answers - 1}
        assert not problem.kinds.any()


def reached(table: ResponseTable, guesses: int) -> set[tuple[int, ...]]:
    """Return all sets of candidates that can be left after at most this many guesses."""
    found = last = {tuple(range(table.size))}
    for _ in range(guesses):
        last = {
            tuple(np.array(left)[answers == answer].tolist())
            for left in last
            for answers in table.responses[list(left), : table.size].T
            for answer in np.unique(answers)
        }
        found |= last
    return found


@pytest.mark.parametrize("weights", [(1, 2, 3, 4, 5, 6, 7), (0, 0, 1, 3, 9, 9, 9)])
@pytest.mark.parametrize(
    "text",
    [
        *("p2c3r", "p3c3n", "p2c4n", "p2c4r", "p3c3r", "p3c4z"),
        *(pytest.param(text, marks=pytest.mark.slow) for text in ("p2c6n", "p2c5r")),
    ],
)
def test_all_positions_of_small_games_keep_their_values(text, weights):
    """One search for all of them, so that they meet each other's bounds in its table.

    Another is without the other pruning; what is slow is the plain recursion, made once.
    """
    table = table_of(text)
    searches = {
        name: Search(table, Weights.of(weights), pruning=pruning, table_bits=12)
        for name, pruning in (("alone", ALONE), ("all", ALL_PRUNING))
    }
    for left in sorted(reached(table, 2)):
        turn = 1 if len(left) == table.size else 2
        value = naive_value(rows_of(table), table.win, weights, left, turn)
        found = {name: search.value(Position(left, turn)) for name, search in searches.items()}
        assert {name: outcome.upper for name, outcome in found.items()} == dict.fromkeys(
            searches, value
        )


weight_lists = st.lists(st.integers(0, 9), min_size=1, max_size=8).map(sorted)


rows_of_caps = st.lists(st.lists(st.integers(1, 5), min_size=6, max_size=6), min_size=1, max_size=3)


@example(list(range(1, 9)), [[5] * 6, [1] * 6], 5, 40)
@given(weight_lists, rows_of_caps, st.integers(1, 5), st.integers(1, 90))
def test_table_agrees_with_the_slow_twin(weights, caps, cap, sizes):
    padded = np.array([0, *weights, INFINITE])
    table = size_bounds(padded, pair_caps(np.array(caps)), sizes)
    for turn in range(1, len(weights) + 1):
        expected = naive_fill(sizes, chain([1], naive_rooms(caps, cap, cap)), turn, weights)
        assert table[turn, cap, sizes] == (INFINITE if expected is None else expected)


def test_caps_of_bulls_and_cows() -> None:
    """Guesses after one make at most 120 parts together."""
    problem = problem_of(table_of("p4c10n"))
    caps = caps_after(problem, 1234)
    assert caps == [10, 13, 13, 10, 4, 13, 13, 10, 3, 12, 9, 3, 7, 1]
    assert problem.pairs.reshape(15, 15)[13, 13] == sum(caps[:-1]) == 120
    assert problem_of(table_of("p4c10n"), 0).pairs.reshape(15, 15)[13, 13] == 169


def test_game_of_one_code_and_one_answer_takes_a_turn() -> None:
    table = ResponseTable.from_answers(np.zeros((1, 1), dtype=np.uint8), answers=1, win=0)
    assert Search(table, Weights.of([1, 2])).value(Position((0,), 1)).lower == 1
