"""Metrics by class and reason; dashboard and alerts use existing metrics only."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.settings import COUNTERS, Settings
from bullscows_web.web.metrics import Metrics
from tests import ROOT
from tests.support.pages import HTMX
from tests.support.searching import BusyExecutor, ThreadExecutor

FOLDER = ROOT / "docs" / "operations"


class Counted:
    """Counts of a server since the last reading."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self._before = self._all()

    def _all(self) -> dict[tuple[str, ...], float]:
        families = text_string_to_metric_families(self.client.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples]
        return {(each.name, *each.labels.values()): each.value for each in samples}

    def new(self, name: str) -> dict[tuple[str, ...], float]:
        """Return what has grown, by labels; each asking for it is itself one `other`."""
        now = self._all()
        grown = {
            labels: value - self._before.get((family, *labels), 0)
            for (family, *rest), value in now.items()
            if family == f"bullscows_{name}" and (labels := tuple(rest)) is not None
        }
        self._before = now
        return {labels: value for labels, value in grown.items() if value}


@pytest.fixture
def counted(client: TestClient) -> Counted:
    return Counted(client)


@pytest.mark.parametrize(
    ("path", "headers", "class_"),
    [
        *(("/about", {}, "page"), ("/ru/about", {"If-None-Match": "*"}, "page")),
        *(("/about", HTMX, "fragment"), ("/api/v1/trees", {}, "api"), ("/openapi.json", {}, "api")),
        *(("/static/styles/site.css", {}, "static"), ("/healthz", {}, "other")),
        *(("/play?tree=small-mastermind", {}, "other"), ("/nothing", HTMX, "error")),
        *(("/static/none", {}, "error"), ("/api/v1/trees/none", {}, "error")),
    ],
)
def test_time_is_counted_by_class(
    counted: Counted, path: str, headers: dict[str, str], class_: str
):
    for _ in range(2):  # made, and from a copy if there is one
        counted.client.get(path, headers=headers)
    grown = counted.new("request_seconds_count")
    grown[("other",)] -= 1  # the counters themselves
    assert {labels: number for labels, number in grown.items() if number} == {(class_,): 2}


def test_guess_on_a_page_or_in_a_session_is_counted_unless_it_is_prefetched(counted: Counted):
    client = counted.client
    for path in ("/play/small-mastermind/0", "/ru/play/small-mastermind/0/0.1"):
        client.get(path)
    client.head("/play/small-mastermind/0")
    client.get("/play/small-mastermind/0", headers={"Purpose": "prefetch"})
    client.post("/api/v1/sessions", json={"tree": "small-mastermind"})
    client.get("/play/small-mastermind/0/9.9")
    assert counted.new("guesses_total") == {("small-mastermind",): 4}
    client.get("/api/v1/sessions/small-bulls-cows~0~0.1-1.1-0.0")
    assert counted.new("contradictions_total") == {("small-bulls-cows",): 1}


def test_requests_are_counted_by_method_route_and_status(counted: Counted):
    client = counted.client
    route = "/play/{tree}/{token}"
    for token in "012":
        client.get(f"/play/small-mastermind/{token}")
    client.head("/play/small-mastermind/0")
    client.get("/static/none")
    client.request("NONSENSE", "/none/at-all")
    grown = counted.new("requests_total")
    assert grown[("GET", route, "200")] == 3
    assert grown[("HEAD", route, "200")] == 1
    assert grown[("GET", "none", "404")] == 1
    assert grown[("other", "none", "404")] == 1


def test_refusals_are_counted_by_reason(counted: Counted):
    client = counted.client
    client.get("/about?" + "x" * 5000)
    client.post("/paste", headers={"Sec-Fetch-Site": "cross-site"})
    client.get("/nothing")
    reasons = {"address": 1, "cross-site": 1}
    assert counted.new("refusals_total") == {(name,): number for name, number in reasons.items()}


def test_who_finds_no_search_process_free_is_counted(small_trees: Path):
    app = create_app(Settings(trees_dir=small_trees), BusyExecutor(small_trees))
    with TestClient(app) as client:
        assert client.get("/analyse/p3c5n?h=012:0.1").status_code == 503
        assert app.state.metrics.figures().total("refusals_total", reason="search") == 1


