"""Statistics pages: all trees, each tree by first answer, and the meaning of the columns.

The same figures are available as CSV and JSON at the address of a page with `.csv` or `.json`.
These have no language, so they exist only below English addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from bullscows.game.rules import Rules
from bullscows_web.statistics.figures import Statistics, statistics, to_csv, to_json
from bullscows_web.trees.library import Entry, EntryDep, Library, LibraryDep
from bullscows_web.trees.pages import OfTree
from bullscows_web.web.caching import exported
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.rendering import respond

router = APIRouter(dependencies=[IN_TURN], include_in_schema=False)
files = APIRouter(include_in_schema=False)

WRITERS = {"csv": (to_csv, "text/csv; charset=us-ascii"), "json": (to_json, "application/json")}


@dataclass(frozen=True)
class GameStatistics:
    """Table of several trees: all trees of one game, or of the games with a single tree."""

    rules: Rules | None
    """The game; None for several."""
    figures: Sequence[Statistics]

    @property
    def depth(self) -> int:
        """Greatest depth of the trees."""
        return max(len(figures.columns) for figures in self.figures)


@dataclass(frozen=True)
class StatisticsPage(OfTree):
    """Context of the page of one tree."""

    figures: Statistics
    others: Sequence[Entry]
    """The other trees of the game."""

    @property
    def entry(self) -> Entry:
        """The tree."""
        return self.figures.entry


@files.get("/statistics/{tree}.{form}")
def save(request: Request, entry: EntryDep, form: str) -> Response:
    """Return the statistics of a tree as CSV or JSON."""
    name = f"{entry.name}-statistics"
    return exported(request, entry.version, statistics(entry), WRITERS, name, form)


@router.get("/statistics")
def index(request: Request, library: LibraryDep) -> Response:
    """Show the statistics of all trees."""
    page = list(_tables(library))
    return respond(request, "statistics/all.html", page, section="statistics", lasting=True)


def _tables(library: Library) -> Iterator[GameStatistics]:
    singles = []
    for game in library.games:
        figures = [statistics(entry) for entry in game.entries]
        if len(figures) > 1:
            yield GameStatistics(game.rules, figures)
        else:
            singles += figures
    if singles:
        yield GameStatistics(None, singles)


@router.get("/statistics/columns")
def columns(request: Request, library: LibraryDep) -> Response:
    """Explain the columns; a tree named `columns` would have no statistics page."""
    entry = next(iter(library), None)
    page = statistics(entry) if entry else None  # with it as the example
    return respond(request, "statistics/columns.html", page, section="statistics", lasting=True)


@router.get("/statistics/{tree}")
def show(request: Request, library: LibraryDep, entry: EntryDep) -> Response:
    """Show the statistics of one tree by first answer and turn."""
    page = StatisticsPage(statistics(entry), library.others(entry))
    return respond(request, "statistics/tree.html", page, section="statistics", lasting=True)
