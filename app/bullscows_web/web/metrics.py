"""Metrics for `/metrics` and `/status`, in a registry of the server's own.

With several processes, each writes files of its own and `/metrics` of any process returns the sum:
the multiprocess mode of prometheus-client (see `bullscows_web.server.cli.shared_counters`).

Label values come from closed sets, such as names of trees and templates of routes, never from
input.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.samples import Sample

from bullscows_web.server.settings import COUNTERS
from bullscows_web.web.exceptions import Refused

RouteClass = Literal["page", "fragment", "api", "static", "other", "error"]
"""Class of a response: `other` are downloads, pictures, redirects and machine-readable files;
failed requests are `error`."""
Line = Literal["pages", "analyses"]
"""Queues: expensive pages, and tasks of the search processes."""
Source = Literal["certain", "tree", "opening", "kept", "search", "rule"]
"""Source of an analysis: trivial, a shipped tree, a shipped position, an earlier result, a search,
or a rule because a search was not possible."""
Outcome = Literal["proved", "left"]
"""End of a search: with a proof, or by its time limit."""
MatchEvent = Literal["created", "joined", "guessed", "resigned", "rematched", "failed"]
"""Events of matches; `failed` are failures of the database."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})


class Metrics:
    """Counters of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, namespace="bullscows", registry=self.registry)
        gauge = partial(Gauge, namespace="bullscows", registry=self.registry)
        histogram = partial(
            Histogram, namespace="bullscows", registry=self.registry, buckets=_SECONDS
        )
        self.guesses = counter("guesses", "Guesses shown, by tree", ["tree"])
        self.contradictions = counter(
            "contradictions", "Answers that no code fits, by tree", ["tree"]
        )
        self.trees = gauge(  # all read the same folder, the last one last
            "trees", "Tree files read at start", ["state"], multiprocess_mode="livemostrecent"
        )
        self.requests = counter(
            "requests", "Requests answered, by template", ["method", "route", "status"]
        )
        self.seconds = histogram("request_seconds", "From request to end of answer", ["class"])
        self.refusals = counter("refusals", "Requests not served, by reason", ["reason"])
        self.queue = gauge(
            "queue",
            "Requests in hand, by what they wait for",
            ["line"],
            multiprocess_mode="livesum",
        )
        self.match_events = counter("match_events", "What happened in matches", ["event"])
        self.analyses = counter("analyses", "Positions analysed, by source", ["source"])
        self.searches = histogram("search_seconds", "Time of a search, by its outcome", ["outcome"])
        for metric, values in (
            (self.seconds, RouteClass),
            (self.refusals, Refused),
            (self.queue, Line),
            (self.match_events, MatchEvent),
            (self.analyses, Source),
            (self.searches, Outcome),
        ):
            for value in get_args(values):
                metric.labels(value)  # so that it counts from zero
        started = gauge(
            "started_seconds", "When the server began, as Unix time", multiprocess_mode="min"
        )
        started.set(time.time())

    def observe(
        self, class_: RouteClass, method: str, route: str, status: int, seconds: float
    ) -> None:
        """Record a request that has been answered, by its class and the template of its route."""
        known = method if method in _METHODS else "other"
        self.requests.labels(known, route, str(status)).inc()
        self.seconds.labels(class_).observe(seconds)

    # -- reading

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus, summed over the processes."""
        return generate_latest(self._together())

    def figures(self) -> Figures:
        """Return all metrics, summed over the processes."""
        families = self._together().collect()
        return Figures(sample for family in families for sample in family.samples)

    def _together(self) -> CollectorRegistry:
        folder = os.environ.get(COUNTERS)
        return self.registry if folder is None else _together(Path(folder))


class Figures:
    """The figures of one moment, from samples as the library collects them."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = list(samples)

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of a figure over all its labels but those that are given."""
        return sum(
            sample.value
            for sample in self._samples
            if sample.name == f"bullscows_{name}" and labels.items() <= sample.labels.items()
        )


def _together(folder: Path) -> CollectorRegistry:
    """Return the metrics of all processes; gauges of stopped processes are dropped.

    Each process looks for stopped ones by itself, so several can delete the same file; the
    library's own function fails for the second.
    """
    for file in folder.glob("gauge_live*.db"):
        if not _is_running(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    return registry


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)  # sends nothing
    except (ProcessLookupError, PermissionError):  # none, or by now another user's
        return False
    return True
