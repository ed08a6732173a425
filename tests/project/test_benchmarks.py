"""The output of the benchmarks for tiny games, and the requests of the survey."""

import pytest
from fastapi import FastAPI

from benchmarks.__main__ import positions
from benchmarks.expensive import requests, uncovered
from bullscows.game.rules import Rules


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
@pytest.mark.usefixtures("shipped_client")  # starts the application, with its library
def test_survey_asks_for_every_route(shipped_app: FastAPI) -> None:
    """A new route needs a request in `benchmarks/expensive.py`."""
    asked = list(requests(shipped_app))
    assert uncovered(shipped_app, asked) == []
    others = [item for item in asked if "/duel/adversary" not in item.path]
    assert uncovered(shipped_app, others) == [
        "/duel/adversary/{rules}",
        "/duel/adversary/{rules}/{turns}",
    ]
