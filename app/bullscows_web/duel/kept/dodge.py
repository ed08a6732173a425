"""The dodging keeper: no code, only true answers, and as long a game as it finds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.analysis.adversary import largest_part
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows_web.analyse.search.dependencies import AnalysisDep
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.duel.kept.game import Kept
from bullscows_web.duel.kept.guessing import after, made, priced, to
from bullscows_web.duel.kept.pages import KeptPage, KeptPricesPage
from bullscows_web.guess.puzzle import entry_of
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.trees.library import Library
from bullscows_web.web.dependencies import QueueDep
from bullscows_web.web.errors import BusyError
from bullscows_web.web.queue import WorkQueue

router = APIRouter(include_in_schema=False)

SHARE = 0.6
"""What share of a search's time the answer to a guess may take."""


@router.get("/duel/dodge/{rules}/{turns}/prices")
async def price(
    request: Request,
    library: LibraryDep,
    service: AnalysisDep,
    queue: QueueDep,
    rules: str,
    turns: str,
    looks: Annotated[int, Query(ge=0, le=KeptPricesPage.MOST)] = 0,
) -> Response:
    """Tell what the guesses cost, once the game is over."""
    page = await queue.make(lambda: _page(library, rules, turns))
    return await priced(request, service, library, page, looks)


@router.get("/duel/dodge/{rules}")
@router.get("/duel/dodge/{rules}/{turns}")
async def show(
    request: Request,
    library: LibraryDep,
    service: AnalysisDep,
    queue: QueueDep,
    rules: str,
    turns: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show a game against the dodging keeper; a guess leads to the game with its answer."""

    def opened() -> tuple[KeptPage, CodeIndex | Response]:
        page = _page(library, rules, turns)
        return page, made(request, page, turns, guess)

    page, asked = await queue.make(opened)
    if isinstance(asked, Response):
        return asked
    return to(request, after(page, asked, await _answer(service, queue, page.game, asked)))


def _page(library: Library, rules: str, turns: str) -> KeptPage:
    rule = entry_of(library, rules).rules
    least = min(entry.record.depth for entry in library if entry.rules == rule)
    game = Kept.of_turns(rule, turns)
    return KeptPage(game, f"/duel/dodge/{rule}", dodging=True, least=least)


async def _answer(
    service: AnalysisService, queue: WorkQueue, game: Kept, guess: CodeIndex
) -> AnswerIndex:
    """Return the answer that keeps the game up; with too many waiting the one that leaves most."""
    question = Question.of(game.rules, game.history)
    try:
        reply = await service.answer(
            lambda informant: informant.reply(question, guess, SHARE * informant.seconds)
        )
    except BusyError:
        reply = await queue.make(lambda: largest_part(question, guess))
    return reply.answer
