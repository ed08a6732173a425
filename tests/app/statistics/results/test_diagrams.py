"""Pictures beside single tables: drawn from their rows alone."""

from __future__ import annotations

import pytest

from bullscows.report.tables import Row
from bullscows_web.statistics.results.diagrams import columns_of, diagrams_of


def test_counts_of_one_group_stand_side_by_side() -> None:
    rows = [Row(f"3 digits, human, turn {turn}", "", 4 * turn) for turn in (1, 10)]
    rows += [Row(f"example 1, digit {digit}, any place", "", 0) for digit in "07"]
    rows += [Row("3 digits, human, turns in all", "", 99), Row("lonely, turn 1", "", 5)]
    turns, digits = columns_of(rows)
    assert (turns.title, digits.title) == ("3 digits, human", "example 1, any place")
    assert [(column.name, column.count) for column in turns.columns] == [("1", 4), ("10", 40)]
    assert [column.height for column in turns.columns] == [6, 60]
    assert {column.y + column.height for column in turns.columns} == {76}
    assert [column.height for column in digits.columns] == [0, 0]


@pytest.mark.parametrize(
    ("guess", "dots", "hollow"),
    [("0123", [1, 1, 1, 1], 0), ("1032", [2, 2], 0), ("1045", [2, 2, 2], 2), ("4567", [2] * 4, 4)],
)
def test_cycles_have_a_dot_for_each_place_and_each_new_digit(
    guess: str, dots: list[int], hollow: int
) -> None:
    (diagram,) = diagrams_of([Row(f"{guess}, cycles", "", ""), Row(f"{guess}, answer", "", "")])
    assert [len(loop.dots) for loop in diagram.loops] == dots
    assert sum(loop.is_open for loop in diagram.loops) == hollow
    assert diagram.loops[-1].dots[-1] < diagram.width
