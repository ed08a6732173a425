"""Requests that need no search are answered at once, even if no search process is free."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.search.searcher import Tablebase
from bullscows_web.server.settings import Settings
from bullscows_web.web.metrics import Metrics
from tests.support.known import known_total
from tests.support.searching import BusyExecutor

pytestmark = pytest.mark.large

GUESS, GUESSES = "/api/v1/guess", "/api/v1/guesses"

OFF_TREES = "p4c10n", "0123:1.1 4506:1.0"
"""A position that takes a search: no tree makes these guesses."""


def body(rules: str, turns: str = "", **more: object) -> dict[str, object]:
    pairs = [turn.replace(".", ":").split(":") for turn in turns.split()]
    given = [{"guess": guess, "bulls": int(b), "cows": int(c)} for guess, b, c in pairs]
    return {"rules": rules, "turns": given, **more}


def analyses(metrics: Metrics, source: str) -> float:
    """Return how many positions were counted as of that source."""
    return metrics.figures().total("analyses_total", source=source)


@pytest.fixture(scope="module")
def crowded(shipped_trees: Path, shipped_tablebase: Tablebase) -> Iterator[TestClient]:
    """A server with the shipped trees that never has a search process free."""
    app = create_app(Settings(trees_dir=shipped_trees), BusyExecutor(shipped_tablebase))
    with TestClient(app, follow_redirects=False) as client:
        refused = client.post(GUESS, json=body(*OFF_TREES))
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "4")
        yield client


@pytest.mark.parametrize(
    ("content", "source", "value"),
    [
        (body("p4c10n", "0123:3.0 0145:2.1"), "certain", 7),
        (body("p4c10n", "9876:0.1"), "tree", 7935),
        (body("p5c8n", "12345:1.1"), "tree", 1739),
        (body("p4c6r", "5500:0.1", objective="worst,average"), "opening", 5),
        (body("p4c10n", "9876:2.2 9876:2.2"), "tree", 21 + 6),
        (body("p4c6r", "5500:0.1 5500:0.1", objective="worst,average"), "opening", 5 + 1),
        (body("p4c10n"), "tree", known_total("p4c10n")),
    ],
)
def test_who_needs_no_search_is_answered_while_none_is_free(
    crowded: TestClient, content: dict[str, object], source: str, value: int
):
    metrics: Metrics = crowded.app.state.metrics  # type: ignore[attr-defined]
    before = analyses(metrics, source)
    response = crowded.post(GUESS, json=content)
    assert response.status_code == 200
    found = response.json()
    assert (found["status"], found["value"]) == ("optimal", value)
    assert analyses(metrics, source) == before + 1


def test_invalid_positions_are_refused_while_no_search_is_free(crowded: TestClient):
    assert crowded.post(GUESS, json=body("p4c10n", "0123:0.4 0123:0.3")).status_code == 409
    assert crowded.post(GUESS, json=body("p4c6r", objective="last")).status_code == 422
    assert crowded.get("/analyse/p4c10n?h=0123:0.4-0123:0.3").status_code == 409


def test_evaluations_and_batches_take_a_process(crowded: TestClient):
    for path, content in (
        (GUESS, body("p4c10n", "9876:0.1", guesses=["1234"])),
        (GUESSES, {"positions": [body("p4c10n", "9876:0.1"), body(*OFF_TREES)]}),
    ):
        refused = crowded.post(path, json=content)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "4")
        assert refused.json()["type"].endswith("/busy")


def test_pages_show_what_is_known_and_ask_again_for_evaluations(crowded: TestClient):
    page = crowded.get("/analyse/p4c10n?h=9876:0.1")
    assert page.status_code == 200
    assert "polls=1" in page.text
    assert crowded.get("/analyse/p4c10n?h=0123:1.1-4506:1.0").status_code == 503
    assert crowded.get("/analyse/p6c8r?h=001122:1.1").status_code == 503


def test_large_games_are_not_looked_up_by_the_web_process(crowded: TestClient):
    """A tree has the position, but to count its candidates takes a while."""
    assert crowded.post(GUESS, json=body("p5c8r")).status_code == 503
