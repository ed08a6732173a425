"""What a server says of itself: since when it serves, what it plays, what it searches and keeps."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from bullscows import __version__
from bullscows.tree.files import FORMAT
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.trees.library import Library
from bullscows_web.web.metrics import Figures


@dataclass(frozen=True)
class StatusPage:
    """How the server is, all its processes together."""

    library: Library
    """The trees."""
    analysis: AnalysisService
    """Where positions are analysed."""
    figures: Figures
    """What was counted."""
    has_jobs: bool
    """Whether a list of jobs is shown too."""

    @cached_property
    def since(self) -> datetime:
        """When the server began."""
        return datetime.fromtimestamp(self.figures.total("started_seconds"), UTC)

    @property
    def engine(self) -> str:
        """The version of this software."""
        return __version__

    @property
    def tree_format(self) -> str:
        """The version of the form of tree files."""
        return FORMAT

    @property
    def python(self) -> str:
        """The version of Python."""
        return platform.python_version()

    @property
    def requests(self) -> int:
        """How many requests were answered."""
        return int(self.figures.total("requests_total"))

    @property
    def refusals(self) -> int:
        """How many requests and connections were not served."""
        return int(self.figures.total("refusals_total"))

    @property
    def waiting(self) -> int:
        """How many requests wait for a turn, or have it."""
        return int(self.figures.total("queue"))

    @property
    def under_way(self) -> int:
        """How many searches of positions go on."""
        return int(self.figures.total("searches"))

    @property
    def proved(self) -> int:
        """How many ended with a proof."""
        return int(self.figures.total("search_seconds_count", outcome="proved"))

    @property
    def unproved(self) -> int:
        """How many ended with their time."""
        return int(self.figures.total("search_seconds_count", outcome="left"))

    @property
    def seconds(self) -> float:
        """How long those took that ended."""
        return self.figures.total("search_seconds_sum")

    @property
    def kept(self) -> int:
        """Of how many positions what was found is kept."""
        return int(self.figures.total("positions_kept"))
