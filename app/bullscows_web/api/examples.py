"""The examples of the API: requests, and what the server answered to them.

`examples.json` has a list for each operation.  Requests are written by hand; `make pages` asks a
server for the answers and writes them beside, and a test asks again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from bullscows_web.api.documents import JSON

FILE = Path(__file__).with_name("examples.json")


@dataclass(frozen=True)
class Example:
    """A request, and its answer."""

    operation: str
    title: str
    response: Any
    status: int = 200
    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    shown: dict[str, int] = field(default_factory=dict)
    """Of lists that are long, how many items are shown, from the first."""

    @property
    def name(self) -> str:
        """The name among the examples of a place in the OpenAPI document."""
        return "-".join(self.title.lower().split())

    def address(self, template: str) -> str:
        """Return path and query of the request for the path of its operation."""
        path = template.format_map({name: quote(text) for name, text in self.path.items()})
        return f"{path}?{urlencode(self.query)}" if self.query else path

    def cut(self, answer: Any) -> Any:
        """Return an answer as it is shown: long lists end early."""
        cuts = {name: answer[name][:count] for name, count in self.shown.items()}
        return answer | cuts if cuts else answer


@lru_cache(maxsize=1)
def examples() -> dict[str, tuple[Example, ...]]:
    """Return the examples of each operation."""
    return {
        operation: tuple(Example(operation, **one) for one in listed)
        for operation, listed in json.loads(FILE.read_text(encoding="utf-8")).items()
    }


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and description of each operation of an OpenAPI document."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def put_examples(document: dict[str, Any]) -> None:
    """Put the examples into an OpenAPI document: of parameters, bodies and answers."""
    for _, _, operation in operations(document):
        for example in examples().get(operation["operationId"], ()):
            _put(operation, example)


def _put(operation: dict[str, Any], example: Example) -> None:
    for parameter in operation.get("parameters", ()):
        values = example.path if parameter["in"] == "path" else example.query
        if parameter["name"] in values:
            _add(parameter, example, values[parameter["name"]])
    if example.body is not None:
        _add(operation["requestBody"]["content"][JSON], example, example.body)
    for media in operation["responses"][str(example.status)]["content"].values():
        _add(media, example, example.response)


def _add(place: dict[str, Any], example: Example, value: Any) -> None:
    shown = {"summary": example.title, "value": deepcopy(value)}  # whoever reads it may change it
    if place.setdefault("examples", {}).setdefault(example.name, shown) is not shown:
        raise ValueError(f"two examples of {example.operation} are called {example.title!r}")
