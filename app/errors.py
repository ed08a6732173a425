"""One table from exception to answer: status, kind of problem, log level.

Under `/api` an error is an RFC 9457 problem document; elsewhere it is a page, unless the visitor
accepts no HTML.  Details come from the exceptions' own messages, which quote what a visitor wrote
only as a short `repr`; nothing here repeats a request.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import doctor, forms
from app.caching import NOT_KEPT
from app.daily import FIRST, NoDayError, NoPuzzleError, NotOpenError
from app.guessing import MalformedPuzzleError, UnknownGameError
from app.history import History, MalformedHistoryError, mends
from app.library import UnavailableTreeError, UnknownTreeError
from app.position import ContradictionError, GameOverError, MalformedPositionError
from app.relabelling import RelabellingError
from app.schemas import Conflict, InvalidField, ProblemDocument
from app.workshop import RETRY_SECONDS as BUSY_SECONDS
from app.workshop import BusyError
from engine.analysis.analyst import InconsistentError, TooFewTurnsError
from engine.game.candidates import GameTooLargeError
from engine.game.objective import ObjectiveError
from engine.game.rules import (
    AnswerError,
    CodeError,
    RulesError,
)

logger = logging.getLogger(__name__)

PROBLEM_TYPES = "/api/v1/problems/"
RETRY_SECONDS = 600
"""When to ask again for a tree that was refused: somebody has to mend its file first."""


@dataclass(frozen=True)
class Kind:
    """A kind of problem."""

    status: int
    slug: str
    """The last part of its type's address."""
    title: str
    level: int = logging.DEBUG
    """The log level: visitors' mistakes are not news."""
    advice: str = ""
    """What a program's author can do about it."""


KINDS: Mapping[type[Exception], Kind] = {
    UnknownTreeError: Kind(
        404,
        "unknown-tree",
        "There is no such tree",
        advice="GET /api/v1/trees lists those there are",
    ),
    UnknownGameError: Kind(
        404,
        "unknown-game",
        "There is no such game",
        advice="/guess names the games that can be guessed",
    ),
    NoPuzzleError: Kind(
        404,
        "no-puzzle",
        "This day has no puzzle",
        advice="ask for a later day",
    ),
    NotOpenError: Kind(
        404,
        "not-open",
        "This puzzle is not open yet",
        advice="days are those of UTC; /guess/RULES/today leads to the puzzle that opened last",
    ),
    ContradictionError: Kind(
        409,
        "contradiction",
        "No code fits all answers",
        advice="change one of the answers under conflicts, or go back to an earlier session",
    ),
    GameOverError: Kind(
        409,
        "game-over",
        "The game is over",
        advice="go back to an earlier session, or start another with POST /api/v1/sessions",
    ),
    InconsistentError: Kind(
        409,
        "inconsistent-turns",
        "No code fits all turns",
        advice="change one of the answers under conflicts",
    ),
    TooFewTurnsError: Kind(
        409,
        "too-few-turns",
        "No strategy finds every code in time",
        advice="allow more turns, or leave max_turns out",
    ),
    MalformedPositionError: Kind(
        422, "malformed-position", "This is not a position", advice=forms.SESSION.wanted
    ),
    RelabellingError: Kind(
        422, "malformed-relabelling", "This is not a relabelling", advice=forms.TOKEN.wanted
    ),
    MalformedHistoryError: Kind(
        422,
        "malformed-history",
        "These are not turns of a game",
        advice="write guess:answer with - between turns, as in 0123:0.1-4567:1.1",
    ),
    ObjectiveError: Kind(
        422,
        "malformed-objective",
        "This can't be minimised",
        advice="average is the fewest turns in all; last and movers need max_turns",
    ),
    GameTooLargeError: Kind(
        422,
        "game-too-large",
        "This game is too large",
        advice="ask for a game of fewer codes; the command line solves larger ones",
    ),
    MalformedPuzzleError: Kind(
        422,
        "malformed-puzzle",
        "This is not a puzzle",
        advice="write rules/seed, and guesses with - between them, as in p4c10n/k3f9/0123-4567",
    ),
    NoDayError: Kind(
        422,
        "no-day",
        "There is no such day",
        advice=f"write year-month-day, from {FIRST} to today, as in p4c10n/{FIRST}",
    ),
    AnswerError: Kind(
        422,
        "impossible-answer",
        "There is no such answer",
        advice="a session lists the answers that are possible",
    ),
    CodeError: Kind(
        422,
        "malformed-code",
        "This is not a code",
        advice="the rules say how many symbols a code has, which, and whether they repeat",
    ),
    RulesError: Kind(
        422,
        "malformed-rules",
        "These are not rules",
        advice="p4c10n is Bulls & Cows, p4c6r is Mastermind",
    ),
    RequestValidationError: Kind(
        422,
        "invalid-request",
        "The request is not well formed",
        advice="/openapi.json describes every request",
    ),
    UnavailableTreeError: Kind(
        503,
        "tree-unavailable",
        "This tree can't be played",
        logging.WARNING,
        advice="play another until its file is put right on the server",
    ),
    BusyError: Kind(
        503,
        "busy",
        "Too many are waiting",
        advice="ask again after the seconds of Retry-After",
    ),
    Exception: Kind(
        500,
        "internal-error",
        "Something went wrong here",
        logging.ERROR,
        advice="if it happens again, the server's log says why",
    ),
}

NOTHING_HERE = "There is nothing at this address; /openapi.json lists those of the API."


