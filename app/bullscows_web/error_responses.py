"""Responses to exceptions: a problem document (RFC 9457) for programs, a page for people.

`KINDS` is the one table: it gives each exception its status, its slug and what is said about it.
Documents quote the exception's own message; pages use the translated texts of the table.  Messages
quote what a visitor wrote only as a short `repr`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, TypeAlias

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from bullscows.analysis.findings import TooFewTurnsError
from bullscows.game.candidates import MAX_CODES, Correction, Mistake, corrections
from bullscows.game.history import History, InconsistentError
from bullscows.game.objective import ObjectiveError
from bullscows.game.responses import GameTooLargeError
from bullscows.game.rules import Answer, AnswerError, CodeError, RulesError
from bullscows_web.guess.daily import FIRST
from bullscows_web.guess.puzzle import MAX_GUESSES, MAX_SEED
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.language.catalogues import Language
from bullscows_web.language.titles import N_
from bullscows_web.language.words import answer_form, game_name, quoted
from bullscows_web.play.pages import WrongAnswersPage
from bullscows_web.server.secret_key import SecretKeyError
from bullscows_web.server.settings import MAX_BODY, MAX_URL
from bullscows_web.trees.corrections import contradiction_corrections, corrected
from bullscows_web.trees.links import Links
from bullscows_web.trees.position import MAX_TEXT, ContradictionError, GameOverError
from bullscows_web.web import text_patterns
from bullscows_web.web.caching import NOT_KEPT
from bullscows_web.web.errors import (
    RETRY_SECONDS,
    BrokenStateError,
    BusyError,
    FieldError,
    MalformedError,
    NotFoundError,
    NotOpenError,
    OtherGameError,
    OutOfTimeError,
    RefusedError,
    UnavailableError,
)
from bullscows_web.web.html import rendering
from bullscows_web.web.html.frame import Frame, frame_of
from bullscows_web.web.metrics import Metrics

logger = logging.getLogger(__name__)

PROBLEM_TYPES = "/api/v1/problems/"


# -- the table ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """A kind of problem."""

    status: int
    slug: str
    """The last part of the address of its type; empty if the status says all."""
    title: str
    advice: str = ""
    """What the author of a client can do about it."""
    heading: str = ""
    """The heading of the page, to be translated."""
    text: str = ""
    """What else the page says, to be translated and filled in by `_values`."""
    level: int = logging.DEBUG
    """The log level."""
    retry_seconds: int | None = None
    """The `Retry-After` header."""


Key: TypeAlias = type[Exception] | tuple[type[Exception], str]
"""An exception, or an exception with its `what`."""

ILL_FORMED = N_("This address is not well formed.")

KINDS: Mapping[Key, Kind] = {
    (NotFoundError, "tree"): Kind(
        404,
        "unknown-tree",
        "There is no such tree",
        "GET /api/v1/trees lists those there are",
        N_("There is no such tree."),
        N_("No tree is called %(name)s. The page of the trees names them all."),
    ),
    (NotFoundError, "game"): Kind(
        404,
        "unknown-game",
        "There is no such game",
        "/guess names the games that can be guessed",
        N_("There is no such game."),
        N_("No tree here plays %(name)s."),
    ),
    (NotFoundError, "puzzle"): Kind(
        404,
        "no-puzzle",
        "This day has no puzzle",
        f"the first puzzle is that of {FIRST}",
        N_("This day has no puzzle."),
        N_("The first puzzle is that of %(day)s."),
    ),
    (NotFoundError, "level"): Kind(
        422,
        "unknown-level",
        "This game has no such level",
        "leave the level out, or choose one on the page of the game's duels",
        "",
        N_("Choose one of the levels that are listed for %(game)s."),
    ),
    NotOpenError: Kind(
        404,
        "not-open",
        "This puzzle is not open yet",
        "days are those of UTC; /guess/RULES/today leads to the puzzle that opened last",
        N_("This puzzle has not opened yet."),
        N_(
            "The puzzle of %(day)s opens at %(time)s UTC that day. Days are those of UTC, so "
            "everybody gets the same puzzle at the same moment."
        ),
    ),
    (MalformedError, "answer"): Kind(
        422,
        "impossible-answer",
        "There is no such answer",
        "a session lists the answers that are possible",
        N_("There is no such answer in this game."),
        N_(
            "%(answer)s is not an answer of this game: bulls and cows add up to at most %(most)d, "
            "and %(bulls)d.1 does not occur."
        ),
    ),
    AnswerError: Kind(
        422,
        "impossible-answer",
        "There is no such answer",
        "a session lists the answers that are possible",
        N_("There is no such answer in this game."),
    ),
    CodeError: Kind(
        422,
        "malformed-code",
        "This is not a code",
        "the rules say how many symbols a code has, which, and whether they repeat",
        ILL_FORMED,
    ),
    RulesError: Kind(
        422,
        "malformed-rules",
        "These are not rules",
        "p4c10n is Bulls & Cows, p4c6r is Mastermind",
        ILL_FORMED,
    ),
    (MalformedError, "position"): Kind(
        422,
        "malformed-position",
        "This is not a position",
        text_patterns.SESSION.wanted,
        ILL_FORMED,
        N_("The answers in an address take at most %(characters)s characters."),
    ),
    (MalformedError, "relabelling"): Kind(
        422,
        "malformed-relabelling",
        "This is not a relabelling",
        text_patterns.TOKEN.wanted,
        ILL_FORMED,
        N_(
            "The part after the name of the tree says how digits and places are shuffled. "
            "%(part)s says nothing of the kind; 0 leaves them as they are."
        ),
    ),
    (MalformedError, "history"): Kind(
        422,
        "malformed-history",
        "These are not turns of a game",
        "write guess:answer with - between turns, as in 0123:0.1-4567:1.1",
    ),
    (MalformedError, "day"): Kind(
        422,
        "no-day",
        "There is no such day",
        f"write year-month-day, from {FIRST} to today, as in p4c10n/{FIRST}",
        N_("The calendar has no such day."),
        N_("A day is written as year-month-day, as in %(first)s."),
    ),
    (MalformedError, "puzzle"): Kind(
        422,
        "malformed-puzzle",
        "This is not a puzzle",
        "write rules/seed, and guesses with - between them, as in p4c10n/k3f9/0123-4567",
        ILL_FORMED,
        N_(
            "A puzzle is named by at most %(seed)s small letters and digits, and at most "
            "%(guesses)s guesses follow."
        ),
    ),
    (MalformedError, "duel"): Kind(
        422,
        "malformed-duel",
        "These are not the moves of a duel",
        "moves are your guesses and your answers in turn, as in 0123-0.1-4567",
        ILL_FORMED,
        N_(
            "After the encrypted part come your guesses and your answers in turn, with hyphens "
            "between them, for example 0123-0.1-4567. You answer each of my guesses once."
        ),
    ),
    (MalformedError, "turns"): Kind(
        422,
        "malformed-turns",
        "These are not the turns of a game",
        "turns are guesses, as in 0123-4567; against the dodging keeper guesses with their"
        " answers, as in 0123:0.1-1456:1.1",
        "",
        N_(
            "The game of a friend is written as guesses with hyphens between them, as in 0123-4567;"
            " a game against the dodging keeper as guesses with their answers, as in"
            " 0123:0.1-1456:1.1. Some code has to fit all answers, and nothing follows the end."
        ),
    ),
    (MalformedError, "fields"): Kind(
        422,
        "conflicting-fields",
        "These fields can't be told together",
        "leave out guesses or candidates_only: prices are those of a game in which all codes may "
        "be guessed",
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
        "",
        N_("Games of at most %(codes)s codes are analysed here."),
    ),
    RequestValidationError: Kind(
        422,
        "invalid-request",
        "The request is not well formed",
        "/openapi.json describes every request",
        ILL_FORMED,
    ),
    BrokenStateError: Kind(
        422,
        "broken-seal",
        "This seal does not open",
        "copy the whole address; seals of other servers, or of a lost key, don't open here",
        N_("This link is damaged."),
        N_(
            "The long part of the address is the hidden code, encrypted. It was cut short or "
            "changed, or it comes from another server: copy the whole link again, or ask for a "
            "new one."
        ),
    ),
    OtherGameError: Kind(
        422,
        "sealed-for-another-game",
        "The seal belongs to another game",
        "copy the whole address: the game before the seal is part of it",
        N_("This link belongs to another game."),
        N_("The address names %(named)s, but the encrypted code in it belongs to %(game)s."),
    ),
    ContradictionError: Kind(
        409,
        "contradiction",
        "No code fits all answers",
        "change one of the answers under corrections, or go back to an earlier session",
        N_("The games of this tree never come to these answers."),
    ),
    GameOverError: Kind(
        409,
        "game-over",
        "The game is over",
        "go back to an earlier session, or start another with POST /api/v1/sessions",
        N_("This game is over already."),
        N_("These answers find the code %(code)s at turn %(turn)d, and nothing comes after that."),
    ),
    InconsistentError: Kind(
        409,
        "inconsistent-turns",
        "No code fits all turns",
        "change one of the answers under corrections",
    ),
    TooFewTurnsError: Kind(
        409,
        "too-few-turns",
        "No strategy finds every code in time",
        "allow more turns, or leave max_turns out",
    ),
    (UnavailableError, "tree"): Kind(
        503,
        "tree-unavailable",
        "This tree can't be played",
        "play another until its file is put right on the server",
        N_("This tree is not available: its file is damaged."),
        N_("The other trees play on, and nothing of your game is lost."),
        logging.WARNING,
        600,
    ),
    (UnavailableError, "jobs"): Kind(
        503,
        "jobs-unreadable",
        "The list of jobs can't be read",
        "ask again later; the server's log says why",
        N_("The list of long searches is not available now."),
        N_("The work itself goes on. Look again in a minute."),
        logging.WARNING,
        60,
    ),
    SecretKeyError: Kind(
        503,
        "no-seal-key",
        "This server can't seal codes",
        "its operator gives it a key or a state folder that it can write to",
        N_("This server has no secret key."),
        N_(
            "Duels need a secret key, which the server could not read or store; its log says why. "
            "All other games work."
        ),
        logging.ERROR,
        600,
    ),
    BusyError: Kind(
        503,
        "busy",
        "Too many are waiting",
        "ask again after the seconds of Retry-After",
        N_("Too many requests at once."),
        N_("Reload the page in a few seconds."),
        retry_seconds=RETRY_SECONDS,
    ),
    OutOfTimeError: Kind(
        503,
        "time-over",
        "There was no time left for this position",
        "ask about it again, with fewer others",
        retry_seconds=RETRY_SECONDS,
    ),
    Exception: Kind(
        500,
        "internal-error",
        "Something went wrong here",
        "if it happens again, the server's log says why",
        level=logging.ERROR,
    ),
}

LOGGED: Mapping[type[Exception], str] = {
    SecretKeyError: "this server has no key to seal with; its log says why",
    Exception: "the error has been logged",
}
"""What clients are told instead of a message that is for the log only."""

STATUSES: Mapping[int, tuple[str, str]] = {
    400: (
        N_("There is no such server here."),
        N_("A request names its host once, and by a name to which this server answers."),
    ),
    403: (
        N_("This request was refused."),
        N_("This request was made by the page of another site."),
    ),
    404: (
        N_("There is nothing here."),
        N_("Check the address, or go on from one of these pages."),
    ),
    405: (
        N_("This can only be read."),
        N_("Pages can only be asked for; nothing can be sent to them."),
    ),
    413: (N_("This is too long."), N_("What is sent here may have at most %(body)s bytes.")),
    414: (N_("This is too long."), N_("An address here may have at most %(url)s characters.")),
}
"""The heading and the text of pages about errors that have no more than a status."""

EXPECTED: tuple[type[Exception], ...] = (
    FieldError,
    *{key[0] if isinstance(key, tuple) else key: None for key in KINDS if key is not Exception},
)
"""The exceptions that `describe` explains."""


def kinds() -> list[Kind]:
    """Return all kinds of problems, by slug."""
    found = {kind.slug: kind for kind in KINDS.values()}
    return [kind for _, kind in sorted(found.items())]


def kind_of(error: Exception) -> Kind:
    """Return the kind of an exception, by its class and its `what`, or by a base class."""
    what = getattr(error, "what", None)
    if what and (kind := KINDS.get((type(error), what))):
        return kind
    return next(KINDS[base] for base in type(error).__mro__ if base in KINDS)


# -- documents ---------------------------------------------------------------------------------


class Outcome(BaseModel):
    """An answer, in numbers and as text."""

    answer: str = Field(examples=["1.2"])
    bulls: int
    cows: int

    @classmethod
    def of(cls, answer: Answer) -> Outcome:
        """Describe an answer."""
        return cls(answer=str(answer), bulls=answer.bulls, cows=answer.cows)


class CorrectionDocument(BaseModel):
    """A change of one answer that makes the turns consistent."""

    turn: int
    guess: str
    given: Outcome
    instead: Outcome
    mistake: Mistake = Field(description="How the two answers may have been confused.")
    remaining: int = Field(description="Codes that fit the corrected turns.")
    session: str | None = Field(
        default=None,
        description="Session right after the corrected turn; null for `POST /guess`.",
    )

    @classmethod
    def of(cls, found: Correction, session: str | None = None) -> CorrectionDocument:
        """Return the document of a correction, with the session after it if there is one."""
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
    """What is wrong with one part of a request."""

    field: str = Field(examples=["body.bulls"])
    message: str

    @classmethod
    def of(cls, place: Sequence[str | int], message: str) -> InvalidField:
        """Describe a finding of the validation, cutting names and values that clients chose."""
        return cls(field=".".join(str(part)[:40] for part in place), message=message[:300])


class ProblemDocument(BaseModel):
    """An error, as RFC 9457 has it."""

    type: str = Field(examples=["/api/v1/problems/contradiction"])
    title: str
    status: int
    detail: str
    corrections: list[CorrectionDocument] | None = Field(
        default=None,
        description="Of a contradiction: changes of one answer that resolve it, most plausible "
        "first.",
    )
    errors: list[InvalidField] | None = Field(
        default=None, description="Of an invalid request: what is wrong where."
    )


@dataclass(frozen=True)
class Problem:
    """An error, with the kind that it is of."""

    kind: Kind
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    corrections: list[CorrectionDocument] | None = None
    """Of a contradiction: changes of one answer that resolve it, most plausible first."""
    errors: list[InvalidField] | None = None
    """Of an invalid request: what is wrong where."""

    @property
    def document(self) -> ProblemDocument:
        """The problem as RFC 9457 has it."""
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
    """Return the problem that an exception is."""
    if isinstance(error, HTTPException):
        return _describe_http(error)
    if isinstance(error, FieldError):
        problem, place = describe(error.error), InvalidField.of(("body", *error.place), str(error))
        return replace(problem, detail=f"{place.field}: {problem.detail}", errors=[place])
    kind, errors = kind_of(error), None
    detail = next((LOGGED[key] for key in LOGGED if KINDS[key] is kind), str(error))
    if isinstance(error, RequestValidationError):
        errors = [_field(item) for item in error.errors()[:10]]
        detail = "; ".join(f"{item.field}: {item.message}" for item in errors)
    retry = error.retry_seconds if isinstance(error, BusyError) else kind.retry_seconds
    headers = {} if retry is None else {"Retry-After": str(retry)}
    return Problem(kind, f"{detail}; {kind.advice}", headers, _corrections(error), errors)


def _describe_http(error: HTTPException) -> Problem:
    phrase, headers = HTTPStatus(error.status_code).phrase, error.headers or {}
    heading, text = STATUSES.get(error.status_code, ("", ""))
    detail = error.detail
    if detail == phrase:  # Starlette's default
        detail = _default_detail(error.status_code, headers) or phrase
    return Problem(Kind(error.status_code, "", phrase, "", heading, text), detail, headers)


def _default_detail(status: int, headers: Mapping[str, str]) -> str:
    if status == 405:
        methods = headers.get("Allow", "GET").replace("GET", "GET, HEAD").split(", ")
        return f"This address takes {' and '.join(sorted({*methods}))} only."
    nothing = "There is nothing at this address; /openapi.json lists those of the API."
    return nothing if status == 404 else ""


def _corrections(error: Exception) -> list[CorrectionDocument] | None:
    """Return the corrections of a contradiction; None for other errors."""
    if isinstance(error, ContradictionError):
        found = contradiction_corrections(error.position, error.answer)
        return [CorrectionDocument.of(one, corrected(error.position, one).id) for one in found]
    if isinstance(error, InconsistentError) and error.rules:
        return list(map(CorrectionDocument.of, corrections(History(error.rules, error.turns))))
    return None


def _field(item: Mapping[str, Any]) -> InvalidField:
    """Describe what is wrong with a field, without the input, which may be anything."""
    if item["type"] == "json_invalid":  # its place is a number of characters, not a field
        place, reason = item["loc"][-1], item["ctx"]["error"]
        return InvalidField.of(("body",), f"this is not JSON, at character {place}: {reason}")
    message = None
    if item["type"] == "string_pattern_mismatch":
        message = text_patterns.complaint(item["ctx"]["pattern"], item["input"])
    return InvalidField.of(item["loc"], message or item["msg"])


# -- responses ---------------------------------------------------------------------------------


def install(app: FastAPI) -> None:
    """Make `app` answer expected exceptions."""
    for kind in (*EXPECTED, HTTPException):
        app.add_exception_handler(kind, respond)


def respond(request: Request, error: Exception) -> Response:
    """Return the response to a request that raised `error`; log and count the error."""
    problem = describe(error)
    logger.log(
        problem.kind.level,
        "%s %r: %d %s",
        request.method,
        request.url.path[:200],
        problem.kind.status,
        problem.detail,
        exc_info=error if problem.kind.level >= logging.ERROR else None,
    )
    count(error, request.app.state.metrics)
    wanted = wants_document(request)
    response = document(problem) if wanted else error_page(request, problem, error)
    response.headers.update(problem.headers)
    response.headers["Cache-Control"] = NOT_KEPT
    return response


def last_resort(request: Request, error: Exception) -> Response:
    """Return the response to an unexpected exception, or to one that error pages raise."""
    try:
        return respond(request, error)
    except Exception:
        logger.exception("an error could not be rendered as a page")
        return document(describe(error))


def count(error: Exception, metrics: Metrics) -> None:
    """Count an error that has a counter."""
    if isinstance(error, ContradictionError):
        metrics.count_contradiction(error.position.entry.name)
    elif isinstance(error, RefusedError):
        metrics.count_refusal(error.reason)
    elif isinstance(error, BusyError):
        metrics.count_refusal(error.wanted)
    elif isinstance(error, OutOfTimeError):
        metrics.count_refusal("time")


def wants_document(request: Request) -> bool:
    """Return whether the client gets a problem document rather than a page."""
    path, accepted = request.url.path, request.headers.get("accept", "*/*")
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
    """Something that can't be shown."""

    status: int
    heading: str
    detail: str
    """What is wrong and what to do about it."""
    way_on: tuple[str, str] | None
    """A URL to continue with, and the text of its link."""


