"""The page that tells how it works."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.contexts import AboutPage
from app.deps import LibraryDep
from app.pages.render import respond
from app.pages.start import games

router = APIRouter()


@router.get("/about")
def show(request: Request, library: LibraryDep) -> Response:
    """Tell the rules, what optimal means, and where it all comes from."""
    return respond(request, "about.html", AboutPage(games(library)), section="about")
