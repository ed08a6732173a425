"""The statistics of the trees: all of them side by side, and each by its first answers.

The same figures come as CSV and as JSON from the page's address with `.csv` or `.json` added;
these are not in any language, so they stand under English addresses only.
"""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, HTTPException, Request, Response

from bullscows_web.statistics.figures import statistics, to_csv, to_json
from bullscows_web.statistics.pages import (
    ColumnsPage,
    GameStatistics,
    StatisticsIndex,
    StatisticsPage,
)
from bullscows_web.trees.dependencies import EntryDep, LibraryDep
from bullscows_web.trees.library import Library
from bullscows_web.web.caching import attachment, kept
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.html.rendering import respond

router = APIRouter(dependencies=[IN_TURN], include_in_schema=False)
files = APIRouter(include_in_schema=False)
"""The figures for programs."""

WRITERS = {
    "csv": (to_csv, "text/csv; charset=us-ascii"),
    "json": (to_json, "application/json"),
}


@files.get("/statistics/{tree}.{form}")
def save(request: Request, entry: EntryDep, form: str) -> Response:
    """Return a tree's figures for programs."""
    if form not in WRITERS:
        raise HTTPException(404, f"statistics come as {' and '.join(WRITERS)}")
    write, media_type = WRITERS[form]
    headers = attachment(f"{entry.name}-statistics.csv") if form == "csv" else {}
    figures = statistics(entry)
    return kept(request, entry.version, lambda: write(figures), media_type, headers)


@router.get("/statistics")
def index(request: Request, library: LibraryDep) -> Response:
    """Show the figures of all trees, and what they mean."""
    page = StatisticsIndex(list(_tables(library)))
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
    """Say what each figure means; a tree called `columns` would have no page of its own."""
    entry = next(iter(library), None)
    page = ColumnsPage(statistics(entry) if entry else None)
    return respond(request, "statistics/columns.html", page, section="statistics", lasting=True)


@router.get("/statistics/{tree}")
def show(request: Request, library: LibraryDep, entry: EntryDep) -> Response:
    """Show the figures of one tree by first answer and turn."""
    others = library.others(entry)
    page = StatisticsPage(statistics(entry), others)
    return respond(request, "statistics/tree.html", page, section="statistics", lasting=True)
