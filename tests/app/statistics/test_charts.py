"""Charts are to scale and within the picture, and nothing in them vanishes."""

import pytest
from bs4 import Tag
from starlette.testclient import TestClient

from bullscows.game.duel import score
from bullscows.report.tables import Row as Figure
from bullscows_web.statistics.result_charts import (
    HEATS,
    FrontChart,
    Heat,
    ParetoPoint,
    Player,
    WaysChart,
    columns_of,
    diagrams_of,
)
from bullscows_web.trees.library import Library
from bullscows_web.web.html.bars import bars, width
from tests.support.pages import get

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
    assert columns_of(rows) == {
        "3 digits, human": {"1": 4, "10": 40},
        "example 1, any place": {"0": 0, "7": 0},
    }


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


def test_columns_by_turn_stand_in_the_picture(client: TestClient, library: Library):
    for entry in library:
        chart = get(client, f"/statistics/{entry.name}").select("svg.chart")[0]
        columns = [coordinates(column) for column in chart.select("rect")]
        assert len(columns) == entry.record.depth
        for x, y, breadth, height in columns:
            assert 4 <= x < x + breadth <= 356
            assert y + height == pytest.approx(188, abs=0.11)
            assert 1 <= height <= 140
        assert max(height for *_, height in columns) == 140


def test_answers_stand_below_each_other_on_one_scale(client: TestClient, library: Library):
    for entry in library:
        chart = get(client, f"/statistics/{entry.name}").select("svg.chart")[1]
        bars = [coordinates(bar) for bar in chart.select("rect")]
        assert [y for _, y, *_ in bars] == [22 + 18 * place for place in range(len(bars))]
        assert all(1 <= length <= 132 for *_, length, _ in bars)
        dots = [float(str(dot["cx"])) for dot in chart.select("circle")]
        assert all(218 <= dot <= 314 for dot in dots), "its number stands beyond the scale"


def coordinates(bar: Tag) -> list[float]:
    return [float(str(bar[name])) for name in ("x", "y", "width", "height")]
