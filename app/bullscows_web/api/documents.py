"""JSON responses: cacheable documents and sessions."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request, Response
from pydantic import BaseModel
from pydantic_core import to_json

from bullscows_web.api.schemas import Session
from bullscows_web.trees.position import GamePosition
from bullscows_web.web.caching import kept
from bullscows_web.web.dependencies import count_guess

PREFIX = "/api/v1"
JSON = "application/json"


def cacheable(request: Request, version: str, make: Callable[[], BaseModel]) -> Response:
    """Return the document with an entity tag, or 304 without calling `make`."""
    return kept(request, version, lambda: written(make()), JSON)


def written(document: BaseModel) -> bytes:
    """Return a document as JSON.

    DEL, base-92 digit 91, is escaped: JSON allows it bare, but some tools strip it.
    """
    return to_json(document).replace(b"\x7f", b"\\u007f")


def to_play(request: Request, position: GamePosition, status: int) -> Response:
    """Return a session, already serialised, and count its guess."""
    if not position.is_finished:
        count_guess(request, position.entry.name)
    session = Session.of(position)
    headers = {"Location": f"{PREFIX}/sessions/{session.id}"}
    return Response(written(session), status, headers, JSON)
