"""Histories and solutions as text."""

from contextlib import suppress
from dataclasses import replace

import pytest

from bullscows.cli.options import search_line
from bullscows.cli.solve import solution_lines, solution_record
from bullscows.game.history import History, HistoryError
from bullscows.game.objective import total_turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import AnswerError, CodeError, Rules
from bullscows.search.position import Progress, SearchError
from bullscows.search.solver import solve

RULES = Rules.parse("p3c6n")
TABLE = ResponseTable.of(RULES)


def test_a_history_is_read_turn_by_turn() -> None:
    history = History.parse(RULES, " 012:0.1  134:1.1 ")
    assert history.turns == (
        (RULES.parse_code("012"), RULES.answer_index(0, 1)),
        (RULES.parse_code("134"), RULES.answer_index(1, 1)),
    )
    assert History.parse(RULES, "") == History(RULES)


@pytest.mark.parametrize(
    ("text", "error"),
    [("012", HistoryError), ("012:2.1", AnswerError), ("011:0.1", CodeError), (":", CodeError)],
)
def test_a_bad_history_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        History.parse(RULES, text)


def test_levels_stand_from_strongest_to_weakest() -> None:
    solution = solve(TABLE, "worst,average")
    record = solution_record(RULES, solution)
    assert list(record["levels"]) == ["worst", "total"]
    assert record["value"] == solution.value == record["depth"] == record["levels"]["worst"]
    assert record["total"] == solution.total == record["levels"]["total"]
    assert "proven optimal" in solution_lines(solution, record)[0]


def test_no_strategy_is_said_plainly() -> None:
    solution = solve(TABLE, "average", max_turns=2)
    record = solution_record(RULES, solution)
    assert record["value"] is None
    assert record["feasible"] is False
    assert "no strategy" in solution_lines(solution, record)[0]


def test_a_stopped_search_shows_its_bounds() -> None:
    table = ResponseTable.of(Rules.parse("p4c8n"))
    solution = solve(table, "average", time_limit=0)
    record = solution_record(Rules.parse("p4c8n"), solution)
    assert record["feasible"] is not False
    assert "not finished" in solution_lines(solution, record)[0]


def test_progress_is_one_line() -> None:
    line = search_line(RULES, Progress(2.0, 1234, 7, 3, 99))
    assert line.startswith("2 s, 1,234 nodes, searching guess")
    assert "\n" not in line


@pytest.mark.parametrize(
    ("history", "first"), [("", None), ("", "012"), ("012:0.1", None), ("012:0.1 345:0.2", "120")]
)
@pytest.mark.parametrize("objective", ["average,last", "last"])
def test_distribution_total_and_mean_are_those_of_the_tree(
    history: str, first: str | None, objective: str
) -> None:
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


def test_without_a_proof_there_is_no_distribution() -> None:
    solution = solve(TABLE, "average", max_turns=2)
    assert (solution.distribution, solution.total, solution.mean) == (None, None, None)


@pytest.mark.parametrize(
    ("objective", "level", "value"),
    [("average", "total", 436), ("last,average", "last", 3), ("worst,average", "worst", 5)],
)
def test_bounds_are_those_of_the_strongest_criterion(
    objective: str, level: str, value: int
) -> None:
    proved = solve(TABLE, objective, max_turns=5)
    assert proved.value == proved.levels[level]
    assert proved.bounds == (proved.value, proved.value)
    stopped = replace(proved, lower=proved.lower - 1)
    assert (stopped.value, stopped.total, stopped.distribution) == (None, None, None)
    if level != "worst":
        assert stopped.bounds.lower <= value <= (stopped.bounds.upper or 0)
    assert f"{level} at least {stopped.bounds.lower}" in stopped.claim
