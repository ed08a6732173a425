"""The analysis of any position of any game: `/analyse/RULES?h=0123:0.1-4567:1.1`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.history import History, remaining_after
from bullscows.game.notation import UnreadableTurnError, read_turns
from bullscows.game.objective import ObjectiveError
from bullscows.game.rules import CodeError, CodeIndex, Rules
from bullscows_web.analyse.analysed_history import AnalysedHistory, analyse
from bullscows_web.analyse.pages import AVERAGE, AnalysePage, ChoosePage, FormFields
from bullscows_web.analyse.search.lookup import SearchNeededError
from bullscows_web.analyse.search.service import AnalysisDep, Backend
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.trees.links import analysis_path
from bullscows_web.web.dependencies import is_copy
from bullscows_web.web.histories import address_text
from bullscows_web.web.html.frame import redirect, wants_fragment
from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Query(max_length=100)]


@router.get("/analyse")
def choose(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Show the games to choose from; one that is described by its numbers has its own address."""
    if custom is None or custom.flaw:
        page = ChoosePage(library.games, custom or CustomGame())
        return _choose(request, page, status=422 if custom else 200)
    return redirect(request, analysis_path(custom.rules))


@router.get("/analyse/size")
def size(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Say how many codes the game has whose numbers are being typed."""
    page = ChoosePage(library.games, custom or CustomGame("", ""))
    return _choose(request, page, block="size")


@router.get("/analyse/{rules}")
async def show(
    request: Request,
    library: LibraryDep,
    analysis: AnalysisDep,
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
    nothing = AnalysedHistory(History(game), (), None, ())
    page, own = _read(AnalysePage(nothing, asked=asked, polls=polls))
    if page.unreadable is None:
        history = page.analysis.history
        if own is not None and answer:
            return redirect(request, page.to(history.after(own, game.parse_answer(answer))))
        if asked.h != address_text(history) or rules != str(game):
            fields = {**asdict(asked), "h": address_text(history)}
            return redirect(request, analysis_path(game, **fields))

        look = partial(_studied, page, own, library, again=is_copy(request))
        page = await _analysed(request, analysis, look)
    return respond(request, "analyse/page.html", page, section="analyse", status=_status(page))


async def _analysed(
    request: Request, analysis: AnalysisDep, look: Callable[..., AnalysePage]
) -> AnalysePage:
    """Return the whole page, or for a fragment its preview, if that does not take long either."""
    if wants_fragment(request):
        with suppress(SearchNeededError):
            page = await analysis.preview(partial(look, preview=True))
            return replace(page, polls=-1)
    return await analysis.answer(look, unproved=True)


def _read(page: AnalysePage) -> tuple[AnalysePage, CodeIndex | None]:
    """Parse the form fields and mark invalid ones."""
    asked = page.asked
    own = None
    page = replace(page, objective=asked.objective or AVERAGE)
    if number := asked.max_turns:
        is_number = number.isascii() and number.isdigit() and len(number) < 4
        page = replace(page, max_turns=int(number)) if is_number else replace(page, aim_error=True)
    try:
        history = History(page.rules, read_turns(page.rules, asked.h))
        page = replace(page, analysis=AnalysedHistory(history, (), None, ()))
    except UnreadableTurnError as error:
        page = replace(page, unreadable=error)
    if asked.guess:
        try:
            own = page.rules.parse_code("".join(asked.guess.lower().split()))
        except CodeError:
            page = replace(page, guess_error=True)
    return page, own


def _studied(
    page: AnalysePage,
    own: CodeIndex | None,
    library: Library,
    backend: Backend,
    *,
    again: bool,
    preview: bool = False,
) -> AnalysePage:
    """Analyse the position; with an invalid objective only count the candidates."""
    history = page.analysis.history
    try:
        if not page.aim_error:
            aim = page.objective, page.max_turns
            found = analyse(backend, library, history, *aim, own, again=again, preview=preview)
            return replace(page, analysis=found)
    except ObjectiveError:
        page = replace(page, aim_error=True)
    return replace(page, analysis=AnalysedHistory(history, remaining_after(history), None, ()))


def _status(page: AnalysePage) -> int:
    if page.guess_error or page.unreadable is not None or page.aim_error:
        return 422
    return 409 if page.analysis.is_contradictory else 200


def _choose(request: Request, page: ChoosePage, *, block: str = "", status: int = 200) -> Response:
    return respond(
        request, "analyse/choose.html", page, section="analyse", block=block, status=status
    )