@dataclass(frozen=True)
class Problem:
    """What is told about an error."""

    status: int
    type: str
    title: str
    detail: str
    level: int = logging.DEBUG
    headers: Mapping[str, str] = field(default_factory=dict)
    conflicts: list[Conflict] | None = None
    """Of a contradiction: the answers that could be wrong, most plausible first."""
    errors: list[InvalidField] | None = None
    """Of an invalid request: what is wrong where."""


ErrorPage: TypeAlias = Callable[[Request, Problem, Exception], Response]
"""Renders an error as a page."""


def install(app: FastAPI, error_page: ErrorPage) -> None:
    """Make `app` answer every error by the table; pages are rendered by `error_page`."""
    app.state.error_page = error_page
    for kind in (*KINDS, HTTPException):
        if kind is not Exception:
            app.add_exception_handler(kind, respond)


def respond(request: Request, error: Exception) -> Response:
    """Return the answer to a request that ended in `error`."""
    problem = describe(error)
    logger.log(
        problem.level,
        "%s %r: %d %s",
        request.method,
        request.url.path[:200],
        problem.status,
        problem.detail,
        exc_info=error if problem.level >= logging.ERROR else None,
    )
    if isinstance(error, ContradictionError):
        request.app.state.metrics.count_contradiction(error.position)
    if wants_document(request):
        response = _document(problem)
    else:
        response = request.app.state.error_page(request, problem, error)
    response.headers.update(problem.headers)
    response.headers["Cache-Control"] = NOT_KEPT
    return response


def wants_document(request: Request) -> bool:
    """Whether an error is to be told as a problem document rather than as a page."""
    path, accepted = request.url.path, request.headers.get("accept", "*/*")
    if path == "/api" or path.startswith("/api/"):
        return True
    return "json" in accepted and "html" not in accepted


def describe(error: Exception) -> Problem:
    """Return what to tell about `error`."""
    if isinstance(error, HTTPException):
        return _describe_http(error)
    kind = next(KINDS[base] for base in type(error).__mro__ if base in KINDS)
    # The message of an unforeseen error is for the log, not for the visitor.
    detail = str(error) if kind.status != 500 else "the error has been logged"
    headers: dict[str, str] = {}
    conflicts = errors = None
    if isinstance(error, RequestValidationError):
        errors = _fields(error)
        detail = "; ".join(f"{item.field}: {item.message}" for item in errors)
    elif isinstance(error, ContradictionError):
        conflicts = [Conflict.of(found, found.position.id) for found in doctor.repairs(error)]
    elif isinstance(error, InconsistentError):
        conflicts = [Conflict.of(found) for found in mends(History(error.rules, error.history))]
    elif isinstance(error, UnavailableTreeError):
        headers["Retry-After"] = str(RETRY_SECONDS)
    elif isinstance(error, BusyError):
        headers["Retry-After"] = str(BUSY_SECONDS)
    return Problem(
        kind.status,
        PROBLEM_TYPES + kind.slug,
        kind.title,
        f"{detail}; {kind.advice}" if kind.advice else detail,
        kind.level,
        headers,
        conflicts,
        errors,
    )


def _describe_http(error: HTTPException) -> Problem:
    phrase, headers = HTTPStatus(error.status_code).phrase, error.headers or {}
    detail = error.detail
    if detail == phrase:  # nobody said more
        detail = _told_by_status(error.status_code, headers) or phrase
    return Problem(error.status_code, "about:blank", phrase, detail, headers=headers)


def _told_by_status(status: int, headers: Mapping[str, str]) -> str:
    """Return what can be said of an error that has no more than its status and headers."""
    if status == 405:
        methods = headers.get("Allow", "GET").replace("GET", "GET, HEAD").split(", ")
        return f"This address takes {' and '.join(sorted({*methods}))} only."
    return NOTHING_HERE if status == 404 else ""


def _fields(error: RequestValidationError) -> list[InvalidField]:
    """Return what is wrong where, at most ten; without the input, which may be anything."""
    return [_field(item) for item in error.errors()[:10]]


def _field(item: Mapping[str, Any]) -> InvalidField:
    if item["type"] == "json_invalid":  # its place is a number of characters, not a field
        place, reason = item["loc"][-1], item["ctx"]["error"]
        return InvalidField.of(("body",), f"this is not JSON, at character {place}: {reason}")
    said = None
    if item["type"] == "string_pattern_mismatch":
        said = forms.complaint(item["ctx"]["pattern"], item["input"])
    return InvalidField.of(item["loc"], said or item["msg"])


def _document(problem: Problem) -> Response:
    document = ProblemDocument(
        type=problem.type,
        title=problem.title,
        status=problem.status,
        detail=problem.detail,
        conflicts=problem.conflicts,
        errors=problem.errors,
    )
    return Response(
        document.model_dump_json(exclude_none=True),
        problem.status,
        media_type="application/problem+json",
    )


class ErrorBoundary:
    """Turns an error that nobody foresaw into a 500, inside the middleware that adds headers.

    Starlette's own last resort stands outside all middleware, so its answer would lack them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; answer for the application if it fails before it has begun to."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception as error:
            if started:
                raise
            await _last_resort(Request(scope), error)(scope, receive, send)


def _last_resort(request: Request, error: Exception) -> Response:
    """Return the answer to an error that may come from rendering errors."""
    try:
        return respond(request, error)
    except Exception:
        logger.exception("an error could not be rendered as a page")
        return _document(describe(error))
