"""The analysis of any position of any game: `/analyse/RULES?h=0123:0.1-4567:1.1`.

Its card is `/pictures/cards/RULES.png?h=0123:0.1-1456:1.1&guess=1748`.  A search process draws it:
to go through the codes of a large game takes half a second.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.analyse.analysed_history import analyse, preview
from bullscows_web.analyse.pages import AnalysePage, ChoosePage, FormFields
from bullscows_web.language.catalogues import preferred
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import LARGEST_AT_ONCE, Search, SearchDep
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.links import analysis_path
from bullscows_web.trees.position import typed_answer
from bullscows_web.web.caching import FOREVER, FRESH, release, tagged
from bullscows_web.web.dependencies import is_copy
from bullscows_web.web.exceptions import BusyError, SearchStoppedError
from bullscows_web.web.frame import EMBED, address_text, read_address, redirect, wants_fragment
from bullscows_web.web.pictures.card import draw
from bullscows_web.web.rendering import respond

router = APIRouter(include_in_schema=False)
embedded = APIRouter(prefix=EMBED, include_in_schema=False)
"""Positions that other sites show in a frame."""
files = APIRouter(include_in_schema=False)
"""Pictures, which have no language."""

Text = Annotated[str, Query(max_length=100)]


@router.get("/analyse")
def choose(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Show the games to choose from; one that is described by its numbers has its own address."""
    if custom is None or custom.flaw:
        page = ChoosePage(library.games, custom or CustomGame(), is_custom=custom is not None)
        return _choose(request, page, status=422 if custom else 200)
    return redirect(request, analysis_path(custom.rules))


@router.get("/analyse/size")
def size(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Say how many codes the game has whose numbers are being typed."""
    page = ChoosePage(library.games, custom or CustomGame("", ""))
    return _choose(request, page, block="size")


@router.get("/analyse/{rules}")
@embedded.get("/analyse/{rules}")
async def show(
    request: Request,
    search: SearchDep,
    rules: str,
    h: str = "",
    guess: Text = "",
    answer: Text = "",
    objective: Annotated[str, Query(max_length=500)] = "",
    max_turns: str = "",
    secrets: Annotated[str, Query(max_length=8000)] = "",
    polls: Annotated[int, Query(ge=0, le=AnalysePage.MOST)] = 0,
) -> Response:
    """Analyse a position; a guess that is sent with its answer leads to the position after it.

    Turns in another notation than the address's lead to the address of their position.  A copy to
    be read offline starts no search of its own.  A fragment is a preview, which asks for the rest.
    """
    game = Rules.parse(rules)
    form = FormFields(
        h.strip(), guess.strip(), answer, objective, max_turns.strip(), secrets.strip()
    )
    page = AnalysePage.read(game, form, polls)
    if page.is_readable:
        history = page.asked.history
        own = page.asked.own
        if own is not None and answer:
            return redirect(request, page.to(history.after(own, typed_answer(game, answer))))
        if form.h != address_text(history) or rules != str(game):
            fields = {**asdict(form), "h": address_text(history)}
            return redirect(request, analysis_path(game, **fields))
        page = await _analysed(request, search, page)
    return respond(
        request, "analyse/page.html", page, section="analyse", status=page.response_status
    )


async def _analysed(request: Request, search: Search, page: AnalysePage) -> AnalysePage:
    """Return the page; the preview of a small game for a fragment, or if no process is free."""
    asked = page.asked
    has_preview = page.rules.size <= LARGEST_AT_ONCE
    if has_preview and wants_fragment(request):
        return replace(page, analysis=preview(search.look_up, asked), polls=-1)
    try:
        found = await search.run(request, partial(analyse, asked=asked, again=is_copy(request)))
    except (BusyError, SearchStoppedError):
        if not has_preview:
            raise
        found = preview(search.look_up, asked)
        if found.position and found.position.is_preview and not found.position.known:
            raise
    return replace(page, analysis=found)


def _choose(request: Request, page: ChoosePage, *, block: str = "", status: int = 200) -> Response:
    return respond(
        request, "analyse/choose.html", page, section="analyse", block=block, status=status
    )


# -- cards of positions, which links show ---------------------------------------------------------


@files.get("/pictures/cards/{rules}.png")
async def card(
    request: Request,
    search: SearchDep,
    rules: str,
    h: Annotated[str, Query(max_length=400)] = "",
    guess: Annotated[str, Query(max_length=20)] = "",
    lang: Annotated[str, Query(max_length=20)] = "",
    v: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Return the card of a position; under the address that pages give it, it never changes."""
    game = Rules.parse(rules)
    history = read_address(game, h)
    code = game.parse_code(guess) if guess else None
    policy = FOREVER if v == release()[:12] else FRESH
    headers = tagged(request, "", policy=policy)
    content = await search.run(request, partial(drawn, history=history, guess=code, language=lang))
    return Response(content, headers=headers, media_type="image/png")


def drawn(_: Searcher, history: History, guess: CodeIndex | None, language: str) -> bytes:
    """Draw a card in a search process; raise `GameTooLargeError` if there are too many codes."""
    return draw(history, guess, preferred(language))
