"""Tables of results: figures of the papers next to ours, from ``results/report.json``."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bullscows.game.objective import figure_text
from bullscows.tree.storage import RecordError

FORMAT = "bulls-cows-report/3"


@dataclass(frozen=True)
class Row:
    """One figure, published and ours; fields of the file that no page shows are left out."""

    label: str
    published: Any
    """A number, a text, a distribution or named figures; None: no strategy exists."""
    ours: Any
    verdict: str = ""
    """How they compare; empty: nothing is published."""
    why: str = ""
    bound: str = ""
    """``<=`` or ``>=`` if the published figure is a bound."""

    @property
    def published_text(self) -> str:
        """The published figure in words."""
        return self.bound + figure_text(self.published)

    @property
    def ours_text(self) -> str:
        """Our figure in words."""
        return figure_text(self.ours)


@dataclass(frozen=True)
class Table:
    """One table, as the file states it."""

    title: str
    source: str
    """The source of the published figures."""
    rows: Sequence[Row]
    document: Mapping[str, Any]
    """All fields of the table as JSON."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Table:
        """Read a table."""
        rows = TypeAdapter(list[Row]).validate_python(document["rows"])
        return cls(document["title"], document["source"], rows, document)

    def to_csv(self) -> bytes:
        """Return a header and a row for each figure."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["label", "published", "ours", "verdict", "why"])
        for row in self.rows:
            writer.writerow([row.label, row.published_text, row.ours_text, row.verdict, row.why])
        return text.getvalue().encode()

    def to_json(self) -> bytes:
        """Return the table as a JSON object."""
        return (json.dumps(self.document, ensure_ascii=False) + "\n").encode()


def tables_file(trees: Path) -> Path:
    """Return the file of the tables in a folder of trees."""
    return trees / "results" / "report.json"


def read_tables(path: Path) -> dict[str, Table]:
    """Return the tables of a file by name, in the file's order.

    Raises `RecordError` if the file has other contents. Raises `OSError` if it cannot be read.
    """
    try:
        stated = json.loads(path.read_text(encoding="utf-8"))
        if stated["format"] != FORMAT:
            raise ValueError(f"format {stated['format']!r} is not {FORMAT!r}")
        return {name: Table.of(fields) for name, fields in stated["tables"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RecordError(f"{path.name}: no tables of results: {error}") from error
