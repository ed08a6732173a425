"""The report: our own search against every published figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.report.beyond.games import OPEN
from bullscows.report.page import rewritten
from bullscows.report.rows import Row, Verdict, figure, published
from bullscows.report.sections import SECTIONS
from bullscows.report.tables import Table, read_tables, tables_file
from bullscows.search.solver import solve
from bullscows.tree.files import read_tree
from tests import ROOT

DOCS = ROOT / "docs"

SHIPPED = read_tables(tables_file(ROOT / "trees"))

CREDITED = {
    "p4c9n": "avg-bulls-cows-9-symbols",
    "p4c5r": "avg-mastermind-4x5",
    "p4c7r": "avg-mastermind-4x7",
    "p4c8r": "avg-mastermind-4x8",
}
"""Games that others solved before, and our trees of them."""


def markdown(*rows: Row) -> str:
    return Table("Turns", "a book", rows).markdown()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if section.is_quick else pytest.mark.slow)
        for name, section in SECTIONS.items()
    ],
)
def test_every_table_that_ships_is_made_again(name: str) -> None:
    made = Table.made(SECTIONS[name])
    assert made.rows
    assert [row for row in made.rows if row.verdict == "differs"] == []
    assert made == SHIPPED.get(name), f"stale: make it again by bullscows report {name} --write"


def test_page_of_results_shows_the_tables_that_ship() -> None:
    """Whoever changes a section or a table by hand is told here to write them again."""
    assert list(SHIPPED) == list(SECTIONS)
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    assert page == rewritten(page, SHIPPED), "stale: bullscows report --write"


@pytest.mark.parametrize(("rules", "name"), CREDITED.items())
def test_a_value_that_others_published_first_is_credited(rules: str, name: str) -> None:
    """The same total, credited where our trees are listed; no row of ours calls it new."""
    total, source = published()["other_games"][rules]["average"]
    record = read_tree(ROOT / "trees" / f"{name}.json").record
    assert str(record.total) == total
    author = source.split("/")[0].split(",")[0]
    assert author in (DOCS / "results.md").read_text(encoding="utf-8")
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    ending = "-" + name.split("-", 3)[-1]
    row = next(line for line in readme.splitlines() if line.startswith("|") and ending in line)
    assert total in row.split("|")[4]


def test_nothing_published_is_called_unpublished() -> None:
    known = published()["other_games"]
    assert not [row for row in OPEN if row[1] in known.get(row[0], {})]


def test_one_count_of_classes_differs_from_the_paper() -> None:
    """The paper counts 284 second guesses of Mastermind; `test_symmetry` confirms our 286."""
    differing = [row for row in SECTIONS["classes"].rows(1) if row.verdict not in ("", "agrees")]
    assert [(row.published, row.ours) for row in differing] == [("284", "286")]


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        ("50", "50", "agrees"),
        ("50", "49", "differs"),
        (">=46", "59", "agrees"),
        (">=46", "45", "differs"),
        ("<=2144", "2144", "agrees"),
        ("<=2144", "2145", "differs"),
        ("", "7", ""),
        ("-", "-", "agrees"),
        ("-", "5", "differs"),
    ],
)
def test_a_row_knows_whether_it_agrees(published: str, ours: str, verdict: Verdict) -> None:
    assert Row("", published, ours).verdict == verdict


def test_a_difference_with_a_verified_reason_is_explained() -> None:
    row = Row("a", "1", "2", why="counted otherwise")
    assert row.verdict == "explained"
    assert "| a | 1 | 2 | explained: counted otherwise |" in markdown(row)


def test_a_difference_that_nobody_understands_is_named_and_does_not_fail_the_report() -> None:
    bare = Row("a", "99", "129", unexplained=True)
    tried = Row("b", "63", "75", why="two orders tried", unexplained=True)
    assert bare.verdict == tried.verdict == "unexplained"
    text = markdown(bare, tried)
    assert "| a | 99 | 129 | unexplained |" in text
    assert "| b | 63 | 75 | unexplained: two orders tried |" in text


def test_a_row_that_agrees_is_not_unexplained() -> None:
    assert Row("a", "99", "99", unexplained=True).remark == "agrees"


def test_a_figure_of_one_optimal_tree_may_differ_from_that_of_another() -> None:
    row = Row("nodes", "5269", "5254", depends=True)
    assert row.verdict == ""
    assert "| nodes | 5269 | 5254 |  |" in markdown(row)


def test_an_interrupted_search_proves_no_impossibility() -> None:
    """Its value is None, as that of a game that nobody can end in time."""
    solution = solve(ResponseTable.of(Rules.parse("p2c3n")), "average")
    assert figure(solution) == str(solution.value)
    with pytest.raises(KeyboardInterrupt):
        figure(replace(solution, upper=None, interrupted=True))


def test_markdown_marks_what_differs() -> None:
    text = markdown(Row("a", "1", "2"), Row("b", "3", "3"), Row("c", "", "4"))
    assert "| a | 1 | 2 | differs |" in text
    assert "| b | 3 | 3 | agrees |" in text
    assert "| c |  | 4 |  |" in text


def test_one_reading_of_goel_and_garg_takes_what_they_print() -> None:
    """5.8930, which they print under the chart of the extended strategy, is the human one's."""
    rows = {row.label: int(row.ours) for row in SECTIONS["goel-garg-readings"].rows(1)}
    printed = [label for label, total in rows.items() if total * 10000 // 720 == 58930]
    assert printed == ["human, by digit, ties met first, as worded"]
    extended = [label for label in rows if label.startswith("extended")]
    assert max(extended, key=lambda label: rows[label]) == printed[0].replace("human", "extended")


def test_frequencies_by_place_add_up() -> None:
    rows = {row.label: int(row.ours) for row in SECTIONS["goel-garg-frequencies"].rows(1)}
    assert rows["example 1, digit 9, place 2"] == rows["example 1, digit 8, any place"] == 8
    assert sum(n for label, n in rows.items() if "example 2" in label and "any" in label) == 18
    for digit in range(10):
        anywhere = rows[f"example 2, digit {digit}, any place"]
        assert anywhere == sum(rows[f"example 2, digit {digit}, place {p}"] for p in (1, 2, 3))
