"""From an exception to the answer: a problem document or a page, and a line in the log.

Under `/api` an error is an RFC 9457 problem document; elsewhere it is a page, unless the visitor
accepts no HTML.  Details come from the exceptions' own messages, which quote what a visitor wrote
only as a short `repr`; nothing here repeats a request.
"""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from bullscows_web.web.caching import NOT_KEPT
from bullscows_web.web.errors.pages import error_page
from bullscows_web.web.errors.problems import FORESEEN, Problem, ProblemError, Refusal, describe

logger = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Make `app` answer every error that somebody foresaw."""
    for kind in (*FORESEEN, HTTPException):
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
    if isinstance(error, (ProblemError, Refusal)):
        error.count(request.app.state.metrics)
    wanted = wants_document(request)
    response = document(problem) if wanted else error_page(request, problem, error)
    response.headers.update(problem.headers)
    response.headers["Cache-Control"] = NOT_KEPT
    return response


def wants_document(request: Request) -> bool:
    """Whether an error is to be told as a problem document rather than as a page."""
    path, accepted = request.url.path, request.headers.get("accept", "*/*")
    if path == "/api" or path.startswith("/api/"):
        return True
    return "json" in accepted and "html" not in accepted


def document(problem: Problem) -> Response:
    """Return a problem as RFC 9457 has it."""
    return Response(
        problem.document.model_dump_json(exclude_none=True),
        problem.status,
        media_type="application/problem+json",
    )


def last_resort(request: Request, error: Exception) -> Response:
    """Return the answer to an error that may come from rendering errors."""
    try:
        return respond(request, error)
    except Exception:
        logger.exception("an error could not be rendered as a page")
        return document(describe(error))
