"""The page of results: what people wrote around the tables, and the tables as they were made."""

from __future__ import annotations

from collections.abc import Mapping

from bullscows.errors import EngineError
from bullscows.report.tables import Table

BEGIN = "<!-- from here to the next such line: made by `bullscows report --write` -->"
END = "<!-- made by `bullscows report --write` up to here -->"


class DocumentError(EngineError, ValueError):
    """A page without a place for the tables."""


def rewritten(text: str, tables: Mapping[str, Table]) -> str:
    """Return the page with these tables between its two marks.

    Raises
    ------
    DocumentError
        If the page lacks a mark.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise DocumentError("the page lacks the marks between which the tables stand")
    made = "\n".join(table.markdown() for table in tables.values())
    return f"{before}{BEGIN}\n\n{made}\n{END}{after}"
