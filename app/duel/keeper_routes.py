"""The keeper that dodges: no code, only true answers, and as long a game as it finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app.duel.keeper import Kept
from app.duel.kept_pages import KeptPage
from app.guess.puzzle import entry_of
from app.guess.typed_guess import GuessError
from app.search.dependencies import AnalysisDep
from app.search.service import AnalysisService
from app.trees.dependencies import LibraryDep
from app.trees.library import Library
from app.web.dependencies import QueueDep, chosen_pegs
from app.web.frame import frame_of
from app.web.queue import BusyError, WorkQueue
from app.web.rendering import respond
from engine.analysis.codemaker import largest_part
from engine.game.question import Question
from engine.game.rules import AnswerIndex, CodeIndex

router = APIRouter()

SECONDS = 0.6
"""What the answer to a guess may take."""


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
    """Show a game against the keeper that dodges; a guess leads to the game with its answer."""

    def shown() -> Response | tuple[KeptPage, CodeIndex]:
        page = _page(library, rules, turns)
        typed = chosen_pegs(request, page.rules) if guess is None else guess
        return _shown(request, page, typed)

    found = await queue.make(shown)
    if isinstance(found, Response):
        return found
    page, made = found
    after = Kept(page.game.history.after(made, await _answer(service, queue, page.game, made)))
    return RedirectResponse(frame_of(request, "duel").url(replace(page, game=after).here), 303)


def _page(library: Library, rules: str, turns: str) -> KeptPage:
    rule = entry_of(library, rules).rules
    least = min(entry.record.depth for entry in library if entry.rules == rule)
    game = Kept.of_turns(rule, turns)
    return KeptPage(game, f"/duel/dodge/{rule}", dodging=True, least=least)


def _shown(
    request: Request, page: KeptPage, typed: str | None
) -> Response | tuple[KeptPage, CodeIndex]:
    """Return the page, or the guess that is to be answered."""
    if typed is None:
        return respond(request, "duel/keeper.html", page, section="duel")
    if page.game.is_over:
        return RedirectResponse(frame_of(request, "duel").url(page.here), 303)
    try:
        return page, page.game.ask(typed)
    except GuessError as error:
        wrong = replace(page, typed=typed, error=error)
        return respond(request, "duel/keeper.html", wrong, section="duel", status=422)


async def _answer(
    service: AnalysisService, queue: WorkQueue, game: Kept, guess: CodeIndex
) -> AnswerIndex:
    """Return the answer that keeps the game up; with too many waiting the one that leaves most."""
    question = Question.of(game.rules, game.history)
    try:
        reply = await service.ask(lambda: service.reply(question, guess, SECONDS))
    except BusyError:
        reply = await queue.make(lambda: largest_part(question, guess))
    return reply.answer
