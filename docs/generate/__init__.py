"""Generated parts of the documents: ``make pages``.

The answers in the API's examples, the references of the API, the command line and the library in
docs/reference, and docs/totals.csv.  Tests generate all of it again and compare.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOTALS = ROOT / "docs" / "totals.csv"
BEGIN = "<!-- from here to the next such line: made by `make pages` -->"
END = "<!-- made by `make pages` up to here -->"


def with_part(page: str, part: str) -> str:
    """Return a page with a generated part; raise ValueError if it lacks the marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page lacks the marks of its generated part")
    return f"{before}{begin}\n\n{part}\n{end}{after}"


def replace_part(file: Path, part: str) -> None:
    """Update the generated part of a page."""
    file.write_text(with_part(file.read_text(encoding="utf-8"), part), encoding="utf-8")
