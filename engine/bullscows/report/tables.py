"""Finished tables of the report: as values, as the file that ships, and as Markdown.

The file lies beside the trees, ``results/report.json``, so that pages can show every figure without
a search.  It holds what `bullscows.report.sections` made, table by table; one that has been made
again replaces its predecessor and leaves the others alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bullscows.errors import EngineError
from bullscows.report.rows import Row, Section
from bullscows.tree.atomic import write_whole

FOLDER = "results"
"""Where the file lies in the folder of the trees."""

FORMAT = "bulls-cows-report/1"


class TablesFileError(EngineError, ValueError):
    """A file that holds no tables of the report."""


@dataclass(frozen=True)
class Table:
    """One table of the report."""

    title: str
    source: str
    """Where the published figures stand."""
    rows: tuple[Row, ...]

    @classmethod
    def made(cls, section: Section, jobs: int = 1) -> Table:
        """Make a table, with a number of threads."""
        return cls(section.title, section.source, tuple(section.rows(jobs)))

    def markdown(self) -> str:
        """Return the table with its heading."""
        lines = [f"## {self.title}", "", f"Source of the published figures: {self.source}.", ""]
        lines += ["| | published | ours | |", "| --- | --- | --- | --- |"]
        for row in self.rows:
            lines.append(f"| {row.label} | {row.published} | {row.ours} | {row.remark} |")
        return "\n".join(lines) + "\n"


def tables_file(trees: Path) -> Path:
    """Return the file of the tables that lies in a folder of trees."""
    return trees / FOLDER / "report.json"


def read_tables(path: Path) -> dict[str, Table]:
    """Return the tables of a file by name, in its order.

    Raises
    ------
    TablesFileError
        If it is not such a file.
    OSError
        If it can't be read.
    """
    try:
        stated = json.loads(path.read_text(encoding="utf-8"))
        if stated["format"] != FORMAT:
            raise TablesFileError(f"{path.name}: format {stated['format']!r} is not {FORMAT!r}")
        return {name: _table(fields) for name, fields in stated["tables"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, TablesFileError):
            raise
        raise TablesFileError(f"{path.name}: no tables of the report: {error}") from error


def write_tables(path: Path, tables: Mapping[str, Table]) -> None:
    """Replace the file by one with these tables, at once or not at all.

    Raises
    ------
    OSError
        If the folder can't be written to or the disk is full; an older file is then untouched.
    """
    stated = {"format": FORMAT, "tables": {name: _fields(table) for name, table in tables.items()}}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(stated, indent=1) + "\n")


def merged(
    known: Mapping[str, Table], made: Mapping[str, Table], order: Iterable[str]
) -> dict[str, Table]:
    """Return the tables of `order` that are made or known; what was made anew comes first."""
    both = {**known, **made}
    return {name: both[name] for name in order if name in both}


def _table(fields: dict[str, Any]) -> Table:
    return Table(fields["title"], fields["source"], tuple(Row(**row) for row in fields["rows"]))


def _fields(table: Table) -> dict[str, Any]:
    """Return the fields of a table; those of a row that say nothing are left out."""
    rows = [
        {name: value for name, value in asdict(row).items() if value or name in _ALWAYS}
        for row in table.rows
    ]
    return {"title": table.title, "source": table.source, "rows": rows}


_ALWAYS = ("label", "published", "ours")
