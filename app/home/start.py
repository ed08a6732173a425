"""The start page, in the language that a visitor prefers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from app.language.catalogues import languages, preferred
from app.trees.dependencies import LibraryDep
from app.trees.pages import GamesPage
from app.web.rendering import VARY, respond

router = APIRouter()
negotiated = APIRouter(include_in_schema=False)
"""The addresses that lead to the start page in some language."""


@negotiated.get("/")
def choose_language(request: Request, library: LibraryDep, lang: str = "") -> Response:
    """Show the start page in English, or lead those who prefer another language to theirs.

    Whoever comes from a page of this site has chosen already.
    """
    english = languages()[0]
    inside = request.headers.get("sec-fetch-site") == "same-origin"
    language = preferred(request.headers.get("accept-language", ""))
    response: Response
    if language is english or inside or lang == english.code:
        response = show(request, library)
    else:
        response = RedirectResponse(f"{language.prefix}/", 307)
    vary = ", ".join(("Accept-Language", "Sec-Fetch-Site", VARY))
    response.headers["Vary"] = vary
    return response


@negotiated.get("/ru")
def complete_address(request: Request) -> RedirectResponse:
    """Lead to the address with the slash."""
    return RedirectResponse(f"{request.url.path}/", 308)


@router.get("/")
def show(request: Request, library: LibraryDep) -> Response:
    """Show the games to choose from."""
    return respond(request, "home/start.html", GamesPage(library.games), section="play")
