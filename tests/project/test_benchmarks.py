"""The output of the benchmarks for tiny games, and the requests of the survey."""

from typing import cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from benchmarks.__main__ import positions
from benchmarks.expensive import requests, uncovered
from bullscows.game.rules import Rules
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings


def test_random_positions_are_the_same_each_time() -> None:
    rules = Rules.parse("p3c5n")
    drawn = list(positions(rules, 2, 20))
    assert drawn == list(positions(rules, 2, 20))
    assert len(set(map(str, drawn))) > 15
    for question in drawn:
        assert len(question.history) == 2
        assert len(question.candidates) >= 1
        assert question.found is None


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
