"""The short way and FastAPI's own say the same, and what is wrong is told by the latter."""

from collections.abc import Callable
from typing import Any
from unittest.mock import ANY

import pytest
from fastapi import Request, Response
from starlette.testclient import TestClient

from bullscows_web.api import shortcuts

Requests = tuple[tuple[str, str, dict[str, Any]], ...]

GAME = "/api/v1/sessions/small-mastermind~0"
ANSWER = {"bulls": 0, "cows": 1}
BAD: Requests = (
    ("POST", f"{GAME}/answers", {"json": {"bulls": 9, "cows": 0}}),
    ("POST", f"{GAME}/answers", {"json": {"bulls": "1", "cows": 0}}),
    ("POST", f"{GAME}/answers", {"json": ANSWER | {"more": 1}}),
    ("POST", f"{GAME}/answers", {"json": {"bulls": 1.5, "cows": 0}}),
    ("POST", f"{GAME}/answers", {"content": b"{", "headers": {"Content-Type": "application/json"}}),
    ("POST", f"{GAME}/answers", {"content": b"{}", "headers": {"Content-Type": "text/plain"}}),
    ("POST", "/api/v1/sessions/none~0/answers", {"json": ANSWER}),
    ("POST", "/api/v1/sessions/x/answers", {"json": ANSWER}),
    ("POST", f"{GAME}~0.0-0.0-0.0-0.0-0.0-0.0/answers", {"json": ANSWER}),
    ("GET", f"{GAME}~9.9", {}),
    ("GET", f"{GAME}~" + "0.0-" * 200, {}),
)
GOOD: Requests = (
    ("POST", f"{GAME}/answers", {"json": ANSWER}),
    (
        "POST",
        f"{GAME}/answers",
        {
            "content": b' {"cows": 1,"bulls":0}',
            "headers": {"Content-Type": "application/json; charset=utf-8"},
        },
    ),
    ("GET", f"{GAME}~0.1", {}),
)


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What closes the short way."""

    async def fail(_request: Request) -> Response:
        raise LookupError

    def close() -> None:
        for operation in shortcuts.SHORTCUTS:
            monkeypatch.setitem(shortcuts.SHORTCUTS, operation, fail)

    return close


@pytest.mark.parametrize(("method", "path", "sent"), BAD + GOOD)
def test_both_ways_answer_the_same(
    client: TestClient, usual: Callable[[], None], method: str, path: str, sent: dict[str, Any]
):
    short = client.request(method, f"{path}?way=short", **sent)
    usual()
    long = client.request(method, f"{path}?way=usual", **sent)
    assert short.status_code == long.status_code == (200 if (method, path, sent) in GOOD else ANY)
    assert short.json() == long.json()
    assert {**short.headers, "etag": ""} == {**long.headers, "etag": ""}


def test_short_way_is_taken(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    taken: list[str] = []

    def note(operation: str, shortcut: shortcuts.Shortcut) -> shortcuts.Shortcut:
        async def noting(request: Request) -> Response:
            response = await shortcut(request)
            taken.append(operation)
            return response

        return noting

    for operation, shortcut in shortcuts.SHORTCUTS.items():
        monkeypatch.setitem(shortcuts.SHORTCUTS, operation, note(operation, shortcut))
    client.post(f"{GAME}/answers?way=noted", json=ANSWER)
    client.get(f"{GAME}~0.1?way=noted")
    assert taken == ["answerSession", "getSession"]
