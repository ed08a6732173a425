"""The OpenAPI document: FastAPI's, with problem documents for its error model, and examples."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from threading import Lock
from typing import Any, TypeAlias

from fastapi import FastAPI

from bullscows_web.api.examples import operations, put_examples
from bullscows_web.error_responses import ProblemDocument, kinds

DESCRIPTION = """\
You think of a code, the server guesses it along a strategy tree. A tree whose `proof` is `exact`
was proved optimal by an exhaustive search. `POST /api/v1/guess` names the best guess in any other
position too, and says what is proved of it.

A session's id is its whole state. The server stores nothing, so an earlier id is undo, and a
session lasts as long as its tree does.

The code of a puzzle, `/guess/RULES/SEED` or `/guess/RULES/YYYY-MM-DD` among the pages, is public by
design: it follows from that address. It is number `n mod size` of the codes of RULES in
lexicographic order, counted from 0, where n is the SHA-256 hash of the text
`bullscows/guess/RULES/SEED`, most significant byte first. So whoever wants to can work it out, and
a result that somebody shares proves nothing: do not build contests on puzzles. The puzzle of a day
opens at midnight UTC; before that its page is a problem `not-open` with status 404.

The pages of any site may use this API: every answer allows it (`Access-Control-Allow-Origin: *`),
and no request needs credentials.

Errors are problem documents (RFC 9457). Within `/api/v1` fields may be added; none is renamed,
removed or given another meaning.
"""
TAGS = [
    {"name": "trees", "description": "Strategy trees and their nodes."},
    {"name": "sessions", "description": "Games in which the server guesses."},
    {"name": "positions", "description": "The best guess in any position of any game."},
    {"name": "codes", "description": "Codes and answers."},
    {"name": "problems", "description": "What can go wrong."},
]

_REFERENCE = "#/components/schemas/{model}"
_MEDIA_TYPE = "application/problem+json"

Responses: TypeAlias = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """Return the description of problems with these statuses, for a route's `responses`."""
    return {status: _problem(status) for status in statuses}


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": _REFERENCE.format(model=ProblemDocument.__name__)}
    return {
        "description": HTTPStatus(status).phrase,
        "content": {_MEDIA_TYPE: {"schema": schema}},
    }


def install(app: FastAPI) -> None:
    """Make `app` describe the documents that `problems` refers to, and name all kinds of them."""
    generate, lock = app.openapi, Lock()

    def openapi() -> dict[str, Any]:
        with lock:  # it is made in one thread, and may be asked for in another
            is_new = app.openapi_schema is None
            document = generate()
            if is_new:
                _complete(document)
            return document

    # The documented way to extend it; mypy can't know that an instance's method may be replaced.
    app.openapi = openapi  # type: ignore[method-assign]


def _complete(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    if ProblemDocument.__name__ not in schemas:
        schema = ProblemDocument.model_json_schema(ref_template=_REFERENCE)
        schemas |= schema.pop("$defs", {}) | {ProblemDocument.__name__: schema}
    _name_kinds(document)
    put_examples(document)


def _name_kinds(document: dict[str, Any]) -> None:
    """Say of each status which kinds of problems have it; all rooms are loaded by now."""
    for status, response in _responses(document):
        titles = [kind.title for kind in kinds() if str(kind.status) == status]
        if _MEDIA_TYPE in response.get("content", {}) and titles:
            response["description"] = "; or: ".join(titles)


def _responses(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for _, _, operation in operations(document):
        yield from operation["responses"].items()