def error_page(request: Request, problem: Problem, error: Exception) -> Response:
    """Return the page about an error."""
    frame, kind = frame_of(request, ""), problem.kind
    section = {"compare": "trees"}.get(first := frame.path.split("/")[1], first)
    if isinstance(error, ContradictionError) and section == "play":
        return _wrong_answers(request, error, kind.status)
    language = frame.language
    page = ErrorPage(
        kind.status, _heading(language, kind), _text(language, kind, error), _way_on(request, error)
    )
    section = section if section in ("trees", "guess", "duel") else ""
    return rendering.respond(
        request, "_layout/error.html", page, section=section, status=kind.status
    )


def _wrong_answers(request: Request, error: ContradictionError, status: int) -> Response:
    answer = error.position.entry.rules.answers[error.answer]
    found = contradiction_corrections(error.position, error.answer)
    page = WrongAnswersPage(error.position, answer, found)
    template = "play/wrong_answers.html"
    return rendering.respond(request, template, page, section="play", status=status)


def _heading(language: Language, kind: Kind) -> str:
    if kind.heading:
        return language.gettext(kind.heading)
    if kind.status < 500:
        return language.gettext("This request cannot be answered.")
    return language.gettext("Something went wrong here. It has been noted.")


def _text(language: Language, kind: Kind, error: Exception) -> str:
    if isinstance(error, GuessError):
        return f"{quoted(language, error.text)}: {error.told(language)}"
    if isinstance(error, ContradictionError):
        return _contradiction(language, error)
    if isinstance(error, RequestValidationError):
        return " ".join(_invalid_field(language, item) for item in error.errors()[:3])
    text = language.gettext(kind.text) % _values(language, error) if kind.text else ""
    if kind.slug == "impossible-answer":
        text = f"{text} {answer_form(language)}".strip()
    return text


