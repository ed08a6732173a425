"""Small tables in HTML, as notebooks show values."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def html_table(caption: str, rows: Iterable[tuple[object, object]]) -> str:
    """Return a table of named values; whatever they hold, it is text and no markup.

    >>> html_table("p2c2n", [("secrets", 2)])
    '<table><caption>p2c2n</caption><tr><th scope="row">secrets</th><td>2</td></tr></table>'
    """
    lines = (
        f'<tr><th scope="row">{escape(str(name))}</th><td>{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"
