"""The page of a game: the guess with the possible answers, or the end."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.contexts import PlayPage
from app.deps import PositionDep, WorkshopDep
from app.pages.render import respond

router = APIRouter()


@router.get("/play/{tree}/{token}")
@router.get("/play/{tree}/{token}/{answers}")
async def show(
    request: Request, position: PositionDep, workshop: WorkshopDep, analysis: str = ""
) -> Response:
    """Show the guess and the possible answers, or the end; with an analysis if that is wanted.

    A game's page waits for nothing: it is made here and now.  An analysis waits for its turn.
    """
    page = PlayPage(position, analysis)

    def shown() -> Response:
        return respond(request, "play/page.html", page, section="play", lasting=True)

    return await workshop.make(shown) if page.insight else shown()
