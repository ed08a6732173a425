"""Charts are to scale and within the picture, and nothing in them vanishes."""

import pytest
from bs4 import Tag
from starlette.testclient import TestClient

from bullscows.game.duel import score
from bullscows_web.statistics.tables import HEATS, Heat, Player, columns_of, diagrams_of, ways_of
from bullscows_web.statistics.tables import Row as Figure
from bullscows_web.trees.library import Library
from bullscows_web.web.pictures.charts import bars, width
from tests.support.pages import get, one

GOOD = Player("good", (1, 4, 3))
FAIR = Player("fair", (1, 3, 3, 1))
POOR = Player("poor", (0, 0, 1, 7))


def test_a_front_falls_from_the_left_to_the_right(client: TestClient) -> None:
    page = get(client, "/results")
    dots = page.select('a[href^="/results/pareto/"] circle')
    across, down = ([float(str(dot[name])) for dot in dots] for name in ("cx", "cy"))
    assert (across, down) == (sorted(across), sorted(down))
    assert (across[0], across[-1], down[0], down[-1]) == (36, 348, 16, 188)
    stairs = str(one(page, "path.stairs")["d"])
    assert stairs.startswith("M36.0 16.0H")
    assert stairs.endswith("H348.0V188.0")


def test_ways_have_both_figures() -> None:
    rows = [Figure("k=1", 10, 12), Figure("p4c6r k=5", 9, 8), Figure("Knuth", 11, 11)]
    assert ways_of(rows) == [(1, 10, 12), (5, 9, 8)]
    assert ways_of(rows[2:]) == []


def test_heat_shows_which_strategy_wins_and_how_clearly() -> None:
    for mine in (GOOD, FAIR, POOR):
        for other in (GOOD, FAIR, POOR):
            heat = Heat.of(mine, other)
            back = Heat.of(other, mine)
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
    drawn = [(bar.share, bar.length) for bar in bars([1, 2, 5])]
    assert drawn == [(1 / 8, 1 / 5), (2 / 8, 2 / 5), (5 / 8, 1.0)]
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
        assert all(1 <= length <= 116 for *_, length, _ in bars)
        dots = [float(str(dot["cx"])) for dot in chart.select("circle.dot")]
        assert all(218 <= dot <= 314 for dot in dots), "its number stands beyond the scale"


def test_pages_of_statistics_have_the_pictures_that_they_use(
    client: TestClient, library: Library
) -> None:
    used = set()
    for entry in library:
        page = get(client, f"/statistics/{entry.name}")
        here = {str(use["href"]) for use in page.select("use")}
        assert here <= {f"#{symbol['id']}" for symbol in page.select("symbol")}, entry.name
        used |= here
    assert "#s0" in used, "a tree of pegs"


def coordinates(bar: Tag) -> list[float]:
    return [float(str(bar[name])) for name in ("x", "y", "width", "height")]
