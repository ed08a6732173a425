"""Kinds of problems: the status of each, its title, and what a program's author can do about it.

An error of a room is a `ProblemError`, which names its kind and whatever else is to be told.  The
engine knows nothing of all this, so the kinds of its errors stand here in a table.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from bullscows.analysis.findings import TooFewTurnsError
from bullscows.errors import EngineError
from bullscows.game.candidates import GameTooLargeError
from bullscows.game.objective import ObjectiveError
from bullscows.game.rules import AnswerError, CodeError, RulesError
from bullscows_web.language.catalogues import Language
from bullscows_web.web import text_patterns
from bullscows_web.web.errors.documents import Conflict, InvalidField, ProblemDocument
from bullscows_web.web.html.frame import Frame

if TYPE_CHECKING:
    from bullscows_web.web.metrics import Metrics, RequestRefusal

PROBLEM_TYPES = "/api/v1/problems/"

NOTHING_HERE = "There is nothing at this address; /openapi.json lists those of the API."


@dataclass(frozen=True)
class Kind:
    """A kind of problem."""

    status: int
    slug: str
    """The last part of its type's address."""
    title: str
    advice: str
    """What a program's author can do about it."""
    level: int = logging.DEBUG
    """The log level: visitors' mistakes are not news."""
    retry_seconds: int | None = None
    """When to ask again, if that helps."""


MALFORMED_CODE = Kind(
    422,
    "malformed-code",
    "This is not a code",
    "the rules say how many symbols a code has, which, and whether they repeat",
)
IMPOSSIBLE_ANSWER = Kind(
    422,
    "impossible-answer",
    "There is no such answer",
    "a session lists the answers that are possible",
)
INTERNAL_ERROR = Kind(
    500,
    "internal-error",
    "Something went wrong here",
    "if it happens again, the server's log says why",
    logging.ERROR,
)

KINDS: Mapping[type[Exception], Kind] = {
    TooFewTurnsError: Kind(
        409,
        "too-few-turns",
        "No strategy finds every code in time",
        "allow more turns, or leave max_turns out",
    ),
    ObjectiveError: Kind(
        422,
        "malformed-objective",
        "This can't be minimised",
        "average is the fewest turns in all; last and movers need max_turns",
    ),
    GameTooLargeError: Kind(
        422,
        "game-too-large",
        "This game is too large",
        "ask for a game of fewer codes",
    ),
    AnswerError: IMPOSSIBLE_ANSWER,
    CodeError: MALFORMED_CODE,
    RulesError: Kind(
        422,
        "malformed-rules",
        "These are not rules",
        "p4c10n is Bulls & Cows, p4c6r is Mastermind",
    ),
    RequestValidationError: Kind(
        422,
        "invalid-request",
        "The request is not well formed",
        "/openapi.json describes every request",
    ),
    Exception: INTERNAL_ERROR,
}
"""The kinds of errors that are not our own."""


class ProblemError(Exception):
    """An error of one of the rooms, which says itself how it is told."""

    kind: ClassVar[Kind]
    section: ClassVar[str] = ""
    """The part of the site to which it belongs."""

    @property
    def retry_seconds(self) -> int | None:
        """When to ask again, if that helps."""
        return self.kind.retry_seconds

    def conflicts(self) -> list[Conflict] | None:
        """Return the answers that could be wrong, most plausible first; None if it is no such."""
        return None

    def count(self, metrics: Metrics) -> None:
        """Count it, if its kind is counted."""

    def advice(self, _language: Language, _request: Request) -> str:
        """Return what people are told beside the title: where it is wrong, and what to do."""
        return ""

    def way_on(self, _frame: Frame, _request: Request) -> tuple[str, str] | None:
        """Return the URL where to go on, and what to call it."""
        return None

    def page(self, _request: Request) -> Response | None:
        """Return a page of its own, if it is not told on that of all errors."""
        return None


class FieldError(Exception):
    """An error of the engine, and the field of a request's body that it lies in."""

    def __init__(self, place: tuple[str | int, ...], error: EngineError) -> None:
        super().__init__(str(error))
        self.error = error
        self.field = InvalidField.of(("body", *place), str(error))


