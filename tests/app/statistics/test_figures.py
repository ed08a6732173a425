"""Statistics: every figure on the pages recounted by playing against every code."""

import csv
import io
import json
import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup, Tag
from starlette.testclient import TestClient

from bullscows_web.language.catalogues import languages
from bullscows_web.language.words import answer_words
from bullscows_web.statistics.figures import statistics
from bullscows_web.trees.library import Entry, Library
from tests.support.pages import get, one, text

SMALL = ["small-bulls-cows", "small-mastermind"]


def played(entry: Entry) -> dict[str, Counter[int]]:
    """The turns of all games by first answer, from playing each."""
    rules = entry.rules
    tree = entry.tree
    games: dict[str, Counter[int]] = {}
    for secret in range(rules.size):
        answer = str(rules.answers[rules.respond(tree.root.guess, secret)])
        games.setdefault(answer, Counter())[len(tree.play(secret))] += 1
    return games


def number(cell: Tag) -> float:
    return float(re.sub(r"[,\s%]", "", cell.get_text()))


def rows(page: BeautifulSoup) -> dict[str, list[float]]:
    """The table's lines by first answer: turns, codes, turns in all, average, nodes, share."""
    return {
        str(row["data-first"]): [number(cell) for cell in row.select("td")]
        for row in page.select("tr[data-first]")
    }


@pytest.mark.parametrize("tree", SMALL)
def test_table_counts_every_game(client: TestClient, library: Library, tree: str):
    entry = library.tree(tree)
    table = rows(get(client, f"/statistics/{tree}"))
    games = played(entry)
    assert list(table) == [*sorted(games), "all"]
    for answer, counts in (*games.items(), ("all", sum(games.values(), Counter()))):
        turns = [counts[turn] for turn in range(1, entry.record.depth + 1)]
        total = sum(turn * count for turn, count in counts.items())
        figures = [*turns, counts.total(), total, round(total / counts.total(), 3)]
        assert table[answer][:-2] == figures


@pytest.mark.parametrize("tree", SMALL)
def test_share_counts_the_guesses_that_can_be_the_code(library: Library, tree: str):
    entry = library.tree(tree)
    whole = statistics(entry).whole
    possible = sum(node.is_candidate_guess for node in entry.tree.nodes)
    assert whole.candidate_share == possible / len(entry.tree.nodes)


@pytest.mark.parametrize("tree", SMALL)
def test_columns_count_the_nodes_of_each_turn(library: Library, tree: str):
    entry = library.tree(tree)
    asked = Counter(node.turn for node in entry.tree.nodes)
    columns = statistics(entry).columns
    assert {column.turn: column.nodes for column in columns} == asked
    assert [column.so_far for column in columns][-1] == entry.rules.size


def test_index_has_every_tree_with_its_figures(client: TestClient, library: Library):
    page = get(client, "/statistics")
    for entry in library:
        link = one(page, f"a[href='/statistics/{entry.name}']")
        row = link.find_parent("tr")
        assert row is not None
        cells = [text(cell) for cell in row.select("td")]
        assert cells[2 : 2 + entry.record.depth] == [
            str(count) for count in entry.record.distribution
        ]
        assert f"{entry.average:.3f}" in cells


@pytest.mark.parametrize("tree", SMALL)
def test_chart_of_first_answers_says_what_the_table_says(
    client: TestClient, library: Library, tree: str
):
    chart = one(get(client, f"/statistics/{tree}"), "svg[aria-labelledby^=answers]")
    entry = library.tree(tree)
    rows = statistics(entry).rows
    words = text(one(chart, "desc"))
    for row in rows:
        assert row.answer is not None
        said = answer_words(languages()[0], entry.rules, row.answer)
        assert f"{said}: {row.secrets}, on average turn {row.mean:.3f}." in words
    lengths = [float(str(bar["width"])) for bar in chart.select("rect")]
    assert len(lengths) == len(rows)
    assert lengths.index(max(lengths)) == [row.secrets for row in rows].index(
        max(row.secrets for row in rows)
    )
    points = [float(str(dot["cx"])) for dot in chart.select("circle.dot")]
    assert [points[a] < points[b] for a in range(len(rows)) for b in range(len(rows))] == [
        rows[a].mean < rows[b].mean for a in range(len(rows)) for b in range(len(rows))
    ]


@pytest.mark.parametrize("tree", SMALL)
def test_csv_and_json_hold_the_same_figures(client: TestClient, library: Library, tree: str):
    figures = statistics(library.tree(tree))
    table = list(csv.DictReader(io.StringIO(client.get(f"/statistics/{tree}.csv").text)))
    file = client.get(f"/statistics/{tree}.json")
    document = file.json()
    assert file.text == json.dumps(document, indent=1) + "\n", "people read it"
    assert [row["answer"] for row in table] == [*(str(r.answer) for r in figures.rows), "all"]
    for row, record in zip(table, [*document["first_answers"], document], strict=True):
        assert [int(row[f"turn_{turn}"]) for turn in range(1, document["depth"] + 1)] == (
            record["distribution"]
        )
        for name in ("secrets", "total", "nodes"):
            assert int(row[name]) == record[name]
        assert float(row["mean"]) == pytest.approx(record["mean"], abs=1e-6)
    assert document["total"] == figures.whole.total
    assert [column["secrets"] for column in document["columns"]] == list(figures.whole.distribution)


@pytest.mark.parametrize(
    "path", ["/statistics/none", "/statistics/none.csv", "/statistics/small-bulls-cows.xml"]
)
def test_unknown_statistics_are_not_found(client: TestClient, path: str):
    assert text(one(get(client, path, 404), "h1"))
