"""The status of this server, and the progress of a job store.

The job store is opened read-only for each request, so a visitor cannot disturb the work.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, HTTPException, Request, Response

from bullscows import __version__
from bullscows.errors import EngineError
from bullscows.game.objective import Bounds
from bullscows.jobs.store.lines import Overview, first_bounds, state_of
from bullscows.jobs.store.store import DONE, FAILED, TAKEN, WAITING, Store
from bullscows.tree.files import FORMAT
from bullscows_web.search.service import SearchDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.web.dependencies import IN_TURN, MetricsDep, SettingsDep
from bullscows_web.web.errors import UnavailableError
from bullscows_web.web.html.rendering import respond
from bullscows_web.web.metrics import Figures

logger = logging.getLogger(__name__)

router = APIRouter(include_in_schema=False)

MAX_JOBS = 200
"""Maximum number of jobs that the page lists."""


@dataclass(frozen=True)
class StatusPage:
    """The status of the server, summed over its processes."""

    library: Library
    search: Literal["loading", "ready", "none"]
    """Whether the processes can search."""
    figures: Figures
    has_jobs: bool
    """Whether there is a page about a job store."""

    @property
    def since(self) -> datetime:
        """When the server started."""
        return datetime.fromtimestamp(self.figures.total("started_seconds"), UTC)

    @property
    def versions(self) -> Sequence[str]:
        """The versions of this software, of the tree file format, and of Python."""
        return __version__, FORMAT, platform.python_version()


@dataclass(frozen=True)
class JobsPage:
    """The progress of a job store."""

    overview: Overview

    @classmethod
    def read(cls, path: Path) -> JobsPage:
        """Read a store, or raise `UnavailableError`; the log says why."""
        try:
            with Store.read(path) as store:
                return cls(Overview.of(store))
        except EngineError as error:
            logger.warning("the job store cannot be read: %s", error)
            raise UnavailableError("jobs", "the job store cannot be read") from error

    @property
    def done(self) -> int:
        """Number of tasks done."""
        return self.overview.counts[DONE]

    @property
    def tasks(self) -> int:
        """Number of known tasks."""
        return sum(self.overview.counts.values())

    @property
    def share(self) -> float:
        """Share of the known tasks that is done."""
        return self.done / self.tasks if self.tasks else 0.0

    @property
    def open(self) -> Sequence[int]:
        """Numbers of tasks that wait, are in progress, and have failed."""
        return [self.overview.counts[state] for state in (WAITING, TAKEN, FAILED)]

    @property
    def rows(self) -> Iterator[tuple[str, str, Bounds | None]]:
        """The first jobs, their states, and bounds of the first criterion while in progress."""
        for line, task in self.overview.jobs[:MAX_JOBS]:
            bounds = None if not task or task.settles(line.budget) else first_bounds(line, task)
            yield line.text("").strip(" #"), state_of(line, task), bounds

    @property
    def hidden(self) -> int:
        """Number of jobs that the page leaves out."""
        return max(len(self.overview.jobs) - MAX_JOBS, 0)


@router.get("/status")
def show(
    request: Request,
    library: LibraryDep,
    search: SearchDep,
    metrics: MetricsDep,
    settings: SettingsDep,
) -> Response:
    """Show the status of the server."""
    page = StatusPage(library, search.state, metrics.figures(), settings.status_jobs is not None)
    return respond(request, "home/status/server.html", page, section="about", passing=True)


@router.get("/status/jobs", dependencies=[IN_TURN])
def show_jobs(request: Request, settings: SettingsDep) -> Response:
    """Show the progress of the job store, if the settings name one."""
    if settings.status_jobs is None:
        raise HTTPException(404)
    page = JobsPage.read(settings.status_jobs)
    return respond(request, "home/status/jobs.html", page, section="about", passing=True)