@contextmanager
def field_of_body(*place: str | int, errors: tuple[type[EngineError], ...]) -> Iterator[None]:
    """Say of these errors in which field of the body they lie."""
    try:
        yield
    except errors as error:
        raise FieldError(place, error) from None


class Refusal(HTTPException):
    """A request that is not served, whatever it asks for.

    Parameters
    ----------
    reason
        What it is counted by.
    status, detail
        As of every HTTP error.
    """

    def __init__(self, reason: RequestRefusal, status: int, detail: str) -> None:
        super().__init__(status, detail)
        self._reason = reason

    def count(self, metrics: Metrics) -> None:
        """Count it."""
        metrics.count_refusal(self._reason)


@dataclass(frozen=True)
class Problem:
    """What is told about an error."""

    status: int
    slug: str
    """The last part of its type's address; empty if the status says all."""
    title: str
    detail: str
    level: int = logging.DEBUG
    headers: Mapping[str, str] = field(default_factory=dict)
    conflicts: list[Conflict] | None = None
    """Of a contradiction: the answers that could be wrong, most plausible first."""
    errors: list[InvalidField] | None = None
    """Of an invalid request: what is wrong where."""

    @property
    def type(self) -> str:
        """The address of its type."""
        return PROBLEM_TYPES + self.slug if self.slug else "about:blank"

    @property
    def document(self) -> ProblemDocument:
        """The problem as RFC 9457 has it."""
        return ProblemDocument(
            type=self.type,
            title=self.title,
            status=self.status,
            detail=self.detail,
            conflicts=self.conflicts,
            errors=self.errors,
        )


FORESEEN: tuple[type[Exception], ...] = (
    ProblemError,
    FieldError,
    *(error for error in KINDS if error is not Exception),
)
"""The errors of which `describe` tells more than that there was one."""


def kinds() -> list[Kind]:
    """Return all kinds of problems, those of the rooms that are loaded included, by slug."""
    found = {kind.slug: kind for kind in (*KINDS.values(), *_kinds_of(ProblemError))}
    return [kind for _, kind in sorted(found.items())]


def _kinds_of(error: type[ProblemError]) -> Iterator[Kind]:
    for child in error.__subclasses__():
        if "kind" in vars(child):
            yield child.kind
        yield from _kinds_of(child)


def describe(error: Exception) -> Problem:
    """Return what to tell about `error`."""
    if isinstance(error, HTTPException):
        return _describe_http(error)
    if isinstance(error, FieldError):
        problem, field = describe(error.error), error.field
        return replace(problem, detail=f"{field.field}: {problem.detail}", errors=[field])
    own = error if isinstance(error, ProblemError) else None
    kind = own.kind if own else next(KINDS[base] for base in type(error).__mro__ if base in KINDS)
    retry = own.retry_seconds if own else kind.retry_seconds
    errors = _fields(error) if isinstance(error, RequestValidationError) else None
    if errors is not None:
        detail = "; ".join(f"{item.field}: {item.message}" for item in errors)
    else:  # the message of an unforeseen error is for the log, not for the visitor
        detail = "the error has been logged" if kind is INTERNAL_ERROR else str(error)
    return Problem(
        kind.status,
        kind.slug,
        kind.title,
        f"{detail}; {kind.advice}",
        kind.level,
        {} if retry is None else {"Retry-After": str(retry)},
        own.conflicts() if own else None,
        errors,
    )


def _describe_http(error: HTTPException) -> Problem:
    phrase, headers = HTTPStatus(error.status_code).phrase, error.headers or {}
    detail = error.detail
    if detail == phrase:  # nobody said more
        detail = _told_by_status(error.status_code, headers) or phrase
    return Problem(error.status_code, "", phrase, detail, headers=headers)


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
        said = text_patterns.complaint(item["ctx"]["pattern"], item["input"])
    return InvalidField.of(item["loc"], said or item["msg"])
