"""The OpenAPI document: FastAPI's, with problem documents as error model, links, and examples.

A link leads to a follow-up request: it names an operation, and the fields of the response that
supply its parameters.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.responses import FileResponse

from bullscows_web.api.examples import operations, put_examples
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
    put_examples(document)


def leads_on(described: str, status: int = 200) -> Responses:
    """Return the `responses` of a route with the links of what its response describes."""
    return {status: {"links": _PARTS["links"][described]}}


router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def docs(settings: SettingsDep) -> FileResponse:
    """Return the API for people: Swagger UI from our own files.

    FastAPI's page loads scripts from another host and runs one inline; the content policy forbids
    both.
    """
    page = settings.static_dir / "docs" / "page.html"
    return FileResponse(page, headers={"Cache-Control": NO_CACHE})
