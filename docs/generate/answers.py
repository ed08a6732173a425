"""The responses in `bullscows_web/api/examples.json`, recorded from a running server.

Parts that differ from server to server or from day to day are replaced by constants.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import httpx

from bullscows_web.api.openapi import EXAMPLES, Example, examples, operations
from bullscows_web.main import create_app

DAY = "2026-11-21"
"""The date in the examples of daily puzzles, and the day when matches expire."""
MATCH, TOKEN = "kexeejbqjurzxuo2vur2a4s7h5tru", "V6LCZtSKSQgHtToPgO5tig"
"""The id of a match and the token of a player in the examples; real ones are random."""
SERVER = "http://127.0.0.1:8000"
"""The server in the examples."""

GAME: tuple[tuple[str, str, object], ...] = (
    ("", "createMatch", {"rules": "p4c10n", "secret": "0123", "name": "Ada"}),
    ("", "joinMatch", {"secret": "4567", "name": "Bob"}),
    ("creator", "guessMatch", {"guess": "0189", "turn": 1}),
    ("guest", "guessMatch", {"guess": "1230", "turn": 1}),
    ("creator", "guessMatch", {"guess": "4567", "turn": 2}),
    ("guest", "guessMatch", {"guess": "1203", "turn": 2}),
)
"""A match: who sends which request, with which body."""

dumps = partial(json.dumps, ensure_ascii=True)


@dataclass(frozen=True)
class Addresses:
    """The URLs of the API's operations."""

    server: str
    templates: dict[str, tuple[str, str]]
    """Method and path of each operation."""

    @classmethod
    def of(cls, server: str, document: dict[str, Any]) -> Addresses:
        """Read the URLs from the OpenAPI document."""
        found = operations(document)
        return cls(server, {one["operationId"]: (method, path) for path, method, one in found})

    def ask(self, example: Example) -> tuple[int, Any]:
        """Send the request of an example; return status and response, shortened as shown."""
        id, tokens = self._played(example.played)
        path = address(example, self.templates[example.operation][1]).replace(MATCH, id)
        headers = _proof(tokens.get(example.by))
        headers |= {name: str(uuid4()) for name in example.header}  # a new key for each request
        status, text = self._send(example.operation, path, example.body, headers)
        return status, _cut(example, text)

    def _played(self, count: int) -> tuple[str, dict[str, str]]:
        """Play the first requests of a match; return its id and the tokens."""
        id = MATCH
        tokens = dict[str, str]()
        for by, operation, body in GAME[:count]:
            path = self.templates[operation][1].replace("{id}", id)
            answer = json.loads(self._send(operation, path, body, _proof(tokens.get(by)))[1])
            id = answer["id"]
            if "player" in answer:
                tokens[answer["you"]["player"]] = answer["player"]
        return id, tokens

    def _send(
        self,
        operation: str,
        path: str,
        body: object,
        headers: dict[str, str],
    ) -> tuple[int, str]:
        method = self.templates[operation][0]
        url = self.server + path
        response = httpx.request(method, url, json=body, headers=headers, timeout=60)
        return response.status_code, response.text


def address(example: Example, template: str) -> str:
    """Return path and query of a request, given the path of its operation."""
    path = template.format_map({name: quote(text) for name, text in example.path.items()})
    return f"{path}?{urlencode(example.query)}" if example.query else path


def _cut(example: Example, response: str) -> Any:
    """Return a JSON response as it is shown: with long lists cut and chance replaced."""
    if example.is_dated:
        response = re.sub(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", DAY, response)
    document = json.loads(response)
    if "better_than" in document:  # it depends on who played before
        document |= {"distribution": [0, 1, 3, 9, 14, 5], "better_than": 59.375}
    if "invite" in document:
        document = json.loads(_without_chance(response, document))
    return document | {name: document[name][:count] for name, count in example.shown.items()}


def _without_chance(text: str, match: dict[str, Any]) -> str:
    """Replace what differs from match to match."""
    server = match["invite"].partition("/match/")[0]
    for old, new in ((server, SERVER), (match["id"], MATCH), (match.get("player", TOKEN), TOKEN)):
        text = text.replace(old, new)
    return re.sub(r"[0-9-]{10}T[0-9:]{8}Z", f"{DAY}T12:00:00Z", text)


def _proof(token: str | None) -> dict[str, str]:
    """Return the header with the token of a player, if there is one."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def write(server: str) -> None:
    """Send all requests of the examples to a server and store the responses."""
    addresses = Addresses.of(server, create_app().openapi())
    listed = {
        operation: [_entry(example, *addresses.ask(example)) for example in some]
        for operation, some in examples().items()
    }
    EXAMPLES.write_text(_text(listed), encoding="utf-8")
    examples.cache_clear()


def _entry(example: Example, status: int, answer: Any) -> dict[str, Any]:
    request = {
        "title": example.title,
        "path": example.path,
        "query": example.query,
        "header": example.header,
        "body": example.body,
        "shown": example.shown,
        "is_dated": example.is_dated or None,
        "played": example.played or None,
        "by": example.by or None,
    }
    stated = {name: value for name, value in request.items() if value not in ({}, None)}
    return stated | {"status": status, "response": answer}


def _text(listed: dict[str, list[dict[str, Any]]]) -> str:
    """Return the file: JSON with a line for each field of an example."""
    operations_of = (f"{dumps(name)}: [{_lines(some)}]" for name, some in listed.items())
    return "{\n" + ",\n".join(operations_of).replace("\x7f", "\\u007f") + "\n}\n"


def _lines(entries: list[dict[str, Any]]) -> str:
    fields = (",\n  ".join(f"{dumps(k)}: {dumps(v)}" for k, v in one.items()) for one in entries)
    return ", ".join(f"{{\n  {one}}}" for one in fields)
