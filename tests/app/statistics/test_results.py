"""The pages of results and of the atlas: every figure, as pages and as files."""

import csv
import io
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows.tree.files import read_tree
from bullscows.tree.storage import PARETO, RecordError, default_folder
from bullscows_web.language.catalogues import languages
from bullscows_web.language.titles import table_title
from bullscows_web.statistics.results import ParetoPoint, Results
from bullscows_web.statistics.tables import read_tables
from research.tables import sections
from tests.support.results import ENTRIES, TABLES

pytestmark = pytest.mark.large

POINTS = Results.open(default_folder()).front


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_every_table_is_linked_and_shown(client: TestClient, prefix: str):
    story = client.get(f"{prefix}/results").text
    for name, table in TABLES.items():
        assert f'href="{prefix}/results/{name}"' in story
        page = client.get(f"{prefix}/results/{name}")
        assert page.status_code == 200
        assert all(f">{row.label}</th>" in page.text for row in table.rows)


def test_verdicts_are_counted_and_reasons_are_shown(client: TestClient):
    page = client.get("/results/average").text
    assert "1 figure agrees." in page
    assert "1 differs for a reason that was verified." in page
    assert "1 differs for an unknown reason." in page
    assert "counted &lt;twice&gt;" in page
    assert "python -m research average" in page


def test_the_story_draws_what_the_tables_say(client: TestClient):
    """The best strategy first; net wins are exact: 36 pairs, and the better one wins most."""
    story = client.get("/results").text
    assert story.index(">1. Slovesnov&#39;s Crush ") < story.index(">2. Most different answers ")
    assert '<td class="net0">0</td>' in story
    assert 'href="/results/pareto/14-2.json"' in story
    assert story.count('class="dot"') == 2 + 2 + 1


def test_a_table_comes_as_csv_and_as_json(client: TestClient):
    text = client.get("/results/average.csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["verdict"] for row in rows] == ["agrees", "explained", "unexplained"]
    assert rows[1]["why"] == "counted <twice>"
    one = client.get("/results/average.json").json()
    assert [row.get("unexplained") for row in one["rows"]] == [None, None, True]
    assert client.get("/results.json").json()["average"] == one
    figures = {"published": 1806, "ours": 1806, "verdict": "agrees"}
    assert one["rows"][0] == {"label": "0123 0.0"} | figures


def test_a_tree_of_the_front_is_sent_as_it_is(client: TestClient, small_trees: Path):
    sent = client.get("/results/pareto/15-1.json")
    assert sent.content == (small_trees / "pareto" / "pareto-p4c10n-15-1.json").read_bytes()
    assert "pareto-p4c10n-15-1.json" in sent.headers["content-disposition"]


@pytest.mark.parametrize("name", ["none", "average.xml", "none.csv", "pareto/1-1.json"])
def test_unknown_tables_and_points_are_not_found(client: TestClient, name: str):
    assert client.get(f"/results/{name}").status_code == 404


def test_every_table_of_the_report_has_a_russian_title() -> None:
    russian = next(language for language in languages() if language.code == "ru")
    titles = {name: table_title(russian, name, "") for name in sections()}
    assert not [name for name, title in titles.items() if not re.search("[а-я]", title)]


def test_without_a_report_the_pages_say_so(tmp_path: Path):
    assert Results.open(tmp_path).tables == {}
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "report.json").write_text("{}", encoding="utf-8")
    assert Results.open(tmp_path) == Results()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "other/1", "tables": {}}', '{"format": "bulls-cows-report/3"}']
    + [json.dumps({"format": "bulls-cows-report/3", "tables": tables}) for tables in (7, {"a": 7})]
    + [
        json.dumps(
            {
                "format": "bulls-cows-report/3",
                "tables": {"a": {"title": "A", "source": "B", "rows": [{"name": "x"}]}},
            }
        )
    ],
)
def test_another_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    place = tmp_path / "report.json"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"report\.json"):
        read_tables(place)


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_a_tree_of_the_front_costs_what_its_name_says(point: ParetoPoint):
    record = read_tree(default_folder() / PARETO / point.name).record
    assert (record.rules, record.total, record.depth) == ("p4c10n", point.total, 7)
    assert record.distribution[6] == point.late


def test_no_point_of_the_front_betters_another() -> None:
    """From the fewest turns of all, 26274 with 69 7-movers, to the fewest 7-movers, 50."""
    costs = [(point.total, point.late) for point in POINTS]
    assert len(costs) == 18
    assert (costs[0], costs[-1]) == ((26274, 69), (26450, 50))
    assert all(one[1] > other[1] for one, other in pairwise(costs))


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_table_links_to_every_game_of_its_kind(client: TestClient, prefix: str):
    page = client.get(f"{prefix}/atlas?kind=n").text
    cells = re.findall(rf'href="{prefix}/atlas/(p[^"]+)">([^<]+)</a>', page)
    assert [name for name, _ in cells] == ["p2c4n", "p3c5n"]
    assert [text[:2] for _, text in cells] == ["≤ ", "3."] if not prefix else ["≤ ", "3,"]
    assert f'href="{prefix}/atlas?kind=r"' in page
    assert "/atlas/p" not in client.get(f"{prefix}/atlas?kind=r").text
    assert client.get(f"{prefix}/atlas?kind=x").text.count("/atlas/p") == 2


def test_chart_has_a_point_for_each_game_and_a_ring_for_each_published_one(client: TestClient):
    page = client.get("/atlas").text
    drawn = page[page.index("growth") : page.index("</svg>", page.index("growth"))]
    assert (drawn.count('class="point"'), drawn.count('class="published"')) == (2, 1)


def test_page_of_a_game_says_what_is_proved_and_who_was_first(client: TestClient):
    page = client.get("/atlas/p3c5n").text
    assert 'id="total"' in page
    assert "Proved by exhaustive search" in page
    assert "up to 4 turns. One that never takes more than 3 takes at least 197" in page
    assert "L.-T. Huang and S.-S. Lin, 2010" in page
    assert 'href="/analyse/p3c5n"' in page
    assert 'href="/trees/' in page
    bounded = client.get("/atlas/p2c4n").text
    assert "at least 30 turns in total, and the best one known takes 33" in bounded
    assert "The best worst case is not proved." in bounded
    assert client.get("/atlas/p4c10n").status_code == 404


def test_files_hold_the_figures_with_permanent_links(client: TestClient):
    file = client.get("/atlas.json")
    games = file.json()["games"]
    assert file.text == json.dumps(file.json()) + "\n", "as the command line prints JSON"
    assert [game["total"] for game in games] == [one.total for one in ENTRIES]
    assert client.get("/atlas/p3c5n.json").json()["games"] == games[1:]
    rows = list(csv.DictReader(io.StringIO(client.get("/atlas.csv").text)))
    assert [row["rules"] for row in rows] == ["p2c4n", "p3c5n"]
    assert (rows[1]["distribution"], rows[1]["worst_total"]) == ("1/6/29/24", "197")
    cited = client.get("/atlas/p3c5n.bib").text
    assert re.search(r"url = \{http://[^/]+/atlas/p3c5n#total\}", cited)
    assert client.get("/atlas.xml").status_code == 404
    assert "/atlas/p3c5n" in client.get("/sitemap.xml").text
