"""The OpenAPI document: FastAPI's, with our problem documents in place of its error model."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeAlias

from fastapi import FastAPI

from app.errors import KINDS
from app.schemas import ProblemDocument

_REFERENCE = "#/components/schemas/{model}"

Responses: TypeAlias = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """Return the description of problems with these statuses, for a route's `responses`."""
    return {status: _problem(status) for status in statuses}


def _problem(status: int) -> dict[str, Any]:
    titles = [kind.title for kind in KINDS.values() if kind.status == status]
    schema = {"$ref": _REFERENCE.format(model=ProblemDocument.__name__)}
    return {
        "description": "; or: ".join(titles) or HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": schema}},
    }


def install(app: FastAPI) -> None:
    """Make `app` describe the documents that `problems` refers to."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        document = generate()
        schemas = document["components"]["schemas"]
        if ProblemDocument.__name__ not in schemas:
            schema = ProblemDocument.model_json_schema(ref_template=_REFERENCE)
            schemas |= schema.pop("$defs", {}) | {ProblemDocument.__name__: schema}
        return document

    # The documented way to extend it; mypy can't know that an instance's method may be replaced.
    app.openapi = openapi  # type: ignore[method-assign]
