"""The pages that change by themselves: how the server is, and how far a list of jobs is."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response

from bullscows_web.analyse.search.dependencies import AnalysisDep
from bullscows_web.home.status.jobs import JobsPage
from bullscows_web.home.status.server import StatusPage
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.web.dependencies import IN_TURN, MetricsDep, SettingsDep
from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)


@router.get("/status")
def show(
    request: Request,
    library: LibraryDep,
    analysis: AnalysisDep,
    metrics: MetricsDep,
    settings: SettingsDep,
) -> Response:
    """Show how the server is."""
    page = StatusPage(library, analysis, metrics.figures(), settings.status_jobs is not None)
    return respond(request, "home/status/server.html", page, section="about", passing=True)


@router.get("/status/jobs", dependencies=[IN_TURN])
def jobs(request: Request, settings: SettingsDep) -> Response:
    """Show how far the list of jobs is, where one is named."""
    if settings.status_jobs is None:
        raise HTTPException(404)
    page = JobsPage.read(settings.status_jobs)
    return respond(request, "home/status/jobs.html", page, section="about", passing=True)