def test_search_is_counted_once_and_then_what_it_found_is_kept(small_trees: Path):
    app = create_app(Settings(trees_dir=small_trees), ThreadExecutor(small_trees, 60, loaded=True))
    turns = [{"guess": "075", "bulls": 0, "cows": 1}]
    with TestClient(app) as client:
        for _ in range(3):
            found = client.post("/api/v1/guess", json={"rules": "p3c8n", "turns": turns}).json()
            assert found["status"] == "optimal"
        for _ in range(2):  # that no strategy keeps within three turns is a proof as well
            asked = {"rules": "p3c8n", "turns": turns, "max_turns": 3}
            assert client.post("/api/v1/guess", json=asked).status_code == 409
        figures = app.state.metrics.figures()
    analyses = {name: figures.total("analyses_total", source=name) for name in ("search", "kept")}
    assert analyses == {"search": 2, "kept": 3}
    assert figures.total("search_seconds_count", outcome="proved") == 2


SEARCHING = """
from bullscows_web.web.metrics import Metrics
with Metrics().queue.labels("analyses").track_inprogress():
    print(flush=True)
    input()
"""


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a server, with what a process counted that was killed in a request."""
    monkeypatch.setenv(COUNTERS, str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", SEARCHING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        assert Metrics().figures().total("queue") == 1
        worker.kill()
    return tmp_path


@pytest.mark.process
def test_request_of_a_process_that_was_killed_is_no_longer_in_hand(ended: Path):
    figures = Metrics().figures()
    assert figures.total("queue") == 0
    assert not list(ended.glob("gauge_live*"))


@pytest.mark.process
@pytest.mark.usefixtures("ended")
def test_file_that_another_process_takes_away_first_is_not_missed(monkeypatch: pytest.MonkeyPatch):
    def come_second(path: Path, unlink: Callable[[Path], None] = os.unlink) -> None:
        unlink(path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", come_second)
    assert Metrics().figures().total("queue") == 0


def test_what_is_in_hand_is_counted_while_it_is():
    metrics = Metrics()
    pages = metrics.queue.labels("pages").track_inprogress
    analyses = metrics.queue.labels("analyses").track_inprogress
    with pages(), pages(), analyses():
        assert metrics.figures().total("queue", line="pages") == 2
        assert metrics.figures().total("queue") == 3
    assert metrics.figures().total("queue") == 0


DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
PANELS = {panel["title"]: panel for panel in DASHBOARD["panels"]}
EXPRESSIONS = {
    **{rule["alert"]: rule["expr"] for rule in RULES},
    **{
        f"{title} {target['refId']}": target["expr"]
        for title, panel in PANELS.items()
        for target in panel["targets"]
    },
}
METRIC = re.compile(r"\b(bullscows_\w+)(?:\{([^}]*)\})?")


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expression_asks_for_what_is_there(known: dict[str, dict[str, set[str]]], name: str):
    metrics = METRIC.findall(EXPRESSIONS[name])
    assert metrics
    for metric, matchers in metrics:
        for label, sign, value in re.findall(r'(\w+)(=~|=|!=|!~)"([^"]*)"', matchers):
            found = known[metric][label]
            if label != "status":  # which statuses there are depends on what was asked
                assert (set(value.split("|")) if sign == "=~" else {value}) <= found
    labels = {label for metric, _ in metrics for label in known[metric]}
    by = re.findall(r"by \(([^)]*)\)", EXPRESSIONS[name])
    assert {word for names in by for word in names.split(", ")} <= labels


@pytest.fixture(scope="module")
def known(client: TestClient) -> dict[str, dict[str, set[str]]]:
    """Label values in `/metrics`, by metric and label."""
    session = client.post("/api/v1/sessions", json={"tree": "small-mastermind"}).json()
    client.get("/api/v1/sessions/small-bulls-cows~0~0.1-1.1-0.0")
    assert session["turn"] == 1
    found: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            values = found.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                values.setdefault(label, set()).add(value)
    return found


def test_dashboard_shows_every_figure(known: dict[str, dict[str, set[str]]]):
    shown = " ".join(EXPRESSIONS.values())
    names = {re.sub(r"_(bucket|sum|count|total|created)$", "", name) for name in known}
    own = {name for name in names if name.startswith("bullscows_")}
    assert len(own) > 10
    assert [name for name in own if name not in shown] == []
