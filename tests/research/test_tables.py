"""Finished tables: the file that ships, the page of results, and the command that writes both."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bullscows.tree.storage import RecordError
from research import tables as report
from research.__main__ import main
from research.page import BEGIN, END, markdown, rewritten

pytestmark = pytest.mark.large

ROWS = (
    report.Row("a", 1, 2, why="counted otherwise"),
    report.Row("b", "", (1, 3)),
    report.Row("c", None, report.lengths_figure((1, 2)), bound=""),
    report.Row("d", 7, 8, bound="<="),
)
TABLE = report.Table("Turns", "Jäger", ROWS)


def test_tables_come_back_as_they_were_written(tmp_path: Path) -> None:
    place = report.tables_file(tmp_path)
    report.write_tables(place, {"turns": TABLE})
    assert report.read_tables(place) == {"turns": TABLE}


def test_a_row_keeps_the_verdict_that_its_file_states(tmp_path: Path) -> None:
    place = report.tables_file(tmp_path)
    report.write_tables(place, {"turns": TABLE})
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace('"differs"', '"agrees"'), encoding="utf-8")
    with pytest.raises(RecordError, match="c: the verdict is 'differs', not 'agrees'"):
        report.read_tables(place)


SPAN = {"least": 3, "greatest": 5}
SPANS = {"least": [1, 2], "greatest": [1, 4]}


@pytest.mark.parametrize(
    ("published", "bound", "ours", "verdict", "cell"),
    [
        (50, "", 50, "agrees", "50"),
        (50, "", 49, "differs", "**50 -> 49**"),
        (46, ">=", 59, "agrees", ">=46 (59)"),
        (46, ">=", 45, "differs", "**>=46 -> 45**"),
        (46, ">=", None, "agrees", ">=46 (-)"),
        (46, "<=", None, "differs", "**<=46 -> -**"),
        (2144, "<=", 2144, "agrees", "<=2144 (2144)"),
        (2144, "<=", 2145, "differs", "**<=2144 -> 2145**"),
        ("", "", 7, "", "7"),
        (7, "", "", "", "7"),
        (None, "", None, "agrees", "-"),
        (None, "", 5, "differs", "**- -> 5**"),
        ((1, 2), "", (1, 2), "agrees", "1/2"),
        (5, "", SPAN, "agrees", "5 (3-5)"),
        (6, "", SPAN, "differs", "**6 -> 3-5**"),
        ((1, 4), "", SPANS, "agrees", "1/4 (least 1/2, greatest 1/4)"),
        ((2, 4), "", SPANS, "differs", "**2/4 -> least 1/2, greatest 1/4**"),
        ("", "", report.lengths_figure((1, 2)), "", "5: 1/2"),
    ],
)
def test_a_row_knows_whether_it_agrees(published, bound, ours, verdict, cell):
    row = report.Row("a", published, ours, bound=bound)
    assert row.verdict == verdict
    table = report.Table("Turns", "a book", (row,))
    assert f"||{cell}|\n" in markdown("turns", table)


def test_a_table_shows_each_label_once_and_each_reason_once() -> None:
    rows = [
        report.Row(f"{name}, {answer}", 1, ours, why="counted otherwise")
        for name in ("first", "second")
        for answer, ours in (("0.0", 1), ("0.1", 2), ("1.0", 1))
    ]
    assert markdown("turns", report.Table("Turns", "a book", tuple(rows))).splitlines() == [
        "### Turns",
        "",
        "a book; `python -m research turns`",
        "",
        "||first|second|",
        "|---|---|---|",
        "|0.0|1|1|",
        "|0.1|**1 -> 2**|**1 -> 2**|",
        "|1.0|1|1|",
        "",
        "- explained: first, 0.1; second, 0.1: counted otherwise.",
    ]


def test_a_table_with_few_figures_is_a_list() -> None:
    rows = [report.Row(f"{name}, game {name}", 1, 1) for name in "abcd"]
    text = markdown("games", report.Table("Games", "a book", tuple(rows)))
    assert "- a: game a 1\n- b: game b 1\n" in text


def test_the_page_keeps_what_people_wrote_around_the_tables(tmp_path: Path) -> None:
    page = rewritten(f"before\n{BEGIN}\nold\n{END}\nafter\n", {"turns": TABLE}, tmp_path)
    assert page.startswith(f"before\n{BEGIN}\n")
    assert page.endswith(f"{END}\nafter\n")
    assert "old" not in page
    assert "**1 -> 2**" in page
    assert rewritten(page, {"turns": TABLE}, tmp_path) == page


def test_report_writes_the_file_and_the_page(tmp_path: Path) -> None:
    """The page lies in the checkout to which the trees belong."""
    trees = tmp_path / "trees"
    trees.mkdir()
    page = tmp_path / "docs" / "results.md"
    page.parent.mkdir()
    page.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["classes", "--write", "--trees", str(trees)])
    assert done.exit_code == 0, done.output
    tables = report.read_tables(report.tables_file(trees))
    assert list(tables) == ["classes"]
    assert "Mastermind, S2 in all **284 -> 286**" in page.read_text(encoding="utf-8")
