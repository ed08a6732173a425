"""The status of this server: a page, and `/healthz`, `/readyz`, `/metrics` for machines."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from fastapi import APIRouter, HTTPException, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from bullscows import __version__
from bullscows.tree.files import FORMAT
from bullscows_web.search.service import SearchDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.web.dependencies import MetricsDep, SettingsDep
from bullscows_web.web.metrics import Figures
from bullscows_web.web.rendering import respond

router = APIRouter(include_in_schema=False)
machines = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class StatusPage:
    """The status of the server, summed over its processes."""

    library: Library
    search: Literal["loading", "ready", "none"]
    """Whether the processes can search."""
    figures: Figures

    @property
    def since(self) -> datetime:
        """When the server started."""
        return datetime.fromtimestamp(self.figures.total("started_seconds"), UTC)

    @property
    def versions(self) -> Sequence[str]:
        """The versions of this software, of the tree file format, and of Python."""
        return __version__, FORMAT, platform.python_version()


@router.get("/status")
def show(
    request: Request,
    library: LibraryDep,
    search: SearchDep,
    metrics: MetricsDep,
) -> Response:
    """Show the status of the server."""
    page = StatusPage(library, search.state, metrics.figures())
    return respond(request, "home/status.html", page, section="about", no_store=True)


# -- for machines that watch the server ---------------------------------------------------------


class Readiness(BaseModel):
    """Which trees can be played."""

    status: str
    """`ready`, or `degraded` if a file was rejected or there is nothing to play."""
    trees: list[str]
    """Names of the trees that can be played."""
    failed: list[str]
    """Names of the files that were rejected."""
    search: str
    """`ready`, `loading`, or `none`: then rules guess."""


@machines.get("/healthz")
async def healthz() -> dict[str, str]:
    """Say that the process is alive."""
    return {"status": "ok"}


@machines.get("/readyz")
async def readyz(library: LibraryDep, search: SearchDep, response: Response) -> Readiness:
    """Say whether every tree can be played; 503 if not."""
    response.status_code = 200 if library.is_ready else 503
    return Readiness(
        status="ready" if library.is_ready else "degraded",
        trees=[entry.name for entry in library],
        failed=sorted(library.failed),
        search=search.state,
    )


@machines.get("/metrics")
async def show_metrics(counters: MetricsDep, settings: SettingsDep) -> Response:
    """Return the counters of all worker processes in the text format of Prometheus."""
    if not settings.metrics:
        raise HTTPException(404)
    return Response(counters.text(), media_type=CONTENT_TYPE_LATEST)