def _values(language: Language, error: Exception) -> dict[str, object]:
    """Return what the texts of `KINDS` and `STATUSES` mention."""
    limits = {
        "characters": MAX_TEXT,
        "seed": MAX_SEED,
        "guesses": MAX_GUESSES,
        "codes": MAX_CODES,
        "body": MAX_BODY,
        "url": MAX_URL,
    }
    values: dict[str, object] = {name: language.integer(each) for name, each in limits.items()}
    values |= {"first": FIRST, "day": language.day(FIRST)}
    match error:
        case NotFoundError(name=name, rules=rules):
            values["name"] = quoted(language, name)
            values["game"] = game_name(language, rules) if rules else ""
        case MalformedError(text=text, rules=rules):
            values["answer"] = values["part"] = quoted(language, text)
            if rules:
                values |= {"most": rules.positions, "bulls": rules.positions - 1}
        case NotOpenError(day=day, opens=opens):
            values |= {"day": language.day(day), "time": f"{opens:%H:%M}"}
        case OtherGameError(named=named, sealed=sealed):
            values |= {"named": quoted(language, named), "game": game_name(language, sealed)}
        case GameOverError(position=position):
            values |= {"code": position.guess, "turn": position.turn}
    return values


def _contradiction(language: Language, error: ContradictionError) -> str:
    position = error.position
    text = language.ngettext(
        "At turn %(turn)d %(name)s guesses %(guess)s. The only code left does not answer "
        "%(answer)s.",
        "At turn %(turn)d %(name)s guesses %(guess)s. None of the %(number)s codes left "
        "answers %(answer)s.",
        position.remaining,
    )
    return text % {
        "turn": position.turn,
        "name": position.entry.name,
        "guess": position.guess,
        "number": language.integer(position.remaining),
        "answer": quoted(language, str(position.entry.rules.answers[error.answer])),
    }


