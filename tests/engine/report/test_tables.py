"""Finished tables: the file that ships, the page of results, and the command that writes both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.report.page import BEGIN, END, DocumentError, rewritten
from bullscows.report.rows import Row
from bullscows.report.tables import (
    Table,
    TablesFileError,
    merged,
    read_tables,
    tables_file,
    write_tables,
)

TABLE = Table(
    "Turns",
    "Jäger",
    (Row("a", "1", "2", why="counted otherwise"), Row("b", "", "3", depends=True)),
)


def test_tables_come_back_as_they_were_written(tmp_path: Path) -> None:
    place = tables_file(tmp_path)
    write_tables(place, {"turns": TABLE})
    assert read_tables(place) == {"turns": TABLE}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "other/1", "tables": {}}', '{"format": "bulls-cows-report/1"}']
    + [json.dumps({"format": "bulls-cows-report/1", "tables": tables}) for tables in (7, {"a": 7})]
    + [
        json.dumps(
            {
                "format": "bulls-cows-report/1",
                "tables": {"a": {"title": "A", "source": "B", "rows": [{"name": "x"}]}},
            }
        )
    ],
)
def test_another_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    place = tmp_path / "report.json"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(TablesFileError, match=r"report\.json"):
        read_tables(place)


def test_a_table_made_again_replaces_its_own_and_no_other() -> None:
    newer = Table("Turns", "a book", (Row("a", "1", "1"),))
    other = Table("Other", "a book", ())
    tables = merged(
        {"gone": TABLE, "turns": TABLE, "other": other}, {"turns": newer}, ["other", "turns"]
    )
    assert list(tables.items()) == [("other", other), ("turns", newer)]


def test_the_page_keeps_what_people_wrote_around_the_tables() -> None:
    page = rewritten(f"before\n{BEGIN}\nold\n{END}\nafter\n", {"turns": TABLE})
    assert page.startswith(f"before\n{BEGIN}\n")
    assert page.endswith(f"{END}\nafter\n")
    assert "old" not in page
    assert "| a | 1 | 2 | explained: counted otherwise |" in page
    assert rewritten(page, {"turns": TABLE}) == page


@pytest.mark.parametrize("text", ["nothing", f"{END} {BEGIN}", BEGIN])
def test_a_page_without_its_marks_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="marks"):
        rewritten(text, {})


def test_a_slow_table_is_not_left_out_in_silence() -> None:
    done = CliRunner().invoke(commands, ["report", "worst-first", "--quick"])
    assert done.exit_code == 2
    assert "without --quick" in " ".join(done.output.split())


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
