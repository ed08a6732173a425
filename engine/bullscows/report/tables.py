"""Finished tables of the report: values, the file ``results/report.json``, and Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from bullscows.game.objective import distribution_text, total_turns
from bullscows.tree.storage import RecordError, write_whole

FORMAT = "bulls-cows-report/2"

BEGIN = "<!-- from here to the next such line: made by `bullscows report --write` -->"
END = "<!-- made by `bullscows report --write` up to here -->"
"""The marks in the page of results between which the tables are."""

Figure: TypeAlias = int | str | tuple[int, ...] | Mapping[str, Any] | None
"""A count or a total; text; a distribution; named figures (`lengths_figure`); None: no strategy
exists.  The empty text: nothing stated."""

Verdict: TypeAlias = Literal["", "agrees", "explained", "impossible", "unexplained", "differs"]
"""Nothing to compare; equal, or within a published bound; different for a verified reason; no
strategy of that description has the published figure, verified; known to be different, without a
known reason; different, so that the report fails."""


def lengths_figure(distribution: Sequence[int]) -> Figure:
    """Return a strategy's total and its distribution as one figure."""
    return {"total": total_turns(distribution), "distribution": list(distribution)}


def figure_text(figure: Figure) -> str:
    """Return a figure as the tables print it.

    >>> [figure_text(figure) for figure in (7, None, (1, 3, 2), lengths_figure((1, 3, 2)))]
    ['7', '-', '1/3/2', '13: 1/3/2']
    """
    if figure is None:
        return "-"
    if isinstance(figure, tuple):
        return distribution_text(figure)
    if isinstance(figure, Mapping):
        if "distribution" in figure:
            return f"{figure['total']}: {distribution_text(figure['distribution'])}"
        return ", ".join(f"{name} {value}" for name, value in figure.items())
    return str(figure)


@dataclass(frozen=True)
class Row:
    """One figure, published and recomputed."""

    label: str
    published: Figure
    ours: Figure
    why: str = ""
    """The verified reason of a difference; with `unexplained`, what was tried."""
    bound: Literal["", "<=", ">="] = ""
    """Whether the published figure is an upper or a lower bound."""
    depends: bool = False
    """Whether the figure depends on which of several optimal trees is taken, so that a difference
    means nothing."""
    unexplained: bool = False
    """Whether the figures are known to differ without a known reason."""
    impossible: bool = False
    """Whether it is verified that nothing has the published figure."""
    rules: str = ""
    """The game, if `by` published the value of `objective` first."""
    objective: str = ""
    by: str = ""

    @property
    def verdict(self) -> Verdict:
        """How the two figures compare."""
        if self.depends or self.published == "":
            return ""
        if self._is_within():
            return "agrees"
        if self.impossible:
            return "impossible"
        if self.unexplained:
            return "unexplained"
        return "explained" if self.why else "differs"

    @property
    def remark(self) -> str:
        """The verdict, with the reason of a difference."""
        is_known = self.verdict in ("explained", "impossible", "unexplained")
        return f"{self.verdict}: {self.why}" if is_known and self.why else self.verdict

    def fields(self) -> dict[str, Any]:
        """Return label and figures, and the other fields that are set, by name."""
        named = ("label", "published", "ours")
        return {name: value for name, value in asdict(self).items() if name in named or value}

    @property
    def published_text(self) -> str:
        """The published figure as the tables print it."""
        return self.bound + figure_text(self.published)

    @property
    def ours_text(self) -> str:
        """The recomputed figure as the tables print it."""
        return figure_text(self.ours)

    def _is_within(self) -> bool:
        if not self.bound:
            return self.published == self.ours
        if self.ours is None:  # no strategy: more than any bound
            return self.bound == ">="
        assert isinstance(self.ours, int)
        assert isinstance(self.published, int)
        lower, upper = sorted((self.ours, self.published))
        return self.ours == (upper if self.bound == ">=" else lower)


@dataclass(frozen=True)
class Table:
    """One table of the report."""

    title: str
    source: str
    """The source of the published figures."""
    rows: tuple[Row, ...]

    def fields(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        rows = [row.fields() for row in self.rows]
        return {"title": self.title, "source": self.source, "rows": rows}

    def markdown(self) -> str:
        """Return the table with its heading."""
        lines = [f"## {self.title}", "", f"Source of the published figures: {self.source}.", ""]
        lines += ["| | published | ours | |", "| --- | --- | --- | --- |"]
        for row in self.rows:
            cells = (row.label, row.published_text, row.ours_text, row.remark)
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines) + "\n"


def tables_file(trees: Path) -> Path:
    """Return the file of the tables in a folder of trees."""
    return trees / "results" / "report.json"


def read_tables(path: Path) -> dict[str, Table]:
    """Return the tables of a file by name, in the file's order.

    Raises `RecordError` if the file is not a report. Raises `OSError` if it cannot be read.
    """
    try:
        stated = json.loads(path.read_text(encoding="utf-8"))
        if stated["format"] != FORMAT:
            raise ValueError(f"format {stated['format']!r} is not {FORMAT!r}")
        return {name: _table(fields) for name, fields in stated["tables"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RecordError(f"{path.name}: no tables of the report: {error}") from error


def write_tables(path: Path, tables: Mapping[str, Table]) -> None:
    """Replace the file atomically; raise `OSError` and keep the old one if that fails."""
    stated = {"format": FORMAT, "tables": {name: one.fields() for name, one in tables.items()}}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(stated, indent=1) + "\n")


def rewritten(page: str, tables: Mapping[str, Table]) -> str:
    """Return the page of results with these tables between its marks, or raise `RecordError`."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise RecordError("the page of results lacks the marks around its tables")
    made = "\n".join(table.markdown() for table in tables.values())
    return f"{before}{BEGIN}\n\n{made}\n{END}{after}"


def _table(fields: dict[str, Any]) -> Table:
    rows: list[dict[str, Any]] = [
        {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
        for row in fields["rows"]
    ]
    return Table(fields["title"], fields["source"], tuple(Row(**row) for row in rows))
