"""The part of a page that is made, between two marks."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN = "<!-- from here to the next such line: made by `make pages` -->"
END = "<!-- made by `make pages` up to here -->"


def with_part(page: str, part: str) -> str:
    """Return a page with this part; ValueError if it lacks a mark."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page lacks the marks of what is made")
    return f"{before}{begin}\n\n{part}\n{end}{after}"


def replace_part(file: Path, part: str) -> None:
    """Write the part of a page anew."""
    file.write_text(with_part(file.read_text(encoding="utf-8"), part), encoding="utf-8")
