"""Examples of API requests and their responses.

`examples.json` has a list of examples for each operation.  The requests are written by hand.
`make pages` records the responses of a server, and a test compares them with a server's again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

FILE = Path(__file__).with_name("examples.json")
DAY = "2026-11-21"
"""The date in the examples of daily puzzles, and the day when matches expire."""
MATCH, TOKEN = "kexeejbqjurzxuo2vur2a4s7h5tru", "V6LCZtSKSQgHtToPgO5tig"
"""The id of a match and the token of a player in the examples; real ones are random."""
SERVER = "http://127.0.0.1:8000"
"""The server in the examples."""


@dataclass(frozen=True)
class Example:
    """A request and its response."""

    operation: str
    title: str
    response: Any
    status: int = 200
    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    header: dict[str, str] = field(default_factory=dict)
    body: Any = None
    shown: dict[str, int] = field(default_factory=dict)
    """Maximum length of long lists in the response."""
    is_dated: bool = False
    """Whether the response contains today's date, which is replaced by `DAY`."""
    played: int = 0
    """How many requests of a match are sent before, to make it what the example needs."""
    by: str = ""
    """The player whose token the request has, `creator` or `guest`."""

    @property
    def name(self) -> str:
        """Key of the example in the OpenAPI document."""
        return "-".join(self.title.lower().split())

    def address(self, template: str) -> str:
        """Return path and query of the request, given the path of its operation."""
        path = template.format_map({name: quote(text) for name, text in self.path.items()})
        return f"{path}?{urlencode(self.query)}" if self.query else path

    def cut(self, response: str) -> Any:
        """Return a JSON response as it is shown: with long lists cut and today's date replaced."""
        if self.is_dated:
            response = re.sub(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", DAY, response)
        document = json.loads(response)
        if "better_than" in document:  # it depends on who played before
            document |= {"distribution": [0, 1, 3, 9, 14, 5], "better_than": 59.375}
        if "invite" in document:
            document = json.loads(_without_chance(response, document))
        return document | {name: document[name][:count] for name, count in self.shown.items()}


def _without_chance(text: str, match: dict[str, Any]) -> str:
    """Replace what differs from match to match."""
    server = match["invite"].partition("/match/")[0]
    for old, new in ((server, SERVER), (match["id"], MATCH), (match.get("player", TOKEN), TOKEN)):
        text = text.replace(f"{old}", new)
    return re.sub(r"[0-9-]{10}T[0-9:]{8}Z", f"{DAY}T12:00:00Z", text)


@lru_cache(maxsize=1)
def examples() -> dict[str, tuple[Example, ...]]:
    """Return the examples by operation."""
    return {
        operation: tuple(Example(operation, **one) for one in listed)
        for operation, listed in json.loads(FILE.read_text(encoding="utf-8")).items()
    }


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and definition of each operation of an OpenAPI document."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def put_examples(document: dict[str, Any]) -> None:
    """Add the examples to the parameters, bodies and responses of an OpenAPI document."""
    for _, _, operation in operations(document):
        for example in examples().get(operation["operationId"], ()):
            _put(operation, example)


def _put(operation: dict[str, Any], example: Example) -> None:
    for parameter in operation.get("parameters", ()):
        values: dict[str, str] = getattr(example, parameter["in"])
        if parameter["name"] in values:
            _add(parameter, example, values[parameter["name"]])
    if example.body is not None:
        _add(operation["requestBody"]["content"]["application/json"], example, example.body)
    for media in operation["responses"][str(example.status)]["content"].values():
        _add(media, example, example.response)


def _add(place: dict[str, Any], example: Example, value: Any) -> None:
    shown = {"summary": example.title, "value": deepcopy(value)}  # callers may change the document
    if place.setdefault("examples", {}).setdefault(example.name, shown) is not shown:
        raise ValueError(f"two examples of {example.operation} have the title {example.title!r}")
