"""The results: `/results`, each table at `/results/NAME`, and all of it for programs.

A table comes as CSV and as JSON from its address with `.csv` or `.json` added, all of them from
`/results.json`, and each tree of the front from `/results/pareto/TURNS-LATE.json`; these are not in
any language, so they stand under English addresses only.
"""

from __future__ import annotations

import json
from typing import Annotated, cast

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.responses import RedirectResponse

from bullscows.report.tables import Table
from bullscows_web.statistics.results.figures import Results, stated, to_csv, to_json
from bullscows_web.statistics.results.pages import ResultsPage, TablePage
from bullscows_web.web.caching import attachment, kept
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.html.frame import address
from bullscows_web.web.html.rendering import respond

router = APIRouter(dependencies=[IN_TURN], include_in_schema=False)
files = APIRouter(include_in_schema=False)
"""The figures for programs."""

WRITERS = {
    "csv": (to_csv, "text/csv; charset=utf-8"),
    "json": (to_json, "application/json"),
}


async def get_results(request: Request) -> Results:
    """Return the figures read at start."""
    return cast(Results, request.app.state.results)


ResultsDep = Annotated[Results, Depends(get_results)]


@files.get("/results.json")
def save_all(request: Request, results: ResultsDep) -> Response:
    """Return all tables for programs."""

    def written() -> bytes:
        tables = {name: stated(table) for name, table in results.tables.items()}
        return (json.dumps(tables, ensure_ascii=False) + "\n").encode()

    return kept(request, results.version, written, "application/json")


@files.get("/results/front/{name}")
def moved_tree(name: str) -> RedirectResponse:
    """Redirect to the present address of a tree of the front."""
    return RedirectResponse(address(f"/results/pareto/{name}", ""), 301)


@files.get("/results/pareto/{total}-{late}.json")
def save_tree(request: Request, results: ResultsDep, total: str, late: str) -> Response:
    """Return a tree of the front as a file."""
    trees = {(str(point.total), str(point.late)): point for point in results.front}
    point = trees.get((total, late))
    if point is None:
        raise HTTPException(404, "no such point on the front: /results shows them all")
    return kept(
        request,
        results.version,
        lambda: point.content,
        "application/json",
        attachment(point.name),
    )


@files.get("/results/{name}.{form}")
def save(request: Request, results: ResultsDep, name: str, form: str) -> Response:
    """Return a table for programs."""
    table = _table(results, name)
    if form not in WRITERS:
        raise HTTPException(404, f"tables come as {' and '.join(WRITERS)}")
    write, media_type = WRITERS[form]
    headers = attachment(f"{name}.csv") if form == "csv" else {}
    return kept(request, results.version, lambda: write(table), media_type, headers)


@router.get("/results")
def story(request: Request, results: ResultsDep) -> Response:
    """Show what was found, in pictures and tables."""
    page = ResultsPage(results)
    return respond(request, "statistics/results/story.html", page, section="results", lasting=True)


@router.get("/results/{name}")
def show(request: Request, results: ResultsDep, name: str) -> Response:
    """Show one table."""
    page = TablePage(name, _table(results, name))
    return respond(request, "statistics/results/table.html", page, section="results", lasting=True)


def _table(results: Results, name: str) -> Table:
    if name not in results.tables:
        known = ", ".join(results.tables) or "none"
        raise HTTPException(404, f"no table of that name; there are {known}")
    return results.tables[name]
