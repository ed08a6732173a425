"""Finished tables: values with verdicts, and the file ``trees/results/report.json``.

The file is complete in itself: pages of the server show it and import nothing of this package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from bullscows.game.objective import total_turns
from bullscows.tree.storage import RecordError, write_whole

FORMAT = "bulls-cows-report/3"

Figure: TypeAlias = int | str | tuple[int, ...] | Mapping[str, Any] | None
"""A count or a total; text; a distribution; named figures (`lengths_figure`, or what trees have at
``least`` and at ``greatest``); None: no strategy exists.  The empty text: nothing stated."""

Verdict: TypeAlias = Literal["", "agrees", "explained", "impossible", "unexplained", "differs"]
"""Nothing to compare; equal, or within a published bound, or between our least and greatest;
different for a verified reason; no strategy of that description has the published figure, verified;
known to be different, without a known reason; different, so that the command fails."""


def lengths_figure(distribution: Sequence[int]) -> Figure:
    """Return a strategy's total and its distribution as one figure."""
    return {"total": total_turns(distribution), "distribution": list(distribution)}


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
    unexplained: bool = False
    """Whether the figures are known to differ without a known reason."""
    impossible: bool = False
    """Whether it is verified that nothing has the published figure."""

    @property
    def verdict(self) -> Verdict:
        """How the two figures compare."""
        if "" in (self.published, self.ours):
            return ""
        if self._is_within():
            return "agrees"
        if self.impossible:
            return "impossible"
        if self.unexplained:
            return "unexplained"
        return "explained" if self.why else "differs"

    def fields(self) -> dict[str, Any]:
        """Return label, figures and verdict, and the other fields that are set, by name."""
        named = ("label", "published", "ours")
        stated = {name: value for name, value in asdict(self).items() if name in named or value}
        return {**stated, "verdict": self.verdict}

    def _is_within(self) -> bool:
        if isinstance(self.ours, Mapping) and "least" in self.ours:
            found = np.array(self.published, ndmin=1)
            is_within = (self.ours["least"] <= found) & (found <= self.ours["greatest"])
            return bool(is_within.all())
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
    """One table of a document, or of our own."""

    title: str
    source: str
    """The source of the published figures."""
    rows: tuple[Row, ...]

    def fields(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        rows = [row.fields() for row in self.rows]
        return {"title": self.title, "source": self.source, "rows": rows}


def tables_file(trees: Path) -> Path:
    """Return the file of the tables in a folder of trees."""
    return trees / "results" / "report.json"


def read_tables(path: Path) -> dict[str, Table]:
    """Return the tables of a file that `write_tables` wrote by name, in the file's order."""
    stated = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: Table(one["title"], one["source"], tuple(_row(**row) for row in one["rows"]))
        for name, one in stated["tables"].items()
    }


def _row(*, verdict: Verdict, **fields: Any) -> Row:
    """Return a row of the file, whose verdict follows from the other fields."""
    for name in ("published", "ours"):
        if isinstance(fields[name], list):
            fields[name] = tuple(fields[name])
    row = Row(**fields)
    if row.verdict != verdict:
        raise RecordError(f"{row.label}: the verdict is {row.verdict!r}, not {verdict!r}")
    return row


def write_tables(path: Path, tables: Mapping[str, Table]) -> None:
    """Replace the file atomically; raise `OSError` and keep the old one if that fails."""
    stated = {"format": FORMAT, "tables": {name: one.fields() for name, one in tables.items()}}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(stated, indent=1) + "\n")
