"""The requests of the survey of expensive requests."""

import pytest
from fastapi import FastAPI

from benchmarks.expensive import requests, uncovered


@pytest.mark.large
def test_survey_asks_for_every_route(shipped_app: FastAPI) -> None:
    """A new route needs a request in `benchmarks/expensive.py`."""
    asked = list(requests(shipped_app))
    assert uncovered(shipped_app, asked) == []
    others = [item for item in asked if "/duel/adversary" not in item.path]
    assert uncovered(shipped_app, others) == [
        "/duel/adversary/{rules}",
        "/duel/adversary/{rules}/{turns}",
    ]
