"""The sections: how each table is computed.

Published figures are read from ``published.json`` only to be compared; none enters a search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.search.solution import Solution
from research.tables import Row, Table

BULLS_COWS, MASTERMIND = "p4c10n", "p4c6r"

Rows: TypeAlias = Callable[[int], Iterator[Row]]
"""Computes rows with a number of threads."""


@dataclass(frozen=True)
class Section:
    """How one table of the report is computed."""

    title: str
    source: str
    rows: Rows
    is_quick: bool
    """Whether it takes seconds, so that ``--quick`` and the inner tests compute it."""

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
