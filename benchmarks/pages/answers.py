"""The responses in `bullscows_web/api/examples.json`, recorded from a running server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bullscows_web.api.examples import FILE, Example, examples, operations
from bullscows_web.main import create_app

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
        method, path = self.templates[example.operation]
        body = None if example.body is None else dumps(example.body).encode()
        request = Request(
            self.server + example.address(path),
            body,
            {"Content-Type": "application/json"},
            method=method.upper(),
        )
        try:
            with urlopen(request, timeout=60) as response:
                return response.status, example.cut(response.read().decode())
        except HTTPError as error:
            return error.code, example.cut(error.read().decode())


def write(server: str) -> None:
    """Send all requests of the examples to a server and store the responses."""
    addresses = Addresses.of(server, create_app().openapi())
    listed = {
        operation: [_entry(example, *addresses.ask(example)) for example in some]
        for operation, some in examples().items()
    }
    FILE.write_text(_text(listed), encoding="utf-8")
    examples.cache_clear()


def _entry(example: Example, status: int, answer: Any) -> dict[str, Any]:
    request = {
        "title": example.title,
        "path": example.path,
        "query": example.query,
        "body": example.body,
        "shown": example.shown,
        "is_dated": example.is_dated or None,
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