def _invalid_field(language: Language, item: Mapping[str, Any]) -> str:
    """Return what a part of the address should be, by what the validation found."""
    _ = language.gettext
    text = {
        "string_too_long": _("%(name)s takes at most %(limit)s characters."),
        "greater_than_equal": _("%(name)s is a number, at least %(limit)s."),
        "less_than_equal": _("%(name)s is a number, at most %(limit)s."),
        "int_parsing": _("%(name)s is a number, written in digits."),
        "bool_parsing": _("%(name)s is either on or off."),
    }.get(item["type"], _("%(name)s is not of the kind that is asked for."))
    limits = item.get("ctx", {})
    limit = next((limits[key] for key in ("max_length", "ge", "le") if key in limits), "")
    return text % {"name": quoted(language, str(item["loc"][-1])), "limit": limit}


def _way_on(request: Request, error: Exception) -> tuple[str, str] | None:
    """Return the URL of a page to continue with, and the text of its link."""
    frame = frame_of(request, "")
    _ = frame.language.gettext
    if isinstance(error, (ContradictionError, GameOverError)):
        return _last_position(request, frame, error)
    if isinstance(error, (HTTPException, RequestValidationError, BusyError)):
        return None
    if isinstance(error, NotFoundError) and error.rules:
        return frame.url(f"/duel/{error.rules}"), _("Choose the level")
    if frame.path.startswith("/guess/"):
        return frame.url("/guess"), _("Choose what to guess")
    if frame.path.startswith("/duel/"):
        return frame.url("/duel"), _("Begin a duel")
    return None


def _last_position(
    request: Request, frame: Frame, error: ContradictionError | GameOverError
) -> tuple[str, str]:
    """Return the last state that exists on the way to one that does not."""
    _, last, links = frame.language.gettext, error.position, Links(frame)
    if frame.path.startswith("/compare/"):
        first, second = request.path_params["first"], request.path_params["second"]
        url = links.comparison(first, second, "-".join(last.parts[2:]))
        return url, _("Compare the trees where their games last are")
    if frame.path.startswith("/trees/"):
        node = last.before(last.turn) if last.is_finished else last
        return links.node(node), _("Open the last node on the way")
    return links.position(last), _("See how it ended")
