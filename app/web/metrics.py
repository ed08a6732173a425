"""Counters for `/metrics`, in a registry of the server's own.

Where several processes serve, each counts in files of its own, and `/metrics` of any of them tells
the sum over all: prometheus-client's multiprocess mode, which its variable switches on before the
library is loaded (see `app.server.start.shared_counters`).

Labels come from closed sets, such as the names of trees and the templates of routes, never from
what a visitor writes.
"""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from app.server.start import COUNTERS

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})


class Metrics:
    """What one server process counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Histogram(
            "bullscows_request_seconds",
            "Time from request to end of response",
            ("method", "route", "status"),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._guesses = Counter(
            "bullscows_guesses", "Guesses shown, by tree", ("tree",), registry=self.registry
        )
        self._contradictions = Counter(
            "bullscows_contradictions",
            "Answers that no code fits, by tree",
            ("tree",),
            registry=self.registry,
        )
        self._trees = Gauge(
            "bullscows_trees",
            "Tree files read at start",
            ("state",),
            registry=self.registry,
            multiprocess_mode="livemostrecent",  # all read the same folder, the last one last
        )

    def count_trees(self, playable: int, refused: int) -> None:
        """Record how many trees play and how many files were refused."""
        self._trees.labels("playable").set(playable)
        self._trees.labels("refused").set(refused)

    def count_guess(self, tree: str) -> None:
        """Count a guess that a tree made."""
        self._guesses.labels(tree).inc()

    def count_contradiction(self, tree: str) -> None:
        """Count an answer that no code fits, to a guess of a tree."""
        self._contradictions.labels(tree).inc()

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Record a request that has been answered, by the template of its route."""
        method = method if method in _METHODS else "other"
        self._requests.labels(method, route, str(status)).observe(seconds)

    def text(self) -> bytes:
        """Return all figures in the text format of Prometheus, those of all processes together."""
        folder = os.environ.get(COUNTERS)
        return generate_latest(self.registry if folder is None else _together(Path(folder)))


def _together(folder: Path) -> CollectorRegistry:
    """Return the figures of all processes: what ended ones counted stays, what they were does not.

    Nobody tells this process which others have ended, so it looks.
    """
    for file in folder.glob("gauge_live*.db"):
        process = int(file.stem.rpartition("_")[2])
        if not _is_running(process):
            mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    return registry


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)  # sends nothing
    except ProcessLookupError:
        return False
    return True
