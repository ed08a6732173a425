"""Charts are to scale and within the picture, and nothing in them vanishes."""

import pytest

from bullscows.game.duel import score
from bullscows.report.tables import Row as Figure
from bullscows_web.statistics.charts import AnswerChart, TurnChart, spark
from bullscows_web.statistics.figures import Row, statistics
from bullscows_web.statistics.result_charts import (
    HEATS,
    FrontChart,
    Heat,
    ParetoPoint,
    Player,
    TotalsChart,
    WaysChart,
    columns_of,
    diagrams_of,
)
from bullscows_web.trees.library import Library
from bullscows_web.web.html.bars import bars, width

GOOD, FAIR, POOR = (
    Player("good", (1, 4, 3)),
    Player("fair", (1, 3, 3, 1)),
    Player("poor", (0, 0, 1, 7)),
)


def test_a_front_falls_from_the_left_to_the_right() -> None:
    front = [ParetoPoint(10, 9, "", b""), ParetoPoint(12, 4, "", b""), ParetoPoint(20, 3, "", b"")]
    dots = [dot for _, dot in FrontChart.of(front).points]
    assert [dot.x for dot in dots] == sorted(dot.x for dot in dots)
    assert [dot.y for dot in dots] == sorted(dot.y for dot in dots)
    assert dots[1].x - dots[0].x == pytest.approx((dots[2].x - dots[0].x) / 5)
    assert dots[1].y - dots[0].y == pytest.approx((dots[2].y - dots[0].y) * 5 / 6)
    assert dots[2].y > dots[0].y
    assert FrontChart.of(front[:1]).line.startswith("M")


def test_strategies_stand_on_one_scale_by_their_average() -> None:
    dots = [dot for _, dot in TotalsChart.of([GOOD, FAIR, POOR]).dots]
    assert dots[0].x == 158
    assert dots[0].x < dots[1].x < dots[2].x < 348
    assert TotalsChart.of([GOOD]).dots[0][1].x > 158


def test_ways_are_drawn_where_both_figures_are_known() -> None:
    rows = [Figure("k=1", 10, 12), Figure("p4c6r k=5", 9, 8), Figure("Knuth", 11, 11)]
    chart = WaysChart.of(rows)
    assert chart is not None
    assert [k for k, _ in chart.ways] == [1, 5]
    assert (chart.low, chart.high) == (8, 12)
    assert chart.ours.split(" ")[0].endswith(",16.0")
    assert WaysChart.of(rows[2:]) is None


def test_heat_shows_which_strategy_wins_and_how_clearly() -> None:
    for mine in (GOOD, FAIR, POOR):
        for other in (GOOD, FAIR, POOR):
            heat, back = Heat.of(mine, other), Heat.of(other, mine)
            assert heat.net == pytest.approx(
                1000 * float(score(mine.distribution, other.distribution).net)
            )
            assert heat.step == -back.step
            assert abs(heat.step) <= HEATS
            assert (heat.step > 0) == (heat.net > 0)
    assert Heat.of(GOOD, POOR).step == HEATS
    assert Heat.of(GOOD, FAIR).step < HEATS


def test_counts_of_one_group_stand_side_by_side() -> None:
    rows = [Figure(f"3 digits, human, turn {turn}", "", 4 * turn) for turn in (1, 10)]
    rows += [Figure(f"example 1, digit {digit}, any place", "", 0) for digit in "07"]
    rows += [Figure("3 digits, human, turns in all", "", 99), Figure("lonely, turn 1", "", 5)]
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
):
    (diagram,) = diagrams_of(
        [Figure(f"{guess}, cycles", "", ""), Figure(f"{guess}, answer", "", "")]
    )
    assert [len(loop.dots) for loop in diagram.loops] == dots
    assert sum(loop.is_open for loop in diagram.loops) == hollow
    assert diagram.loops[-1].dots[-1] < diagram.width


def test_bars_are_shares_of_the_sum_and_of_the_longest():
    assert [(bar.share, bar.length) for bar in bars([1, 2, 5])] == [
        (1 / 8, 1 / 5),
        (2 / 8, 2 / 5),
        (5 / 8, 1.0),
    ]
    assert width(1 / 3) == "33.3%"


@pytest.mark.parametrize("turns", [(1,), (1, 0, 7), (0, 1, 1000, 2), (1,) * 16])
def test_columns_by_turn_stand_in_the_picture(turns: tuple[int, ...]):
    whole = Row(None, turns, nodes=sum(turns))
    chart = TurnChart.of(whole)
    tops = [(column.count, column.y) for column in chart.columns]
    assert min(tops, key=lambda top: top[1])[0] == max(turns)
    for column in chart.columns:
        assert 4 <= column.x < column.middle < column.x + column.width <= 356
        assert column.y + column.height == pytest.approx(188)
        assert column.height >= 1
    at = (whole.mean - 1) / max(len(turns) - 1, 1)
    first, last = chart.columns[0].middle, chart.columns[-1].middle
    assert chart.mean == pytest.approx(first + at * (last - first))
    assert 48 <= chart.mean_label <= 312


def test_answers_stand_below_each_other_on_one_scale(library: Library):
    for entry in library:
        figures = statistics(entry)
        chart = AnswerChart.of(figures)
        assert [bar.row for bar in chart.bars] == list(figures.rows)
        assert chart.bars[-1].y + 18 < chart.height
        for bar in chart.bars:
            assert 1 <= bar.length <= 132
            assert 218 <= bar.mean <= 314, "its number stands beyond the scale"


def test_spark_keeps_every_turn():
    first, second, third = spark([0, 5, 10])
    assert (first.x, second.x, third.x) == (1, 9, 17)
    assert (first.height, second.height, third.height) == (1, 12, 23)
    assert {column.y + column.height for column in (first, second, third)} == {24}
