"""Errors as pages: what can't be shown, and how to go on from there."""

from __future__ import annotations

from fastapi import Request, Response

from app import doctor
from app.contexts import DoctorPage, ErrorPage, Frame
from app.daily import NoDayError, NoPuzzleError, NotOpenError
from app.errors import Problem
from app.guessing import GuessError, MalformedPuzzleError, UnknownGameError
from app.pages.advice import advice
from app.pages.compare import comparison_path
from app.pages.render import frame_of, respond
from app.position import ContradictionError, GameOverError, Position

GUESSING = (
    UnknownGameError,
    MalformedPuzzleError,
    GuessError,
    NoDayError,
    NoPuzzleError,
    NotOpenError,
)
"""The errors of addresses below `/guess`."""


def error_page(request: Request, problem: Problem, error: Exception) -> Response:
    """Render an error; a contradiction in a game becomes the page that looks for the wrong answer.

    Trees are only looked at: there an answer that nobody gives is an address of no node.
    """
    frame = frame_of(request, "")
    section = "trees" if frame.path.startswith(("/trees/", "/compare/")) else ""
    if isinstance(error, ContradictionError) and not section:
        refused = error.position.entry.rules.answers[error.answer]
        page = DoctorPage(error.position, refused, doctor.repairs(error))
        return respond(request, "play/doctor.html", page, section="play", status=problem.status)
    reason = problem.type.rpartition("/")[2] if "/" in problem.type else str(problem.status)
    detail = advice(frame.language, request, reason, error)
    way_on = None
    if isinstance(error, (ContradictionError, GameOverError)):
        way_on = _way_on(request, frame, error.position)
    elif isinstance(error, GUESSING):
        section = "guess"
        way_on = frame.url("/guess"), frame.language.gettext("Choose what to guess")
    failure = ErrorPage(problem.status, reason, detail, way_on)
    return respond(request, "home/error.html", failure, section=section, status=problem.status)


def _way_on(request: Request, frame: Frame, last: Position) -> tuple[str, str]:
    """Return the link to the last state that exists on the way to one that does not."""
    _ = frame.language.gettext
    if frame.path.startswith("/compare/"):
        first, second = request.path_params["first"], request.path_params["second"]
        path = comparison_path(first, second, "-".join(last.parts[2:]))
        return frame.url(path), _("Compare the trees where their games last are")
    if frame.path.startswith("/trees/"):
        node = last.before(last.turn) if last.is_finished else last
        return frame.node(node), _("Open the last node on the way")
    return frame.position(last), _("See how it ended")
