"""What may be wrong when no answer fits: the page behind "None of these fits"."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app import doctor
from app.contexts import DoctorPage
from app.deps import IN_TURN, PositionDep
from app.pages.pegs import chosen
from app.pages.render import frame_of, respond
from app.position import ContradictionError, Position
from engine.game.rules import AnswerIndex, CodeError

router = APIRouter(dependencies=[IN_TURN])


@router.get("/play/{tree}/{token}/none")
@router.get("/play/{tree}/{token}/{answers}/none")
def show(
    request: Request,
    position: PositionDep,
    answer: Annotated[str, Query(max_length=20)] = "",
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Look for the earlier answers that may be wrong, because none of the offered ones fits.

    Whoever says which answer is right for the guess on the board gets a shorter list, and whoever
    says the secret gets the wrong answers.  A game that has ended offers no answer, and one that
    is offered after all can just be given: both lead to the game.
    """
    if position.is_finished:
        return _to_game(request, position)
    if answer:
        return _told(request, position, position.entry.rules.parse_answer(answer))
    if pegs := chosen(request, position.entry.rules):
        return RedirectResponse(frame_of(request, "play").doubt(position, secret=pegs), 303)
    page = _diagnosis(position, secret.strip())
    status = 422 if page.secret_error else 200
    return respond(request, "play/doctor.html", page, section="play", status=status, lasting=True)


def _to_game(request: Request, position: Position) -> Response:
    return RedirectResponse(frame_of(request, "play").position(position), 303)


def _told(request: Request, position: Position, answer: AnswerIndex) -> Response:
    try:
        return _to_game(request, position.after(answer))
    except ContradictionError:
        right = position.entry.rules.answers[answer]
        page = DoctorPage(position, right, doctor.suspects(position, answer))
        return respond(request, "play/doctor.html", page, section="play", lasting=True)


def _diagnosis(position: Position, secret: str) -> DoctorPage:
    repairs, unoffered = doctor.suspects(position), doctor.unoffered(position)
    if not secret:
        return DoctorPage(position, None, repairs, unoffered)
    try:
        checks = doctor.explain(position, secret)
    except CodeError:
        return DoctorPage(position, None, repairs, unoffered, secret, secret_error=True)
    return DoctorPage(position, None, repairs, unoffered, secret, checks=checks)
