"""Metrics for `/metrics` and `/status`, in a registry of the server's own.

With several processes, each writes files of its own and `/metrics` of any process returns the sum:
the multiprocess mode of prometheus-client (see `bullscows_web.server.cli.shared_counters`).

Label values come from closed sets, such as names of trees and templates of routes, never from
input.  Counters of every request are looked up once, because finding a labelled counter takes
longer than counting.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.samples import Sample

from bullscows_web.server.settings import COUNTERS
from bullscows_web.web.errors import Refused

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
        self._of_trees()
        self._of_requests()
        self._of_searches()
        self._since = self._gauge("started_seconds", "When the server began, as Unix time", "min")
        self._since.set(time.time())

    def _of_trees(self) -> None:
        self._guesses = self._counter("guesses", "Guesses shown, by tree", "tree")
        self._contradictions = self._counter(
            "contradictions", "Answers that no code fits, by tree", "tree"
        )
        self._trees = self._gauge(  # all read the same folder, the last one last
            "trees", "Tree files read at start", "livemostrecent", "state"
        )

    def _of_requests(self) -> None:
        self._requests = self._counter(
            "requests", "Requests answered, by template", "method", "route", "status"
        )
        self._known: dict[tuple[str, str, int], Counter] = {}
        seconds = self._histogram("request_seconds", "From request to end of answer", "class")
        self._seconds = {each: seconds.labels(each) for each in get_args(RouteClass)}
        refusals = self._counter("refusals", "Requests not served, by reason", "reason")
        self._refusals = {reason: refusals.labels(reason) for reason in get_args(Refused)}
        lines = self._gauge("queue", "Requests in hand, by what they wait for", "livesum", "line")
        self._lines = {line: lines.labels(line) for line in get_args(Line)}

        events = self._counter("match_events", "What happened in matches", "event")
        self._match_events = {event: events.labels(event) for event in get_args(MatchEvent)}

    def _of_searches(self) -> None:
        analyses = self._counter("analyses", "Positions analysed, by source", "source")
        self._analyses = {source: analyses.labels(source) for source in get_args(Source)}
        seconds = self._histogram("search_seconds", "Time of a search, by its outcome", "outcome")
        self._searched = {outcome: seconds.labels(outcome) for outcome in get_args(Outcome)}

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"bullscows_{name}", text, labels, registry=self.registry)

    def _gauge(
        self, name: str, text: str, mode: Literal["min", "livesum", "livemostrecent"], *labels: str
    ) -> Gauge:
        return Gauge(
            f"bullscows_{name}", text, labels, registry=self.registry, multiprocess_mode=mode
        )

    def _histogram(self, name: str, text: str, label: str) -> Histogram:
        return Histogram(
            f"bullscows_{name}", text, (label,), buckets=_SECONDS, registry=self.registry
        )

    # -- counting

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

    def observe(
        self, class_: RouteClass, method: str, route: str, status: int, seconds: float
    ) -> None:
        """Record a request that has been answered, by its class and the template of its route."""
        key = (method, route, status)
        counter = self._known.get(key)
        if counter is None:
            known = method if method in _METHODS else "other"
            counter = self._requests.labels(known, route, str(status))
            if known == method:  # of methods that don't exist there is no end
                self._known[key] = counter
        counter.inc()
        self._seconds[class_].observe(seconds)

    def count_refusal(self, reason: Refused) -> None:
        """Count a request that was not served."""
        self._refusals[reason].inc()

    def count_match(self, event: MatchEvent) -> None:
        """Count what happened in a match."""
        self._match_events[event].inc()

    def in_line(self, line: Line) -> AbstractContextManager[object]:
        """Count a request in a queue for the duration of the block."""
        return self._lines[line].track_inprogress()

    def count_analysis(self, source: Source) -> None:
        """Count a position that was analysed."""
        self._analyses[source].inc()

    def observe_search(self, outcome: Outcome, seconds: float) -> None:
        """Record a search that has ended."""
        self._searched[outcome].observe(seconds)

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
