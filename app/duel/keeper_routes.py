"""The keeper that dodges: no code, only true answers, and the longest game there is."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app.duel.keeper import Kept
from app.duel.pages import KeptPage
from app.guess.puzzle import entry_of
from app.guess.typed_guess import GuessError
from app.search.dependencies import AnalysisDep
from app.search.service import AnalysisService
from app.trees.dependencies import LibraryDep
from app.web.dependencies import chosen_pegs
from app.web.frame import frame_of
from app.web.queue import BusyError
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
    rules: str,
    turns: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show a game against the keeper that dodges; a guess leads to the game with its answer."""
    rule = entry_of(library, rules).rules
    game = Kept.of_turns(rule, turns)
    least = min(entry.record.depth for entry in library if entry.rules == rule)
    page = KeptPage(game, f"/duel/dodge/{rule}", dodging=True, least=least)
    typed = chosen_pegs(request, rule) if guess is None else guess
    if typed is not None and game.is_over:
        return RedirectResponse(frame_of(request, "duel").url(page.here), 303)
    if typed is None:
        return respond(request, "duel/keeper.html", page, section="duel")
    try:
        made = game.ask(typed)
    except GuessError as error:
        wrong = replace(page, typed=typed, error=error)
        return respond(request, "duel/keeper.html", wrong, section="duel", status=422)
    after = Kept(game.history.after(made, await _answer(service, game, made)))
    return RedirectResponse(frame_of(request, "duel").url(replace(page, game=after).here), 303)


async def _answer(service: AnalysisService, game: Kept, guess: CodeIndex) -> AnswerIndex:
    """Return the answer that keeps the game up; with too many waiting the one that leaves most."""
    question = Question.of(game.rules, game.history)
    try:
        reply = await service.ask(lambda: service.reply(question, guess, SECONDS))
    except BusyError:
        reply = largest_part(question, guess)
    return reply.answer
