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
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

    def observe(self, scope: Scope, status: int, seconds: float) -> None:
        """Record a request that has been answered."""
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._requests.labels(method, _route(scope), str(status)).observe(seconds)

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


class MetricsMiddleware:
    """Times every request, by the template of its route."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and record it when its response ends."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500  # what a handler that raises ends in
        started = perf_counter()

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            self._metrics.observe(scope, status, perf_counter() - started)


def _route(scope: Scope) -> str:
    """Return the template of the route that answered; files and strays share one label each."""
    route = scope.get("route")
    return str(getattr(route, "path", None) or "none")


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)  # sends nothing
    except ProcessLookupError:
        return False
    return True
