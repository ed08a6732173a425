"""The pages of a game: a state, and what may be wrong when no answer fits."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app import doctor
from app.contexts import DoctorPage, PlayPage
from app.deps import PositionDep
from app.pages.render import frame_of, respond
from app.position import Position
from engine.rules import CodeError

router = APIRouter()


@router.get("/play/{tree}/{token}/none")
@router.get("/play/{tree}/{token}/{answers}/none")
def doubt(
    request: Request,
    position: PositionDep,
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Look for the earlier answers that may be wrong, because none of the offered ones fits.

    A game that has ended offers none, so there is nothing to look for.
    """
    if position.is_finished:
        return RedirectResponse(frame_of(request, "play").position(position), 303)
    return respond(request, "doctor.html", _diagnosis(position, secret.strip()), section="play")


def _diagnosis(position: Position, secret: str) -> DoctorPage:
    repairs = doctor.suspects(position)
    settled = not doctor.exists_unoffered(position)
    if not secret:
        return DoctorPage(position, None, repairs, settled)
    try:
        checks = doctor.explain(position, secret)
    except CodeError:
        return DoctorPage(position, None, repairs, settled, secret, secret_error=True)
    return DoctorPage(position, None, repairs, settled, secret, checks=checks)


@router.get("/play/{tree}/{token}")
@router.get("/play/{tree}/{token}/{answers}")
def show(request: Request, position: PositionDep) -> Response:
    """Show the guess and the possible answers, or the end."""
    return respond(request, "play.html", PlayPage(position), section="play")
