"""The puzzle of the day over the API: stateless, and the same puzzle as on the pages."""

from datetime import date
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.game.rules import Rules, respond
from bullscows_web.guess.puzzle import MAX_GUESSES, Puzzle, get_today
from tests.conftest import SMALL_TREES

DAILY = "/api/v1/daily"
TODAY = date(2026, 11, 21)
RULES = Rules.parse("p3c5n")


@pytest.fixture(autouse=True)
def _today(client: TestClient):
    app: Any = client.app
    app.dependency_overrides[get_today] = lambda: TODAY
    yield
    del app.dependency_overrides[get_today]


def guess(client: TestClient, *guesses: str, day: str = "2026-11-21") -> Any:
    return client.post(f"{DAILY}/{RULES}/{day}/guesses", json={"guesses": guesses})


def secret_of(client: TestClient) -> str:
    app: Any = client.app
    return RULES.text(Puzzle.parse(app.state.library, str(RULES), "2026-11-21").secret)


def test_each_game_has_a_puzzle_today(client: TestClient):
    found = client.get(DAILY).json()
    assert found["date"] == "2026-11-21"
    assert sorted(one["rules"] for one in found["puzzles"]) == sorted(set(SMALL_TREES.values()))
    for puzzle in found["puzzles"]:
        assert client.get(f"{DAILY}/{puzzle['rules']}/{puzzle['date']}").json() == puzzle
        assert puzzle["secrets"] == Rules.parse(puzzle["rules"]).size
        assert client.get(puzzle["page"]).status_code == 200


def test_answers_are_those_of_the_secret_and_leave_what_fits(client: TestClient):
    secret = RULES.code(RULES.parse_code(secret_of(client)))
    left = [RULES.code(number) for number in range(RULES.size)]
    game = guess(client, "012", "123").json()
    for turn, code in zip(game["turns"], ("012", "123"), strict=True):
        asked = RULES.code(RULES.parse_code(code))
        left = [one for one in left if respond(asked, one) == respond(asked, secret)]
        assert (turn["guess"], turn["answer"]) == (code, str(respond(asked, secret)))
        assert turn["remaining"] == len(left)
    assert (game["remaining"], game["finished"], game["secret"]) == (len(left), False, None)


def test_game_ends_with_the_secret_and_ignores_later_guesses(client: TestClient):
    secret = secret_of(client)
    other = "012" if secret != "012" else "123"
    game = guess(client, other, secret, other).json()
    assert [turn["guess"] for turn in game["turns"]] == [other, secret]
    assert (game["remaining"], game["finished"], game["secret"]) == (1, True, secret)


def test_last_guess_ends_the_game_and_reveals_the_secret(client: TestClient):
    secret = secret_of(client)
    other = "012" if secret != "012" else "123"
    assert guess(client, *[other] * (MAX_GUESSES - 1)).json()["secret"] is None
    game = guess(client, *[other] * MAX_GUESSES).json()
    assert (game["finished"], game["secret"]) == (True, secret)


@pytest.mark.parametrize(
    ("path", "status", "slug"),
    [
        *(("p3c5n/2026-11-22", 404, "not-open"), ("p3c5n/2025-12-31", 404, "no-puzzle")),
        *(("p3c5n/2026-02-30", 422, "no-day"), ("p3c5n/today", 422, "invalid-request")),
        *(("p8c9n/2026-11-21", 404, "unknown-game"), ("chess/2026-11-21", 422, "invalid-request")),
    ],
)
def test_puzzle_that_does_not_exist_is_refused(
    client: TestClient, path: str, status: int, slug: str
):
    for response in (
        client.get(f"{DAILY}/{path}"),
        client.post(f"{DAILY}/{path}/guesses", json={"guesses": ["012"]}),
    ):
        assert response.status_code == status
        assert response.json()["type"].endswith(f"/{slug}")


@pytest.mark.parametrize(
    ("guesses", "field"),
    [
        (["012", "0123"], "body.guesses.1"),
        (["011"], "body.guesses.0"),
        ([], "body.guesses"),
        (["012"] * (MAX_GUESSES + 1), "body.guesses"),
    ],
)
def test_invalid_guess_is_named_by_its_field(client: TestClient, guesses: list[str], field: str):
    response = guess(client, *guesses)
    assert response.status_code == 422
    assert [error["field"] for error in response.json()["errors"]] == [field]
