"""Where bars and columns stand: to scale, within the picture, and never vanishing."""

import pytest

from bullscows_web.statistics.charts import AnswerChart, TurnChart, spark
from bullscows_web.statistics.figures import Row, statistics
from bullscows_web.trees.library import Library
from bullscows_web.web.html.bars import bars, width


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
    at = (whole.average - 1) / max(len(turns) - 1, 1)
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
