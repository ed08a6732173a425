"""The output of the benchmarks for tiny games, and the requests of the survey."""

import asyncio
import sys
from pathlib import Path
from typing import cast

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from benchmarks import positions
from benchmarks.expensive import EXCLUDED, Request, requests, send, uncovered
from bullscows.game.rules import Rules
from bullscows_web.main import PAGES, create_app
from bullscows_web.server.settings import Settings


def test_random_positions_are_the_same_each_time() -> None:
    rules = Rules.parse("p3c5n")
    drawn = [str(question) for question in positions.positions(rules, 2, 20)]
    assert drawn == [str(question) for question in positions.positions(rules, 2, 20)]
    assert len(set(drawn)) > 15
    for question in positions.positions(rules, 2, 20):
        assert len(question.history) == 2
        assert len(question.candidates) >= 1
        assert rules.win not in [answer for _, answer in question.history]


def test_row_counts_the_positions_proved_in_time() -> None:
    line = positions.row("p9", 1, [(0.05, True), (0.2, True), (0.3, False), (4.0, True)])
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[:3] == ["p9", "1", "4"]
    assert cells[3:8] == ["25.0%", "50.0%", "50.0%", "75.0%", "75.0%"]
    assert cells[-1] == "4.000"
    assert len(cells) == positions.heads().splitlines()[0].count("|") - 1


def test_positions_of_a_small_game_are_all_proved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(positions, "MEMORY", sys.maxsize)  # the tests before took some
    positions.main(["p3c5n", "--positions", "5", "--turns", "1"])
    *_, line = capsys.readouterr().out.splitlines()
    assert line.startswith("| p3c5n | 1 | 5 |")
    assert line.split("|")[8].strip() == "100.0%"


@pytest.mark.large
def test_survey_asks_for_every_route() -> None:
    """A new route needs a request in `benchmarks/expensive.py`."""
    with TestClient(create_app(Settings(metrics=True))) as client:
        app = cast(FastAPI, client.app)
        asked = list(requests(app))
        assert uncovered(app, asked) == []
        others = [item for item in asked if "/duel/adversary" not in item.path]
        assert uncovered(app, others) == [
            "/duel/adversary/{rules}",
            "/duel/adversary/{rules}/{turns}",
        ]


def test_survey_without_requests_misses_every_route() -> None:
    app = create_app()
    rooms = (route for room in PAGES for route in iter_route_contexts(room.router.routes))
    assert {str(route.path) for route in rooms} - EXCLUDED <= set(uncovered(app, []))
    assert not EXCLUDED & set(uncovered(app, []))


def test_form_is_sent_as_a_form(small_trees: Path) -> None:
    with TestClient(create_app(Settings(trees_dir=small_trees))) as client:
        sent = Request("sent", "/duel/friend/p3c5n", "code=012")
        assert asyncio.run(send(cast(FastAPI, client.app), sent)) == 303
