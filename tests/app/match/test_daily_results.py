"""Results of all players of a daily puzzle: counts, computed by the server."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle, get_today
from bullscows_web.trees.library import Library
from tests.app.match.conftest import serving_matches
from tests.support.servers.postgres import execute

RULES = Rules.parse("p3c5n")
DAY = date(2026, 11, 21)
RESULTS = f"/api/v1/daily/{RULES}/{DAY}/results"


@pytest.fixture
def secret(match_app: FastAPI, library: Library) -> Iterator[str]:
    """The code of the day, which is that of the servers."""
    match_app.dependency_overrides[get_today] = lambda: DAY
    yield RULES.text(Puzzle.parse(library, str(RULES), str(DAY)).secret)
    del match_app.dependency_overrides[get_today]


def wrong(secret: str, number: int) -> list[str]:
    return [text for text in map(RULES.text, range(RULES.size)) if text != secret][:number]


def test_results_are_counted_by_turn_and_compared(table: TestClient, secret: str):
    assert table.get(RESULTS).json() == {"distribution": [], "better_than": None}
    for turns, better in ((3, None), (2, 100), (4, 0), (3, 100 / 3)):
        sent = {"guesses": [*wrong(secret, turns - 1), secret]}
        found = table.post(RESULTS, json=sent).json()
        assert found["better_than"] == (better and pytest.approx(better))
    assert found["distribution"] == [0, 1, 2, 1]
    compared = table.get(f"{RESULTS}?turns=2")
    assert compared.json() == {"distribution": [0, 1, 2, 1], "better_than": 100}
    assert compared.headers["cache-control"] == "no-store"


def test_only_numbers_are_stored(table: TestClient, secret: str, database: str):
    table.post(RESULTS, json={"guesses": [*wrong(secret, 1), secret]})
    assert execute(database, "SELECT * FROM results") == [(str(DAY), str(RULES), 2, 1)]
    for others in ("matches", "players", "turns"):
        assert execute(database, f"SELECT * FROM {others}") == []


def test_guesses_that_do_not_solve_the_puzzle_are_refused(table: TestClient, secret: str):
    first, second = wrong(secret, 2)
    forged: list[dict[str, Any]] = [
        *({"guesses": [first, second]}, {"guesses": [secret, first]}, {"guesses": [secret] * 2}),
        *({"guesses": ["999", secret]}, {"guesses": [secret], "turns": 1}, {"turns": 1}),
    ]
    for sent in forged:
        assert table.post(RESULTS, json=sent).status_code == 422
    assert table.get(RESULTS).json()["distribution"] == []


def test_results_and_matches_of_a_client_are_limited(
    match_app: FastAPI, secret: str, tmp_path: Path
):
    sent = {"guesses": [secret]}
    url = f"sqlite:///{tmp_path / 'limited.sqlite'}"
    with serving_matches(match_app, url, matches_per_hour=1) as client:
        assert [client.post(RESULTS, json=sent).status_code for _ in range(2)] == [200, 429]
        assert client.get(RESULTS).json()["distribution"] == [1]
        new = {"rules": "p4c10n"}
        made = [client.post("/api/v1/matches", json=new).status_code for _ in range(2)]
        assert made == [201, 429]
