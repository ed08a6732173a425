"""The statistics of the trees: all of them side by side, and each by its first answers.

The same figures come as CSV and as JSON from the page's address with `.csv` or `.json` added;
these are not in any language, so they stand under English addresses only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Request, Response

from app import statistics
from app.caching import attachment, kept
from app.contexts import OfTree
from app.deps import IN_TURN, EntryDep, LibraryDep
from app.library import Entry, Library
from app.pages.render import respond
from app.pages.start import games
from app.statistics import Row, Statistics
from app.words import has_pegs
from engine.game.rules import Rules

router = APIRouter(dependencies=[IN_TURN])
files = APIRouter(include_in_schema=False)
"""The figures for programs."""

WRITERS = {
    "csv": (statistics.to_csv, "text/csv; charset=us-ascii"),
    "json": (statistics.to_json, "application/json"),
}


@dataclass(frozen=True)
class GameStatistics:
    """Trees side by side: all of one game, or those of the games that have but one."""

    rules: Rules | None
    """The game; None for several."""
    figures: Sequence[Statistics]
    """Of each tree."""

    @property
    def depth(self) -> int:
        """The longest game of any of the trees."""
        return max(len(figures.columns) for figures in self.figures)


@dataclass(frozen=True)
class StatisticsIndex:
    """The trees of all games."""

    tables: Sequence[GameStatistics]
    """One for each game with several trees, and one for all the others."""


@dataclass(frozen=True)
class StatisticsPage(OfTree):
    """The figures of one tree."""

    figures: Statistics
    """The figures."""
    others: Sequence[Entry]
    """The other trees of its game."""

    @property
    def entry(self) -> Entry:
        """The tree."""
        return self.figures.entry


@dataclass(frozen=True)
class ColumnsPage:
    """What the columns mean, by the example of one tree, if there is any."""

    figures: Statistics | None
    """The tree's figures."""

    @property
    def row(self) -> Row | None:
        """The first answer that serves as the example: the one that most codes give."""
        return max(self.figures.rows, key=lambda row: row.secrets) if self.figures else None

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return self.figures is not None and has_pegs(self.figures.entry.rules)


@files.get("/statistics/{tree}.{form}")
def save(request: Request, entry: EntryDep, form: str) -> Response:
    """Return a tree's figures for programs."""
    if form not in WRITERS:
        raise HTTPException(404, f"statistics come as {' and '.join(WRITERS)}")
    write, media_type = WRITERS[form]
    headers = attachment(f"{entry.name}-statistics.csv") if form == "csv" else {}
    figures = statistics.statistics(entry)
    return kept(request, entry.version, lambda: write(figures), media_type, headers)


@router.get("/statistics")
def index(request: Request, library: LibraryDep) -> Response:
    """Show the figures of all trees, and what they mean."""
    page = StatisticsIndex(list(_tables(library)))
    return respond(request, "statistics/all.html", page, section="statistics", lasting=True)


def _tables(library: Library) -> Iterator[GameStatistics]:
    singles = []
    for game in games(library):
        figures = [statistics.statistics(entry) for entry in game.entries]
        if len(figures) > 1:
            yield GameStatistics(game.rules, figures)
        else:
            singles += figures
    if singles:
        yield GameStatistics(None, singles)


@router.get("/statistics/columns")
def columns(request: Request, library: LibraryDep) -> Response:
    """Say what each figure means; a tree called `columns` would have no page of its own."""
    entry = next(iter(library), None)
    page = ColumnsPage(statistics.statistics(entry) if entry else None)
    return respond(request, "statistics/columns.html", page, section="statistics", lasting=True)


@router.get("/statistics/{tree}")
def show(request: Request, library: LibraryDep, entry: EntryDep) -> Response:
    """Show the figures of one tree by first answer and turn."""
    others = [other for other in library if other.rules == entry.rules and other is not entry]
    page = StatisticsPage(statistics.statistics(entry), others)
    return respond(request, "statistics/tree.html", page, section="statistics", lasting=True)
