"""The pages of a game: a state, and what may be wrong when no answer fits."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app import doctor
from app.contexts import DoctorPage, PlayPage
from app.deps import PositionDep
from app.pages.render import respond
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
    """Look for the earlier answers that may be wrong, because none of the offered ones fits."""
    return respond(request, "doctor.html", _diagnosis(position, secret.strip()), section="play")


def _diagnosis(position: Position, secret: str) -> DoctorPage:
    repairs = doctor.suspects(position)
    if not secret:
        return DoctorPage(position, None, repairs)
    try:
        checks = doctor.explain(position, secret)
    except CodeError:
        return DoctorPage(position, None, repairs, secret, secret_error=True)
    return DoctorPage(position, None, repairs, secret, checks=checks)


@router.get("/play/{tree}/{token}")
@router.get("/play/{tree}/{token}/{answers}")
def show(request: Request, position: PositionDep) -> Response:
    """Show the guess and the possible answers, or the end."""
    return respond(request, "play.html", PlayPage(position), section="play")
