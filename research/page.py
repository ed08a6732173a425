"""Tables as Markdown: for the terminal, and the generated part of docs/results.md.

The page counts the figures of each table that agree, and shows those that do not.

In a table a label ``a, b`` is the cell of row b and column a, or of row a and column b if that is
wider.  A cell has one figure if the published one agrees; otherwise ``published -> ours``, whose
reason is below the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bullscows.game.objective import figure_text
from bullscows.shipping.catalogue import CATALOGUE
from bullscows.shipping.totals import NOBODY, published_first
from bullscows.tree.files import read_tree
from bullscows.tree.storage import RecordError
from research.tables import Row, Table

BEGIN = "<!-- from here to the next such line: made by `python -m research --write` -->"
END = "<!-- made by `python -m research --write` up to here -->"
"""The marks in the page of results between which the tables are."""

_LONG = 30
"""Longer objectives are weights of the duel."""

OWN = ("optimal-trees",)
"""Tables without a published figure that the page has."""

MOST = 5
"""Most figures with the same reason that the page shows."""

WIDEST = 16
"""Most columns of a table; of a wider one, each row is a paragraph."""


def rewritten(page: str, tables: Mapping[str, Table], trees: Path) -> str:
    """Return the page of results with its generated part, or raise `RecordError`.

    The part has the shipped trees, a line for each table, and the figures that differ.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise RecordError("the page of results lacks the marks around its tables")
    verdicts = Counter(verdict for table in tables.values() for verdict in _published(table))
    counts = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
    part = [
        *("## Shipped trees", "", *_trees(trees), ""),
        *("## Tables of the papers", "", f"Figures by verdict: {counts}.", ""),
        *("| section | table | source | agree | differ |", "|---|---|---|---|---|"),
        *(_counted(name, table) for name, table in tables.items() if any(_published(table))),
        *("", "## Differences from the papers", ""),
        *(line for name, table in tables.items() for line in _differences(name, table)),
        *(markdown(name, tables[name]) for name in OWN if name in tables),
    ]
    return f"{before}{BEGIN}\n\n" + "\n".join(part) + f"\n{END}{after}"


def _published(table: Table) -> Iterator[str]:
    """Yield the verdicts of the figures that are published."""
    return (row.verdict for row in table.rows if row.verdict)


def _counted(name: str, table: Table) -> str:
    """Return the line of a table: its published figures that agree, and the others."""
    verdicts = Counter(_published(table))
    agree = verdicts.pop("agrees", 0)
    return f"|`{name}`|{table.title}|{table.source}|{agree or ''}|{verdicts.total() or ''}|"


def _differences(name: str, table: Table) -> Iterator[str]:
    """Yield the figures of a table that differ, with the reasons."""
    rows = [row for row in table.rows if row.verdict not in ("", "agrees")]
    if rows:
        yield from (f"### {table.title} (`{name}`)", "")
        yield from _reasons([replace(row, label=f"{row.label} {_cell(row)}") for row in rows], MOST)


def _trees(folder: Path) -> Iterator[str]:
    """Yield a table of the trees that are proved optimal or have a proved lower bound."""
    yield "| tree | game | objective | turns | depth: codes there | published first |"
    yield "|---|---|---|---|---|---|"
    for spec in CATALOGUE.values():
        path = folder / f"{spec.name}.json"
        if not path.exists() or not (spec.is_optimal or spec.lower is not None):
            continue
        record = read_tree(path).record
        turns = str(record.total) if spec.is_optimal else f"{record.lower} to {record.total}"
        objective = record.objective if len(record.objective) < _LONG else "duel"
        late = f"{record.depth}: {record.distribution[-1]}"
        by = published_first(record).replace(NOBODY, "")
        yield f"|`{spec.name}`|{record.rules}|{objective}|{turns}|{late}|{by}|"


def markdown(name: str, table: Table) -> str:
    """Return a table with its heading, its command and the reasons of differences."""
    lines = [f"### {table.title}", "", f"{table.source}; `python -m research {name}`", ""]
    return "\n".join([*lines, *_grid(table.rows), *_reasons(table.rows)])


def _grid(rows: Sequence[Row]) -> Iterator[str]:
    cells = dict[str, dict[str, str]]()
    for row in rows:
        column, _, line = row.label.partition(", ")
        cells.setdefault(line, {})[column] = _cell(row)
    columns = list(dict.fromkeys(column for line in cells.values() for column in line))
    if len(columns) > len(cells) or (len(columns) > 2 and _fill(cells, columns) < 0.5):
        cells = {
            column: {line: found[column] for line, found in cells.items() if column in found}
            for column in columns
        }
        columns = list(dict.fromkeys(line for found in cells.values() for line in found))
    if len(columns) > WIDEST or _fill(cells, columns) < 0.5:
        for line, found in cells.items():
            listed = "; ".join(f"{column} {figure}".strip() for column, figure in found.items())
            yield f"- {line}: {listed}" if line else f"- {listed}"
    else:
        yield f"||{'|'.join(columns)}|"
        yield f"|---|{'---|' * len(columns)}"
        for line, found in cells.items():
            yield f"|{line}|{'|'.join(found.get(column, '') for column in columns)}|"
    yield ""


def _fill(cells: Mapping[str, Mapping[str, str]], columns: Sequence[str]) -> float:
    """Return the share of cells that have a figure."""
    return sum(map(len, cells.values())) / (len(cells) * len(columns))


def _cell(row: Row) -> str:
    published = row.bound + figure_text(row.published)
    ours = re.sub(r"^least (\d+), greatest (\d+)$", r"\1-\2", figure_text(row.ours))
    if row.verdict in ("", "agrees"):
        is_same = published in ("", ours)
        return ours if is_same else published if not ours else f"{published} ({ours})"
    return f"**{published} -> {ours}**"


def _reasons(rows: Sequence[Row], most: int | None = None) -> Iterator[str]:
    """Yield a line for each reason with the figures that it explains, at most `most` of them."""
    reasons = dict[tuple[str, str], list[str]]()
    for row in rows:
        if row.verdict not in ("", "agrees"):
            reasons.setdefault((row.verdict, row.why), []).append(row.label)
    for (verdict, why), labels in reasons.items():
        if most is not None and len(labels) > most:
            labels[most:] = [f"and {len(labels) - most} more"]
        yield f"- {verdict}: {'; '.join(labels)}: {why}." if why else f"- {verdict}: {labels}."
    if reasons:
        yield ""
