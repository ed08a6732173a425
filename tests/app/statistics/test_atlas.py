"""The pages of the atlas: table, games, chart and files."""

import csv
import io
import re

import pytest
from starlette.testclient import TestClient

from tests.support.results import ENTRIES


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_table_links_to_every_game_of_its_kind(client: TestClient, prefix: str) -> None:
    page = client.get(f"{prefix}/atlas?kind=n").text
    cells = re.findall(rf'href="{prefix}/atlas/(p[^"]+)">([^<]+)</a>', page)
    assert [name for name, _ in cells] == ["p2c4n", "p3c5n"]
    assert [text[:2] for _, text in cells] == ["≤ ", "3."] if not prefix else ["≤ ", "3,"]
    assert f'href="{prefix}/atlas?kind=r"' in page
    assert "/atlas/p" not in client.get(f"{prefix}/atlas?kind=r").text
    assert client.get(f"{prefix}/atlas?kind=x").text.count("/atlas/p") == 2


def test_chart_has_a_point_for_each_game_and_a_ring_for_each_published_one(
    client: TestClient,
) -> None:
    page = client.get("/atlas").text
    drawn = page[page.index("growth") : page.index("</svg>", page.index("growth"))]
    assert (drawn.count('class="point"'), drawn.count('class="published"')) == (2, 1)


def test_page_of_a_game_says_what_is_proved_and_who_was_first(client: TestClient) -> None:
    page = client.get("/atlas/p3c5n").text
    assert 'id="total"' in page
    assert "Proved by exhaustive search" in page
    assert "up to 4 turns. One that never takes more than 3 takes at least 197" in page
    assert "A. Body, 1999" in page
    assert 'href="/analyse/p3c5n"' in page
    assert 'href="/trees/' in page
    bounded = client.get("/atlas/p2c4n").text
    assert "at least 30 turns in total, and the best one known takes 33" in bounded
    assert "The best worst case is not proved." in bounded
    assert client.get("/atlas/p4c10n").status_code == 404


def test_files_hold_the_figures_with_permanent_links(client: TestClient) -> None:
    games = client.get("/atlas.json").json()["games"]
    assert [game["total"] for game in games] == [one.total for one in ENTRIES]
    assert client.get("/atlas/p3c5n.json").json()["games"] == games[1:]
    rows = list(csv.DictReader(io.StringIO(client.get("/atlas.csv").text)))
    assert [row["rules"] for row in rows] == ["p2c4n", "p3c5n"]
    assert (rows[1]["distribution"], rows[1]["worst_total"]) == ("1/6/29/24", "197")
    cited = client.get("/atlas/p3c5n.bib").text
    assert re.search(r"url = \{http://[^/]+/atlas/p3c5n#total\}", cited)
    assert client.get("/atlas.xml").status_code == 404
    assert "/atlas/p3c5n" in client.get("/sitemap.xml").text
