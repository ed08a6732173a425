"""Errors as pages: what can't be shown, and how to go on from there."""

from __future__ import annotations

from fastapi import Request, Response

from app import doctor
from app.contexts import DoctorPage, ErrorPage
from app.errors import Problem
from app.pages.advice import advice
from app.pages.render import frame_of, respond
from app.position import ContradictionError, GameOverError


def error_page(request: Request, problem: Problem, error: Exception) -> Response:
    """Render an error; a contradiction becomes the page that looks for the wrong answer."""
    if isinstance(error, ContradictionError):
        refused = error.position.entry.rules.answers[error.answer]
        page = DoctorPage(error.position, refused, doctor.repairs(error))
        return respond(request, "doctor.html", page, section="play", status=problem.status)
    position = error.position if isinstance(error, GameOverError) else None
    reason = problem.type.rpartition("/")[2] if "/" in problem.type else str(problem.status)
    detail = advice(frame_of(request, "").language, request, reason, error)
    failure = ErrorPage(problem.status, reason, detail, position)
    return respond(request, "error.html", failure, status=problem.status)
