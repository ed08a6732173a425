"""Responses to exceptions: a problem document (RFC 9457) for programs, a page for people.

`bullscows_web.errors.kinds` says what each exception means.  Documents quote the exception's own
message; pages have the translated texts of the kinds.  Messages quote input only as a short `repr`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from bullscows.game.history import Correction, InconsistentError, Mistake
from bullscows.game.scoring import Answer
from bullscows_web.errors.kinds import EXPECTED, Kind, http_kind, kind_of
from bullscows_web.errors.pages import ErrorPage, next_links
from bullscows_web.play.pages import WrongAnswersPage
from bullscows_web.trees.position import ContradictionError, corrected, game_corrections
from bullscows_web.web import rendering, text_patterns
from bullscows_web.web.caching import NO_STORE, NotModifiedError
from bullscows_web.web.exceptions import (
    BusyError,
    FieldError,
)
from bullscows_web.web.frame import frame_of
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.middleware import HEADERS

logger = logging.getLogger(__name__)

PROBLEM_TYPES = "/api/v1/problems/"
CLIENT_GONE = 499
"""Status of a request whose client has closed the connection; only logs and metrics show it."""


# -- documents ---------------------------------------------------------------------------------


class Outcome(BaseModel):
    """An answer, as text and as numbers."""

    answer: str = Field(examples=["1.2"])
    bulls: int
    cows: int

    @classmethod
    def of(cls, answer: Answer, **others: Any) -> Self:
        """Describe an answer, with the other fields of a subclass."""
        return cls(answer=str(answer), bulls=answer.bulls, cows=answer.cows, **others)


class CorrectionDocument(BaseModel):
    """A single answer whose correction makes the history consistent."""

    turn: int
    guess: str
    given: Outcome
    instead: Outcome
    mistake: Mistake = Field(description="How the two answers might have been confused.")
    remaining: int = Field(description="Codes that fit the corrected history.")
    session: str | None = Field(
        default=None, description="The session after the corrected turn; null for `POST /guess`."
    )

    @classmethod
    def of(cls, found: Correction, session: str | None = None) -> CorrectionDocument:
        """Describe a correction; `session` is the game after it."""
        return cls(
            turn=found.turn,
            guess=found.guess,
            given=Outcome.of(found.given),
            instead=Outcome.of(found.instead),
            mistake=found.mistake,
            remaining=found.remaining,
            session=session,
        )


class InvalidField(BaseModel):
    """An invalid part of a request."""

    field: str = Field(examples=["body.bulls"])
    message: str

    @classmethod
    def of(cls, place: Sequence[str | int], message: str) -> InvalidField:
        """Describe an invalid part; names and messages are cut, because clients choose them."""
        return cls(field=".".join(str(part)[:40] for part in place), message=message[:300])


class ProblemDocument(BaseModel):
    """A problem document (RFC 9457)."""

    type: str = Field(examples=["/api/v1/problems/contradiction"])
    title: str
    status: int
    detail: str
    corrections: list[CorrectionDocument] | None = Field(
        default=None,
        description="For a contradiction: the answers that might be wrong, most plausible first.",
    )
    errors: list[InvalidField] | None = Field(
        default=None, description="For an invalid request: its invalid parts."
    )


@dataclass(frozen=True)
class Problem:
    """A kind of problem, with the document about one error and its headers."""

    kind: Kind
    document: ProblemDocument
    headers: Mapping[str, str]

    @classmethod
    def of(cls, kind: Kind, detail: str, headers: Mapping[str, str], **parts: Any) -> Problem:
        """Return a problem; `parts` are the corrections or errors of its document."""
        document = ProblemDocument(
            type=PROBLEM_TYPES + kind.slug if kind.slug else "about:blank",
            title=kind.title,
            status=kind.status,
            detail=detail,
            **parts,
        )
        return cls(kind, document, headers)


def describe(error: Exception) -> Problem:
    """Return the problem that an exception stands for."""
    if isinstance(error, HTTPException):
        kind = http_kind(error.status_code)
        headers = error.headers or {}
        detail = error.detail
        if detail == kind.title:
            detail = _default_detail(error.status_code, headers) or kind.title
        return Problem.of(kind, detail, headers)
    if isinstance(error, FieldError):
        problem = describe(error.error)
        place = InvalidField.of(("body", *error.place), str(error))
        detail = f"{place.field}: {problem.document.detail}"
        named = problem.document.model_copy(update={"detail": detail, "errors": [place]})
        return replace(problem, document=named)
    kind = kind_of(error)
    errors = None
    detail = kind.detail or str(error)
    if isinstance(error, RequestValidationError):
        errors = [_field(item) for item in error.errors()[:10]]
        detail = "; ".join(f"{item.field}: {item.message}" for item in errors)
    retry = error.retry_seconds if isinstance(error, BusyError) else kind.retry_seconds
    sent = {} if retry is None else {"Retry-After": str(retry)}
    if kind.status == 401:
        sent["WWW-Authenticate"] = "Bearer"
    found = _corrections(error)
    return Problem.of(kind, f"{detail}; {kind.advice}", sent, corrections=found, errors=errors)


def _default_detail(status: int, headers: Mapping[str, str]) -> str:
    if status == 405:
        methods = sorted(headers.get("Allow", "GET").split(", "))
        others = f"{', '.join(methods[:-1])} and " if methods[1:] else ""
        return f"This address takes {others}{methods[-1]} only."
    nothing = "There is nothing at this address; see /openapi.json for the API."
    return nothing if status == 404 else ""


def _corrections(error: Exception) -> list[CorrectionDocument] | None:
    """Return the answers that might be wrong; None if the error is no contradiction."""
    if isinstance(error, ContradictionError):
        found = game_corrections(error.position, error.answer)
        return [CorrectionDocument.of(one, corrected(error.position, one).id) for one in found]
    if isinstance(error, InconsistentError) and error.rules:
        return list(map(CorrectionDocument.of, error.corrections))
    return None


def _field(item: Mapping[str, Any]) -> InvalidField:
    """Describe an invalid field without its input, which might be anything."""
    if item["type"] == "json_invalid":  # its place is a number of characters, not a field
        place = item["loc"][-1]
        reason = item["ctx"]["error"]
        return InvalidField.of(("body",), f"this is not JSON, at character {place}: {reason}")
    if item["loc"] == ("body",) and item["type"] != "value_error":
        return InvalidField.of(("body",), "send a JSON object and Content-Type: application/json")
    message = None
    if item["type"] == "string_pattern_mismatch":
        message = text_patterns.complaint(item["ctx"]["pattern"], item["input"])
    return InvalidField.of(item["loc"], message or item["msg"].removeprefix("Value error, "))


# -- responses ---------------------------------------------------------------------------------


def install(app: FastAPI) -> None:
    """Make `app` answer all exceptions."""
    for kind in (*EXPECTED, HTTPException):
        app.add_exception_handler(kind, error_response)
    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(NotModifiedError, not_modified)
    app.add_exception_handler(Exception, last_resort)


def error_response(request: Request, error: Exception) -> Response:
    """Return the response to a request that raised `error`; log and count the error."""
    problem = describe(error)
    level = logging.getLevelNamesMapping()[problem.kind.level]
    logger.log(
        level,
        "%s %r: %d %s",
        request.method,
        request.url.path[:200],
        problem.kind.status,
        problem.document.detail,
        exc_info=error if level >= logging.ERROR else None,
    )
    count(error, request.app.state.metrics)
    wanted = wants_document(request)
    response = document(problem) if wanted else error_page(request, problem, error)
    response.headers.update(problem.headers)
    response.headers.update(NO_STORE)
    return response


def not_modified(_: Request, error: Exception) -> Response:
    """Return a 304."""
    assert isinstance(error, NotModifiedError)
    return Response(status_code=304, headers=error.headers)


def gone(_: Request, __: Exception) -> Response:
    """Return a response that nobody reads, with the status that proxies log for it."""
    return Response(status_code=CLIENT_GONE)


def last_resort(request: Request, error: Exception) -> Response:
    """Return the response to an unexpected exception, or to one that error pages raise.

    It is sent outside all middleware, and needs headers of its own.
    """
    try:
        response = error_response(request, error)
    except Exception:
        logger.exception("an error could not be rendered as a page")
        response = document(describe(error))
    response.headers.update(HEADERS)
    return response


def count(error: Exception, metrics: Metrics) -> None:
    """Count an error that has a counter."""
    if isinstance(error, ContradictionError):
        metrics.contradictions.labels(error.position.entry.name).inc()
    if refusal := getattr(error, "refusal", None):
        metrics.refusals.labels(refusal).inc()


def wants_document(request: Request) -> bool:
    """Return whether the client gets a problem document rather than a page."""
    path = request.url.path
    accepted = request.headers.get("accept", "*/*")
    if path == "/api" or path.startswith("/api/"):
        return True
    return "json" in accepted and "html" not in accepted


def document(problem: Problem) -> Response:
    """Return a problem document."""
    return Response(
        problem.document.model_dump_json(exclude_none=True),
        problem.kind.status,
        media_type="application/problem+json",
    )


# -- pages -------------------------------------------------------------------------------------


def error_page(request: Request, problem: Problem, error: Exception) -> Response:
    """Return the page about an error."""
    frame = frame_of(request)
    status = problem.kind.status
    if isinstance(error, ContradictionError) and frame.section == "play":
        refused = error.position.rules.answers[error.answer]
        found = game_corrections(error.position, error.answer)
        wrong = WrongAnswersPage(error.position, refused, found)
        template = "play/wrong_answers.html"
        return rendering.respond(request, template, wrong, status=status)
    links = next_links(request, frame, problem.kind, error)
    page = ErrorPage(problem.kind, error, frame.language, links)
    return rendering.respond(request, "error/page.html", page, status=status)
