"""Documents as JSON: with an entity tag where they are read, and a session's to go on with."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request, Response
from pydantic import BaseModel

from bullscows_web.api.schemas import AnswerGiven, Session
from bullscows_web.trees.position import GamePosition
from bullscows_web.web.caching import kept
from bullscows_web.web.dependencies import count_guess

PREFIX = "/api/v1"
JSON = "application/json"


def cacheable(request: Request, version: str, make: Callable[[], BaseModel]) -> Response:
    """Return what `make` makes with an entity tag, or 304 if the client has it already."""
    return kept(request, version, lambda: written(make()), JSON)


def written(document: BaseModel) -> bytes:
    """Return a document as JSON.

    DEL, base-92 digit 91, is escaped: JSON allows it bare, but not every tool lets it through.
    """
    return document.model_dump_json().replace("\x7f", "\\u007f").encode()


def answered(request: Request, position: GamePosition, given: AnswerGiven) -> Response:
    """Return the session after an answer; raise `ContradictionError` if no code gives it."""
    answer = position.entry.rules.answer_index(given.bulls, given.cows)
    return to_play(request, position.after(answer), 200)


def to_play(request: Request, position: GamePosition, status: int) -> Response:
    """Return a session to go on with, whose guess counts; as text, which nobody validates again."""
    if not position.is_finished:
        count_guess(request, position.entry.name)
    headers = {"Location": f"{PREFIX}/sessions/{position.id}"}
    return Response(written(Session.of(position)), status, headers, JSON)
