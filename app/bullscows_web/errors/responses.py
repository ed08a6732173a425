"""Responses to exceptions: a problem document (RFC 9457) for programs, a page for people.

`bullscows_web.errors.kinds` says what each exception means.  Documents quote the exception's own
message; pages have the texts of `templates/error/words.html`.  Messages quote input only as a short
`repr`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from http import HTTPStatus
from typing import Any, ClassVar

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from bullscows.game.history import MAX_CODES, InconsistentError
from bullscows.game.rules import MAX_POSITIONS, MAX_SYMBOLS, Rules, RulesError
from bullscows_web.errors.kinds import EXPECTED, Kind, kind_of
from bullscows_web.guess.daily import FIRST
from bullscows_web.guess.puzzle import MAX_GUESSES, MAX_SEED
from bullscows_web.play.pages import WrongAnswersPage
from bullscows_web.server.invalid_values import complaint
from bullscows_web.server.settings import MAX_BODY, MAX_URL
from bullscows_web.trees.corrections import contradiction_corrections, corrected
from bullscows_web.trees.links import Links
from bullscows_web.trees.position import MAX_TEXT, ContradictionError, GameOverError
from bullscows_web.web import text_patterns
from bullscows_web.web.caching import NOT_KEPT, NotModifiedError
from bullscows_web.web.documents import CorrectionDocument, InvalidField, ProblemDocument
from bullscows_web.web.errors import (
    BusyError,
    FieldError,
    NotFoundError,
    OutOfTimeError,
    RefusedError,
    SearchStoppedError,
)
from bullscows_web.web.html import rendering
from bullscows_web.web.html.frame import Frame, frame_of
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.middleware import HEADERS

logger = logging.getLogger(__name__)

PROBLEM_TYPES = "/api/v1/problems/"
CLIENT_GONE = 499
"""Status of a request whose client has closed the connection; only logs and metrics show it."""


# -- documents ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """A kind of problem, with the details of one error."""

    kind: Kind
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    corrections: list[CorrectionDocument] | None = None
    """The answers that might be wrong in a contradiction, most plausible first."""
    errors: list[InvalidField] | None = None
    """The invalid parts of a request."""

    @property
    def document(self) -> ProblemDocument:
        """The problem document."""
        slug = self.kind.slug
        return ProblemDocument(
            type=PROBLEM_TYPES + slug if slug else "about:blank",
            title=self.kind.title,
            status=self.kind.status,
            detail=self.detail,
            corrections=self.corrections,
            errors=self.errors,
        )


def describe(error: Exception) -> Problem:
    """Return the problem that an exception stands for."""
    if isinstance(error, HTTPException):
        return _describe_http(error)
    if isinstance(error, FieldError):
        problem = describe(error.error)
        place = InvalidField.of(("body", *error.place), str(error))
        return replace(problem, detail=f"{place.field}: {problem.detail}", errors=[place])
    kind = kind_of(error)
    errors = None
    detail = kind.detail or str(error)
    if isinstance(error, RequestValidationError):
        errors = [_field(item) for item in error.errors()[:10]]
        detail = "; ".join(f"{item.field}: {item.message}" for item in errors)
    retry = error.retry_seconds if isinstance(error, BusyError) else kind.retry_seconds
    headers = {} if retry is None else {"Retry-After": str(retry)}
    if kind.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Problem(kind, f"{detail}; {kind.advice}", headers, _corrections(error), errors)


def _describe_http(error: HTTPException) -> Problem:
    phrase = HTTPStatus(error.status_code).phrase
    headers = error.headers or {}
    detail = error.detail
    if detail == phrase:  # Starlette's default
        detail = _default_detail(error.status_code, headers) or phrase
    return Problem(Kind(error.status_code, "", phrase), detail, headers)


def _default_detail(status: int, headers: Mapping[str, str]) -> str:
    if status == 405:
        methods = sorted(headers.get("Allow", "GET").split(", "))
        others = f"{', '.join(methods[:-1])} and " if methods[1:] else ""
        return f"This address takes {others}{methods[-1]} only."
    if status == 413:
        return f"A request's body here has at most {MAX_BODY} bytes."
    nothing = "There is nothing at this address; see /openapi.json for the API."
    return nothing if status == 404 else ""


def _corrections(error: Exception) -> list[CorrectionDocument] | None:
    """Return the answers that might be wrong; None if the error is no contradiction."""
    if isinstance(error, ContradictionError):
        found = contradiction_corrections(error.position, error.answer)
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
    return InvalidField.of(item["loc"], message or complaint(item))


# -- responses ---------------------------------------------------------------------------------


def install(app: FastAPI) -> None:
    """Make `app` answer all exceptions."""
    for kind in (*EXPECTED, HTTPException):
        app.add_exception_handler(kind, respond)
    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(NotModifiedError, not_modified)
    app.add_exception_handler(Exception, last_resort)


def respond(request: Request, error: Exception) -> Response:
    """Return the response to a request that raised `error`; log and count the error."""
    problem = describe(error)
    level = logging.getLevelNamesMapping()[problem.kind.level]
    logger.log(
        level,
        "%s %r: %d %s",
        request.method,
        request.url.path[:200],
        problem.kind.status,
        problem.detail,
        exc_info=error if level >= logging.ERROR else None,
    )
    count(error, request.app.state.metrics)
    wanted = wants_document(request)
    response = document(problem) if wanted else error_page(request, problem, error)
    response.headers.update(problem.headers)
    response.headers["Cache-Control"] = NOT_KEPT
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
        response = respond(request, error)
    except Exception:
        logger.exception("an error could not be rendered as a page")
        response = document(describe(error))
    response.headers.update(HEADERS)
    return response


def count(error: Exception, metrics: Metrics) -> None:
    """Count an error that has a counter."""
    if isinstance(error, ContradictionError):
        metrics.count_contradiction(error.position.entry.name)
    elif isinstance(error, RefusedError):
        metrics.count_refusal(error.reason)
    elif isinstance(error, BusyError):
        metrics.count_refusal("often" if error.what == "address" else error.what)
    elif isinstance(error, SearchStoppedError):
        metrics.count_refusal("stopped")
    elif isinstance(error, OutOfTimeError):
        metrics.count_refusal("time")


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


@dataclass(frozen=True)
class ErrorPage:
    """An error as a page."""

    kind: Kind
    error: Exception
    way_on: tuple[str, str] | None
    """A URL to continue with, and the text of its link."""
    limits: ClassVar[Mapping[str, int]] = {
        "characters": MAX_TEXT,
        "seed": MAX_SEED,
        "guesses": MAX_GUESSES,
        "codes": MAX_CODES,
        "body": MAX_BODY,
        "url": MAX_URL,
        "positions": MAX_POSITIONS,
        "symbols": MAX_SYMBOLS,
    }
    first: ClassVar[date] = FIRST
    """The day of the first puzzle."""

    @property
    def is_damaged_link(self) -> bool:
        """Whether the id of a match in the address is none, for example cut short."""
        if not isinstance(self.error, RequestValidationError):
            return False
        return any(item["loc"] == ("path", "id") for item in self.error.errors())

    @property
    def is_no_game(self) -> bool:
        """Whether the address has a name that no game can have."""
        if isinstance(self.error, NotFoundError) and self.error.what == "game":
            return _is_no_game(self.error.name)
        return isinstance(self.error, RulesError)

    @property
    def status(self) -> int:
        """The status of the response; only pages of errors show one."""
        return self.kind.status


def _is_no_game(name: str) -> bool:
    try:
        Rules.parse(name)
    except RulesError:
        return True
    return False


def error_page(request: Request, problem: Problem, error: Exception) -> Response:
    """Return the page about an error."""
    frame = frame_of(request, "")
    kind = problem.kind
    first = frame.path.removeprefix("/").partition("/")[0]  # the path of `OPTIONS *` has no slash
    section = {"compare": "trees"}.get(first, first)
    if isinstance(error, ContradictionError) and section == "play":
        return _wrong_answers(request, error, kind.status)
    page = ErrorPage(kind, error, _way_on(request, error))
    section = section if section in ("trees", "guess", "duel", "match") else ""
    return rendering.respond(request, "error/page.html", page, section=section, status=kind.status)


def _wrong_answers(request: Request, error: ContradictionError, status: int) -> Response:
    answer = error.position.entry.rules.answers[error.answer]
    found = contradiction_corrections(error.position, error.answer)
    page = WrongAnswersPage(error.position, answer, found)
    template = "play/wrong_answers.html"
    return rendering.respond(request, template, page, section="play", status=status)


def _way_on(request: Request, error: Exception) -> tuple[str, str] | None:
    """Return the URL of a page to continue with, and the text of its link."""
    frame = frame_of(request, "")
    _ = frame.language.gettext
    if isinstance(error, (ContradictionError, GameOverError)):
        return _last_position(request, frame, error)
    if isinstance(error, (HTTPException, RequestValidationError, BusyError, SearchStoppedError)):
        return None
    if isinstance(error, NotFoundError) and error.rules:
        return frame.url(f"/duel/{error.rules}"), _("Choose the level")
    if frame.path.startswith("/guess/"):
        return frame.url("/guess"), _("Choose what to guess")
    if frame.path.startswith("/duel/"):
        return frame.url("/duel"), _("Begin a duel")
    if frame.path.startswith("/match/"):
        return frame.url("/match"), _("Start a match")
    return None


def _last_position(
    request: Request, frame: Frame, error: ContradictionError | GameOverError
) -> tuple[str, str]:
    """Return the link to the last reachable state of the address."""
    _ = frame.language.gettext
    last = error.position
    links = Links(frame)
    if frame.path.startswith("/compare/"):
        first = request.path_params["first"]
        second = request.path_params["second"]
        url = links.comparison(first, second, "-".join(last.parts[2:]))
        return url, _("Compare the trees at the last position that exists")
    if frame.path.startswith("/trees/"):
        node = last.before(last.turn) if last.is_finished else last
        return links.node(node), _("Open the last node on the way")
    return links.position(last), _("See how it ended")
