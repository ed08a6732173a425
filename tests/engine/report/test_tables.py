"""Finished tables: the file that ships, the page of results, and the command that writes both."""

import json
from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.report.tables import (
    BEGIN,
    END,
    Figure,
    Row,
    Table,
    Verdict,
    lengths_figure,
    read_tables,
    rewritten,
    tables_file,
    write_tables,
)
from bullscows.tree.storage import RecordError

TABLE = Table(
    "Turns",
    "Jäger",
    (
        Row("a", 1, 2, why="counted otherwise"),
        Row("b", "", (1, 3), depends=True),
        Row("c", None, lengths_figure((1, 2)), bound=""),
        Row("d", 7, 5, bound="<="),
    ),
)


def test_tables_come_back_as_they_were_written(tmp_path: Path) -> None:
    place = tables_file(tmp_path)
    write_tables(place, {"turns": TABLE})
    assert read_tables(place) == {"turns": TABLE}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "other/1", "tables": {}}', '{"format": "bulls-cows-report/2"}']
    + [json.dumps({"format": "bulls-cows-report/2", "tables": tables}) for tables in (7, {"a": 7})]
    + [
        json.dumps(
            {
                "format": "bulls-cows-report/2",
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
        ("", "", lengths_figure((1, 2)), "", " | 5: 1/2 | "),
        ("", "", {"won": 1, "lost": 2}, "", " | won 1, lost 2 | "),
    ],
)
def test_a_row_knows_whether_it_agrees(
    published: Figure, bound: Literal["", "<=", ">="], ours: Figure, verdict: Verdict, line: str
) -> None:
    row = Row("a", published, ours, bound=bound)
    assert row.verdict == verdict
    assert f"| a | {line} |" in Table("Turns", "a book", (row,)).markdown()


@pytest.mark.parametrize(
    ("row", "remark"),
    [
        (Row("a", 1, 2, why="counted otherwise"), "explained: counted otherwise"),
        (Row("a", 99, 129, unexplained=True), "unexplained"),
        (Row("a", 63, 75, why="tried", unexplained=True), "unexplained: tried"),
        (Row("a", 99, 99, unexplained=True), "agrees"),
        (Row("a", 5269, 5254, depends=True), ""),
        (Row("a", 22, 24, why="23 at best", impossible=True), "impossible: 23 at best"),
    ],
)
def test_a_difference_is_explained_unexplained_or_means_nothing(row: Row, remark: str) -> None:
    assert row.remark == remark


def test_the_page_keeps_what_people_wrote_around_the_tables() -> None:
    page = rewritten(f"before\n{BEGIN}\nold\n{END}\nafter\n", {"turns": TABLE})
    assert page.startswith(f"before\n{BEGIN}\n")
    assert page.endswith(f"{END}\nafter\n")
    assert "old" not in page
    assert "| a | 1 | 2 | explained: counted otherwise |" in page
    assert rewritten(page, {"turns": TABLE}) == page


@pytest.mark.parametrize("text", ["nothing", f"{END} {BEGIN}", BEGIN])
def test_a_page_without_its_marks_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="marks"):
        rewritten(text, {})


def test_a_slow_table_is_not_left_out_in_silence() -> None:
    done = CliRunner().invoke(commands, ["report", "worst-first", "--quick"])
    assert done.exit_code == 2
    assert "leave --quick out" in " ".join(done.output.split())


def test_report_writes_the_file_and_the_page(tmp_path: Path) -> None:
    """The page lies in the checkout to which the trees belong."""
    trees, page = tmp_path / "trees", tmp_path / "docs" / "results.md"
    page.parent.mkdir()
    page.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    done = CliRunner().invoke(commands, ["report", "classes", "--write", "--trees", str(trees)])
    assert done.exit_code == 0, done.output
    tables = read_tables(tables_file(trees))
    assert list(tables) == ["classes"]
    assert tables["classes"].markdown() in page.read_text(encoding="utf-8")
