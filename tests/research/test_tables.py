"""Finished tables: the file that ships, the page of results, and the command that writes both."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bullscows.tree.storage import RecordError
from research import tables as report
from research.__main__ import main

ROWS = (
    report.Row("a", 1, 2, why="counted otherwise"),
    report.Row("b", "", (1, 3), depends=True),
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


@pytest.mark.parametrize(
    ("published", "bound", "ours", "verdict", "line"),
    [
        (50, "", 50, "agrees", "50 | 50 | agrees"),
        (50, "", 49, "differs", "50 | 49 | differs"),
        (46, ">=", 59, "agrees", ">=46 | 59 | agrees"),
        (46, ">=", 45, "differs", ">=46 | 45 | differs"),
        (46, ">=", None, "agrees", ">=46 | - | agrees"),
        (46, "<=", None, "differs", "<=46 | - | differs"),
        (2144, "<=", 2144, "agrees", "<=2144 | 2144 | agrees"),
        (2144, "<=", 2145, "differs", "<=2144 | 2145 | differs"),
        ("", "", 7, "", " | 7 | "),
        (None, "", None, "agrees", "- | - | agrees"),
        (None, "", 5, "differs", "- | 5 | differs"),
        ((1, 2), "", (1, 2), "agrees", "1/2 | 1/2 | agrees"),
        ("", "", report.lengths_figure((1, 2)), "", " | 5: 1/2 | "),
        ("", "", {"won": 1, "lost": 2}, "", " | won 1, lost 2 | "),
    ],
)
def test_a_row_knows_whether_it_agrees(published, bound, ours, verdict, line):
    row = report.Row("a", published, ours, bound=bound)
    assert row.verdict == verdict
    assert f"| a | {line} |" in report.Table("Turns", "a book", (row,)).markdown()


def test_the_page_keeps_what_people_wrote_around_the_tables() -> None:
    page = report.rewritten(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", {"turns": TABLE})
    assert page.startswith(f"before\n{report.BEGIN}\n")
    assert page.endswith(f"{report.END}\nafter\n")
    assert "old" not in page
    assert "| a | 1 | 2 | explained: counted otherwise |" in page
    assert report.rewritten(page, {"turns": TABLE}) == page


def test_report_writes_the_file_and_the_page(tmp_path: Path) -> None:
    """The page lies in the checkout to which the trees belong."""
    trees = tmp_path / "trees"
    trees.mkdir()
    page = tmp_path / "docs" / "results.md"
    page.parent.mkdir()
    page.write_text(f"{report.BEGIN}\n{report.END}\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["classes", "--write", "--trees", str(trees)])
    assert done.exit_code == 0, done.output
    tables = report.read_tables(report.tables_file(trees))
    assert list(tables) == ["classes"]
    assert tables["classes"].markdown() in page.read_text(encoding="utf-8")
