"""Errors as pages: what can't be shown, where it is wrong, and how to go on from there.

Problem documents tell programs the exceptions' own messages, in English.  People get a sentence of
the catalogue.  Errors of the rooms bring theirs (`ProblemError.advice`); what is said of the others
stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

from bullscows.game.candidates import MAX_CODES
from bullscows_web.language.catalogues import Language
from bullscows_web.language.words import answer_form, quoted
from bullscows_web.server.settings import MAX_BODY, MAX_URL
from bullscows_web.web.errors.problems import Problem, ProblemError
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond


@dataclass(frozen=True)
class ErrorPage:
    """Something that can't be shown."""

    status: int
    """The HTTP status."""
    reason: str
    """Which of the messages of the template applies."""
    detail: str
    """Where it is wrong and what to do, in the page's language."""
    way_on: tuple[str, str] | None = None
    """The URL where to go on, and what to call it, if the error knows."""


def error_page(request: Request, problem: Problem, error: Exception) -> Response:
    """Render an error on the page of all errors, or on the one of its own that it brings."""
    frame = frame_of(request, "")
    section = "trees" if frame.path.startswith(("/trees/", "/compare/")) else ""
    reason = problem.slug or str(problem.status)
    way_on = None
    if isinstance(error, ProblemError):
        own = error.page(request)
        if own is not None:
            return own
        section = error.section or section
        detail = error.advice(frame.language, request)
        way_on = error.way_on(frame, request)
    elif isinstance(error, RequestValidationError):
        detail = " ".join(_invalid_field(frame.language, item) for item in error.errors()[:3])
    else:
        detail = _advice(frame.language).get(reason, "")
    page = ErrorPage(problem.status, reason, detail, way_on)
    return respond(request, "_layout/error.html", page, section=section, status=problem.status)


def _advice(language: Language) -> dict[str, str]:
    """Return what is said of all requests that fail for the same reason."""
    _, number = language.gettext, language.integer
    return {
        "impossible-answer": answer_form(language),
        "game-too-large": _("Games of at most %(number)s codes are analysed here.")
        % {"number": number(MAX_CODES)},
        "400": _("A request names its host once, and by a name to which this server answers."),
        "403": _("This request was made by the page of another site."),
        "404": _("Check the address, or go on from one of these pages."),
        "405": _("Pages can only be asked for; nothing can be sent to them."),
        "413": _("What is sent here may have at most %(number)s bytes.")
        % {"number": number(MAX_BODY)},
        "414": _("An address here may have at most %(number)s characters.")
        % {"number": number(MAX_URL)},
    }


def _invalid_field(language: Language, item: Mapping[str, Any]) -> str:
    """Return what is wanted of a part of the address, by what the validation found."""
    _ = language.gettext
    said = {
        "string_too_long": _("%(name)s takes at most %(limit)s characters."),
        "greater_than_equal": _("%(name)s is a number, at least %(limit)s."),
        "less_than_equal": _("%(name)s is a number, at most %(limit)s."),
        "int_parsing": _("%(name)s is a number, written in digits."),
        "bool_parsing": _("%(name)s is either on or off."),
    }.get(item["type"], _("%(name)s is not of the kind that is asked for."))
    limits = item.get("ctx", {})
    limit = next((limits[key] for key in ("max_length", "ge", "le") if key in limits), "")
    return said % {"name": quoted(language, str(item["loc"][-1])), "limit": limit}
