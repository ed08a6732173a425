"""The analysis of any position of any game: `/analyse/RULES?h=0123:0.1-4567:1.1`."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.history import History
from bullscows.game.notation import UnreadableTurnError, read_turns
from bullscows.game.rules import CodeError, CodeIndex, Rules
from bullscows_web.analyse.analysed_history import AnalysedHistory, Asked, analyse, preview
from bullscows_web.analyse.pages import AVERAGE, AnalysePage, ChoosePage, FormFields
from bullscows_web.search.service import LARGEST_AT_ONCE, Search, SearchDep
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.links import analysis_path
from bullscows_web.trees.position import typed_answer
from bullscows_web.web.addresses import address_text
from bullscows_web.web.dependencies import is_copy
from bullscows_web.web.errors import BusyError, SearchStoppedError
from bullscows_web.web.html.frame import EMBED, redirect, wants_fragment
from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)
embedded = APIRouter(prefix=EMBED, include_in_schema=False)
"""Positions that other sites show in a frame."""

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
    polls: Annotated[int, Query(ge=0, le=AnalysePage.MOST)] = 0,
) -> Response:
    """Analyse a position; a guess that is sent with its answer leads to the position after it.

    Turns in another notation than the address's lead to the address of their position.  A copy to
    be read offline starts no search of its own.  A fragment is a preview, which asks for the rest.
    """
    game = Rules.parse(rules)
    asked = FormFields(h.strip(), guess.strip(), answer, objective, max_turns.strip())
    nothing = AnalysedHistory(History(game), (), None)
    page, own = _read(AnalysePage(nothing, asked=asked, polls=polls))
    if page.unreadable is None:
        history = page.analysis.history
        if own is not None and answer:
            return redirect(request, page.to(history.after(own, typed_answer(game, answer))))
        if asked.h != address_text(history) or rules != str(game):
            fields = {**asdict(asked), "h": address_text(history)}
            return redirect(request, analysis_path(game, **fields))
        page = await _analysed(request, search, page, own)
    return respond(request, "analyse/page.html", page, section="analyse", status=_status(page))


async def _analysed(
    request: Request, search: Search, page: AnalysePage, own: CodeIndex | None
) -> AnalysePage:
    """Return the page; the preview of a small game for a fragment, or if no process is free."""
    is_unreadable = bool(page.asked.max_turns) and page.max_turns is None
    last_turn = 0 if is_unreadable else page.max_turns  # no objective has such a last turn
    asked = Asked(page.analysis.history, page.objective, last_turn, own)
    has_preview = page.rules.size <= LARGEST_AT_ONCE
    if has_preview and wants_fragment(request):
        return replace(page, analysis=preview(search.known, asked), polls=-1)
    try:
        found = await search.run(partial(analyse, asked=asked, again=is_copy(request)))
    except (BusyError, SearchStoppedError):
        if not has_preview:
            raise
        found = preview(search.known, asked)
        if found.position and found.position.is_preview and not found.position.known:
            raise
    return replace(page, analysis=found)


def _read(page: AnalysePage) -> tuple[AnalysePage, CodeIndex | None]:
    """Parse the form fields and mark invalid ones."""
    asked = page.asked
    own = None
    page = replace(page, objective=asked.objective or AVERAGE)
    if number := asked.max_turns:
        is_number = number.isascii() and number.isdigit() and len(number) < 4
        page = replace(page, max_turns=int(number) if is_number else None)
    try:
        history = History(page.rules, read_turns(page.rules, asked.h))
        page = replace(page, analysis=AnalysedHistory(history, (), None))
    except UnreadableTurnError as error:
        page = replace(page, unreadable=error)
    if asked.guess:
        try:
            own = page.rules.parse_code("".join(asked.guess.lower().split()))
        except CodeError:
            page = replace(page, guess_error=True)
    return page, own


def _status(page: AnalysePage) -> int:
    if page.guess_error or page.unreadable is not None or page.aim_error:
        return 422
    return 409 if page.analysis.is_contradictory else 200


def _choose(request: Request, page: ChoosePage, *, block: str = "", status: int = 200) -> Response:
    return respond(
        request, "analyse/choose.html", page, section="analyse", block=block, status=status
    )
