"""The status of this server."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from fastapi import APIRouter, Request, Response

from bullscows import __version__
from bullscows.tree.files import FORMAT
from bullscows_web.search.service import SearchDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.web.dependencies import MetricsDep
from bullscows_web.web.html.rendering import respond
from bullscows_web.web.metrics import Figures

router = APIRouter(include_in_schema=False)


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
    return respond(request, "home/status.html", page, section="about", passing=True)
