"""The page of a game: the guess with the possible answers, or the end."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.contexts import PlayPage
from app.deps import PositionDep
from app.pages.render import respond

router = APIRouter()


@router.get("/play/{tree}/{token}")
@router.get("/play/{tree}/{token}/{answers}")
def show(request: Request, position: PositionDep, analysis: str = "") -> Response:
    """Show the guess and the possible answers, or the end; with an analysis if that is wanted."""
    page = PlayPage(position, analysis)
    return respond(request, "play.html", page, section="play", lasting=True)
