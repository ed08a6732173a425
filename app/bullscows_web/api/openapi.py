"""The OpenAPI document: FastAPI's, with problem documents as error model, links, and examples.

A link leads to a follow-up request: it names an operation, and the fields of the response that
supply its parameters.

`examples.json` has a list of examples for each operation.  The requests are written by hand.
`make pages` records the responses of a server, and a test compares them with a server's again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.responses import FileResponse

from bullscows_web.errors.kinds import kinds
from bullscows_web.errors.responses import ProblemDocument
from bullscows_web.web.caching import NO_CACHE
from bullscows_web.web.dependencies import SettingsDep

DESCRIPTION = Path(__file__).with_name("description.md").read_text(encoding="utf-8")
_PARTS = json.loads(Path(__file__).with_name("openapi.json").read_text(encoding="utf-8"))
"""Tags, and the links of responses by what these describe."""
TAGS = _PARTS["tags"]

PREFIX = "/api/v1"
"""Path of the API."""

_MEDIA_TYPE = "application/problem+json"

Responses: TypeAlias = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """Return the `responses` of a route for problems with these statuses."""
    schema = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}
    content = {_MEDIA_TYPE: {"schema": schema}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }


BAD_BODY = problems(400, 403, 413, 422)
"""Problems of every request with a body."""


def operation_id(route: APIRoute) -> str:
    """Return the name of a route's function in the style of OpenAPI: `listTrees`."""
    first, *words = route.name.split("_")
    return first + "".join(map(str.capitalize, words))


def install(app: FastAPI) -> None:
    """Add problem documents, problem types and examples to the OpenAPI document of `app`."""
    generate = app.openapi
    lock = Lock()

    def openapi() -> dict[str, Any]:
        with lock:  # requests are served by several threads
            is_new = app.openapi_schema is None
            document = generate()
            if is_new:
                _complete(document)
            return document

    # The documented way to extend the schema; mypy forbids to replace the method of an instance.
    app.openapi = openapi  # type: ignore[method-assign]


def _complete(document: dict[str, Any]) -> None:
    """Describe each status by the problem types that have it, and add the examples."""
    for _, _, operation in operations(document):
        for status, response in operation["responses"].items():
            titles = [kind.title for kind in kinds() if str(kind.status) == status]
            if _MEDIA_TYPE in response.get("content", {}) and titles:
                response["description"] = "; or: ".join(titles)
        for example in examples().get(operation["operationId"], ()):
            _put(operation, example)


def leads_on(described: str, status: int = 200) -> Responses:
    """Return the `responses` of a route with the links of what its response describes."""
    return {status: {"links": _PARTS["links"][described]}}


router = APIRouter()


@router.get("/docs")
async def docs(settings: SettingsDep) -> FileResponse:
    """Return the API for people: Swagger UI from our own files.

    FastAPI's page loads scripts from another host and runs one inline; the content policy forbids
    both.
    """
    page = settings.static_dir / "docs" / "page.html"
    return FileResponse(page, headers={"Cache-Control": NO_CACHE})


# -- examples ----------------------------------------------------------------------------------

EXAMPLES = Path(__file__).with_name("examples.json")


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
    """Whether the response contains today's date, which is replaced."""
    played: int = 0
    """How many requests of a match are sent before, to make it what the example needs."""
    by: str = ""
    """The player whose token the request has, `creator` or `guest`."""

    @property
    def name(self) -> str:
        """Key of the example in the OpenAPI document."""
        return "-".join(self.title.lower().split())


@lru_cache(maxsize=1)
def examples() -> dict[str, tuple[Example, ...]]:
    """Return the examples by operation."""
    return {
        operation: tuple(Example(operation, **one) for one in listed)
        for operation, listed in json.loads(EXAMPLES.read_text(encoding="utf-8")).items()
    }


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and definition of each operation of an OpenAPI document."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


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
