"""The tables of the report: values with verdicts, how each is computed, and their file.

Published figures are read from ``published.json`` only to be compared; none enters a search.  The
file of the results, ``trees/results/report.json``, is complete in itself: pages of the server show
it and import nothing of this package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from bullscows.game.objective import total_turns
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.search.solution import Solution
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


# -- sections --------------------------------------------------------------------------------------

BULLS_COWS, MASTERMIND = "p4c10n", "p4c6r"

Rows: TypeAlias = Callable[[int], Iterator[Row]]
"""Computes rows with a number of threads."""


@dataclass(frozen=True)
class Section:
    """A table of the report and the function that computes it."""

    title: str
    source: str
    rows: Rows
    is_quick: bool
    """Whether it takes seconds, so that the inner tests compute it."""

    def table(self, threads: int = 1) -> Table:
        """Compute the table."""
        return Table(self.title, self.source, tuple(self.rows(threads)))


_MODULES = ("slovesnov", "francis", "strategies", "chen", "goel_garg", "optimal", "beyond")
"""The modules of this package that register sections, in the order of the report."""

_registered: dict[str, dict[str, Section]] = {}
"""Sections by module and name."""


def section(name: str, title: str, source: str, *, quick: bool = False) -> Callable[[Rows], Rows]:
    """Register a function as a section of the report."""

    def register(rows: Rows) -> Rows:
        module = rows.__module__.rpartition(".")[2]
        _registered.setdefault(module, {})[name] = Section(title, source, rows, quick)
        return rows

    return register


@cache
def sections() -> dict[str, Section]:
    """Return all sections by name, in the order of the report."""
    for module in _MODULES:
        import_module(f"research.{module}")
    return {name: one for module in _MODULES for name, one in _registered[module].items()}


@cache
def published() -> dict[str, Any]:
    """Return the published figures."""
    path = Path(__file__).with_name("published.json")
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return figures


@cache
def table_of(rules: str) -> ResponseTable:
    """Return the response table of a game."""
    return ResponseTable.of(Rules.parse(rules))


def solved(rules: str, objective: str, history: str = "", **options: Any) -> Solution:
    """Solve a position; `options` are those of `solve`."""
    return solve(table_of(rules), objective, history=history, **options)


def proved(solution: Solution) -> int | None:
    """Return the value of a solution, or None; raise `KeyboardInterrupt` after Ctrl-C."""
    if solution.interrupted:
        raise KeyboardInterrupt
    return solution.value
