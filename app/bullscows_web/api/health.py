"""Pages for machines that watch the server: `/healthz`, `/readyz`, `/metrics`."""

from __future__ import annotations

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from bullscows_web.search.service import SearchDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.web.dependencies import MetricsDep, SettingsDep

router = APIRouter(tags=["health"], include_in_schema=False)


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


@router.api_route("/healthz", methods=["GET", "HEAD"])
async def healthz() -> dict[str, str]:
    """Say that the process is alive."""
    return {"status": "ok"}


@router.api_route("/readyz", methods=["GET", "HEAD"])
async def readyz(library: LibraryDep, search: SearchDep, response: Response) -> Readiness:
    """Say whether every tree can be played; 503 if not."""
    response.status_code = 200 if library.is_ready else 503
    return Readiness(
        status="ready" if library.is_ready else "degraded",
        trees=[entry.name for entry in library],
        failed=sorted(library.failed),
        search=search.state,
    )


@router.api_route("/metrics", methods=["GET", "HEAD"])
async def metrics(counters: MetricsDep, settings: SettingsDep) -> Response:
    """Return the counters of all worker processes in the text format of Prometheus."""
    if not settings.metrics:
        raise HTTPException(404)
    return Response(counters.text(), media_type=CONTENT_TYPE_LATEST)
