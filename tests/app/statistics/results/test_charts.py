"""Points, lines and colours of the results' pictures: to scale, and within the picture."""

from __future__ import annotations

import pytest

from bullscows.game.duel import score
from bullscows.report.tables import Row
from bullscows_web.statistics.results.charts import (
    HEATS,
    FrontChart,
    Heat,
    TotalsChart,
    WaysChart,
    heat_map,
)
from bullscows_web.statistics.results.figures import FrontPoint, Player

GOOD, FAIR, POOR = (
    Player("good", (1, 4, 3)),
    Player("fair", (1, 3, 3, 1)),
    Player("poor", (0, 0, 1, 7)),
)


def test_a_front_falls_from_the_left_to_the_right() -> None:
    front = [FrontPoint(10, 9, "", b""), FrontPoint(12, 4, "", b""), FrontPoint(20, 3, "", b"")]
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
    rows = [Row("k=1", 10, 12), Row("p4c6r k=5", 9, 8), Row("Knuth", 11, 11)]
    chart = WaysChart.of(rows)
    assert chart is not None
    assert [k for k, _ in chart.ways] == [1, 5]
    assert (chart.low, chart.high) == (8, 12)
    assert chart.ours.split(" ")[0].endswith(",16.0")
    assert WaysChart.of(rows[2:]) is None


def test_heat_tells_who_wins_and_how_clearly() -> None:
    for mine in (GOOD, FAIR, POOR):
        for other in (GOOD, FAIR, POOR):
            heat, back = Heat.of(mine, other), Heat.of(other, mine)
            assert heat.net == pytest.approx(1000 * float(score(mine.turns, other.turns).net))
            assert heat.step == -back.step
            assert abs(heat.step) <= HEATS
            assert (heat.step > 0) == (heat.net > 0)
    assert Heat.of(GOOD, POOR).step == HEATS
    assert Heat.of(GOOD, FAIR).step < HEATS


def test_those_who_win_most_stand_first() -> None:
    rows = heat_map([POOR, FAIR, GOOD])
    assert [player.name for player, _ in rows] == ["good", "fair", "poor"]
    assert all(row[place].net == 0 for place, (_, row) in enumerate(rows))
