"""A list of jobs, watched: how far it is and what is proven, read anew for each visitor.

The store is opened to read only, so nothing that a visitor does reaches the work.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bullscows.errors import EngineError
from bullscows.jobs.store.lines import Line, state_of
from bullscows.jobs.store.overview import Overview, first_bounds
from bullscows.jobs.store.store import Store
from bullscows.jobs.store.tasks import DONE, FAILED, TAKEN, WAITING, Task
from bullscows_web.web.errors import UnavailableError

logger = logging.getLogger(__name__)

MOST = 200
"""How many jobs of a list are shown; the counts are those of all."""


@dataclass(frozen=True)
class JobRow:
    """A job of the list."""

    text: str
    """The job as `bullscows jobs list` writes it, without its state."""
    state: str
    """Its state in the same words: solve, taken, done with a value, failed."""
    lower: int | None
    """What is proven from below of the first criterion, of a job begun and not done."""
    upper: int | None
    """The same from above."""

    @classmethod
    def of(cls, line: Line, task: Task | None) -> JobRow:
        """Describe a job by what is known of it."""
        text, state = line.text("").strip(" #"), state_of(line, task)
        if task is None or task.settles(line.budget):
            return cls(text, state, None, None)
        bounds = first_bounds(line, task)
        return cls(text, state, bounds.lower, bounds.upper)


@dataclass(frozen=True)
class JobsPage:
    """How far a list of jobs is."""

    overview: Overview

    @classmethod
    def read(cls, path: Path) -> JobsPage:
        """Read the store in a file.

        Raises
        ------
        UnavailableError
            If that fails; the log says why.
        """
        try:
            with Store.read(path) as store:
                return cls(Overview.of(store))
        except EngineError as error:
            logger.warning("no jobs are shown: %s", error)
            raise UnavailableError("jobs", "the store of jobs can't be read") from error

    @property
    def done(self) -> int:
        """How many tasks are done."""
        return self.overview.counts[DONE]

    @property
    def tasks(self) -> int:
        """How many tasks are known."""
        return sum(self.overview.counts.values())

    @property
    def share(self) -> float:
        """Which share of the tasks known is done."""
        return self.done / self.tasks if self.tasks else 0.0

    @property
    def open(self) -> Sequence[int]:
        """How many tasks wait, are worked on, and have failed."""
        return [self.overview.counts[state] for state in (WAITING, TAKEN, FAILED)]

    @property
    def rows(self) -> list[JobRow]:
        """The jobs in the order of the list, at most `MOST`."""
        return [JobRow.of(line, task) for line, task in self.overview.jobs[:MOST]]

    @property
    def hidden(self) -> int:
        """How many jobs are not shown."""
        return max(len(self.overview.jobs) - MOST, 0)
