"""Distributions drawn over each other: to scale, and equal to the table next to them."""

from starlette.testclient import TestClient

from bullscows_web.trees.library import Library
from bullscows_web.web.pictures.lengths import LengthsChart
from tests.support.pages import get


def test_lengths_are_shares_on_one_scale() -> None:
    """The highest share, four of eight at turn 2, stands at the top; all lines end together."""
    chart = LengthsChart.of({"good": (1, 4, 3), "fair": (1, 3, 3, 1)})
    lines = [[place.split(",") for place in line.path.split(" ")] for line in chart.lines.values()]
    assert list(chart.lines) == ["good", "fair"]
    assert {len(line) for line in lines} == {4}
    assert lines[0][1][1] == "16.0"
    assert lines[0][3][1] == "188.0"


def test_letter_of_a_line_stands_where_the_other_line_is_farthest() -> None:
    chart = LengthsChart.of({"early": (6, 1, 1), "late": (1, 1, 6)})
    early, late = (line.label[0] for line in chart.lines.values())
    assert (early, late) == (chart.turns[0], chart.turns[0])
    (lone,) = LengthsChart.of({"lone": (1, 2)}).lines.values()
    assert lone.label[0] in (36.0, 348.0)


def test_trees_of_a_game_are_drawn_over_each_other(shipped_client: TestClient) -> None:
    page = get(shipped_client, "/trees")
    library: Library = shipped_client.app.state.library  # type: ignore[attr-defined]
    drawn = page.select(".lengths")
    games = [game for game in library.games if len(game.entries) > 1]
    assert len(drawn) == len(games) > 1
    for figure, game in zip(drawn, games, strict=True):
        assert len(figure.select("polyline")) == len(game.entries)
        rows = figure.select("tbody tr")
        for row, entry in zip(rows, game.entries, strict=True):
            cells = [cell.text for cell in row.select("td")]
            counts = [f"{count:,}" for count in entry.record.distribution]
            assert [cell for cell in cells if cell] == counts


def test_lone_tree_is_compared_with_nothing(client: TestClient) -> None:
    assert not get(client, "/trees").select(".lengths")
