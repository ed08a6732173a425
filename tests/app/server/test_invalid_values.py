"""Messages about invalid values of requests and settings: the value, and what is allowed."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr

from bullscows_web.server.invalid_values import shown
from bullscows_web.server.settings import read_settings

GAME: dict[str, Any] = {"rules": "p4c10n"}


def turn(**values: Any) -> dict[str, Any]:
    return {**GAME, "turns": [{"guess": "0123", "bulls": 0, "cows": 1, **values}]}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "body.rules: is missing"),
        ({"rules": 3}, "body.rules: must be a text, not 3"),
        ({**GAME, "turns": "x"}, "body.turns: must be a list, not 'x'"),
        ({**GAME, "turns": [None]}, "body.turns.0: must be an object, not null"),
        ({**GAME, "colour": "red"}, "body.colour: is unknown: leave it out"),
        (turn(bulls="x"), "body.turns.0.bulls: must be a whole number, not 'x'"),
        (turn(bulls=1.5), "body.turns.0.bulls: must be a whole number, not 1.5"),
        (turn(bulls=[]), "body.turns.0.bulls: must be a whole number, not a list"),
        (turn(bulls=-1), "body.turns.0.bulls: must be at least 0, not -1"),
        ({**GAME, "max_turns": 10**6}, "body.max_turns: must be at most 48, not 1000000"),
        (
            {**GAME, "candidates_only": "so"},
            "body.candidates_only: must be true or false, not 'so'",
        ),
        ({**GAME, "guesses": ["0123"] * 99}, "body.guesses: must have at most 20 items, not 99"),
    ],
)
def test_a_request_is_told_what_is_wrong_and_what_is_allowed(client: TestClient, body, message):
    found = client.post("/api/v1/guess", json=body).json()
    assert found["status"] == 422
    assert [f"{one['field']}: {one['message']}" for one in found["errors"]] == [message]
    assert found["detail"].startswith(f"{message}; ")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SEARCH_TIMEOUT", "soon", "must be a number, not 'soon'"),
        ("SEARCH_TIMEOUT", "61", "must be at most 60, not '61'"),
        ("MAX_MATCHES", "0", "must be at least 1, not '0'"),
        ("METRICS", "perhaps", "must be true or false, not 'perhaps'"),
        ("LOG_FORMAT", "xml", "must be text or json, not 'xml'"),
        ("SECRET_KEY", "too short", "must have at least 32 characters, not 9"),
        ("TREES_DIR", "/nowhere", "there is no folder /nowhere"),
    ],
)
def test_a_setting_is_told_what_is_allowed(monkeypatch, name: str, value: str, message: str):
    monkeypatch.setenv(f"BULLSCOWS_{name}", value)
    with pytest.raises(ValueError, match=rf"^BULLSCOWS_{name}: {message}$"):
        read_settings()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        ({}, "an object"),
        (10**99, "a large number"),
        (SecretStr("key"), "a secret"),
        (2.5, "2.5"),
    ],
)
def test_values_are_shown_as_in_json_and_cut(value: object, text: str) -> None:
    assert shown(value) == text
