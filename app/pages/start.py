"""The start page, and the link that starts a game."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app import caching
from app.contexts import Game, StartPage
from app.deps import EntryDep, LibraryDep
from app.i18n import languages, preferred
from app.library import Entry, Library
from app.pages.render import VARY, frame_of, respond
from app.position import Position

router = APIRouter()
negotiated = APIRouter(include_in_schema=False)
"""The addresses that lead to the start page in some language."""

NOT_KEPT = {"Cache-Control": caching.NOT_KEPT}
"""For what leads elsewhere each time."""


def games(library: Library) -> list[Game]:
    """Return the games of the library's trees, in the order in which to offer them."""
    order = {rules: place for place, rules in reversed([*enumerate(e.rules for e in library)])}
    entries = sorted(library, key=lambda entry: order[entry.rules])
    return [Game(rules, list(group)) for rules, group in groupby(entries, lambda e: e.rules)]


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
    return respond(request, "home/start.html", StartPage(games(library)), section="play")


@router.get("/play")
def start(
    request: Request,
    library: LibraryDep,
    tree: Annotated[str, Query(max_length=100)] = "",
    shuffle: bool = False,
) -> Response:
    """Begin a game: the relabelling is drawn here, and from then on it is part of the address."""
    if not tree:
        return RedirectResponse(frame_of(request, "play").url("/"), 303, NOT_KEPT)
    return _begin(request, library.tree(tree), shuffle=shuffle)


@router.get("/play/{tree}")
def start_anew(request: Request, entry: EntryDep) -> Response:
    """Begin a game whose address names the tree alone, under a relabelling as the form has it."""
    return _begin(request, entry, shuffle=True)


def _begin(request: Request, entry: Entry, *, shuffle: bool) -> Response:
    position = Position.start(entry, shuffle=shuffle)
    return RedirectResponse(frame_of(request, "play").position(position), 303, NOT_KEPT)
