"""The start page, in the language that a visitor prefers."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from bullscows_web.guess.daily import TodayDep
from bullscows_web.guess.pages import ChoicePage
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.language.catalogues import languages, preferred
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.web.html.rendering import VARY, respond

router = APIRouter(include_in_schema=False)
negotiated = APIRouter(include_in_schema=False)
"""The addresses that lead to the start page in some language."""


@dataclass(frozen=True)
class StartPage(ChoicePage):
    """The games to choose from, and the puzzle of the day."""

    @property
    def puzzle(self) -> Puzzle | None:
        """Today's puzzle of the first game, if there is any."""
        return Puzzle.of_day(self.featured[0].entries[0], self.today) if self.featured else None

    @property
    def needs(self) -> int:
        """The turn at which the tree finds its code."""
        assert self.puzzle is not None, "shown beside the puzzle"
        return len(self.puzzle.entry.tree.play(self.puzzle.secret))


@negotiated.get("/")
def choose_language(
    request: Request, library: LibraryDep, today: TodayDep, lang: str = ""
) -> Response:
    """Show the start page in English, or lead those who prefer another language to theirs.

    Whoever comes from a page of this site has chosen already.
    """
    english = languages()[0]
    inside = request.headers.get("sec-fetch-site") == "same-origin"
    language = preferred(request.headers.get("accept-language", ""))
    response: Response
    if language is english or inside or lang == english.code:
        response = show(request, library, today)
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
def show(request: Request, library: LibraryDep, today: TodayDep) -> Response:
    """Show the games to choose from."""
    return respond(request, "home/start.html", StartPage(library.games, today), section="play")
