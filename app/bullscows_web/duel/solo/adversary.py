"""The adversary: an opponent without a code whose consistent answers prolong the game."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.analysis.adversary import Reply, largest_part
from bullscows.game.history import History
from bullscows.game.question import Question
from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows_web.duel.solo.game import SoloPage, answered, made, turns_of
from bullscows_web.guess.puzzle import RulesDep
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import Search, SearchDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.web.dependencies import QueueDep
from bullscows_web.web.errors import BusyError, SearchStoppedError
from bullscows_web.web.html.frame import address, frame_of, redirect
from bullscows_web.web.queue import WorkQueue

router = APIRouter(include_in_schema=False)

SHARE = 0.6
"""Share of the search time for the answer to a guess."""


@router.get("/duel/adversary/{rules}")
@router.get("/duel/adversary/{rules}/{turns}")
async def show(
    request: Request,
    library: LibraryDep,
    search: SearchDep,
    queue: QueueDep,
    rules: RulesDep,
    turns: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show a game against the adversary; a guess redirects to the game with its answer."""

    def opened() -> tuple[SoloPage, CodeIndex | Response]:
        least = min(entry.record.depth for entry in library if entry.rules == rules)
        page = SoloPage(turns_of(rules, turns), f"/duel/adversary/{rules}", least)
        return page, made(request, page, turns, guess)

    page, asked = await queue.make(opened)
    if isinstance(asked, Response):
        return asked
    return answered(request, page, asked, await _answer(search, queue, page.history, asked))


@router.get("/duel/dodge/{rules}")  # codespell:ignore dodge
@router.get("/duel/dodge/{rules}/{turns}")  # codespell:ignore dodge
def moved(request: Request, rules: str, turns: str = "") -> Response:
    """Redirect from the former address of a game."""
    path = "/".join(filter(None, ("/duel/adversary", rules, turns)))
    return redirect(request, address(path, frame_of(request, "duel").query), 301)


async def _answer(
    search: Search, queue: WorkQueue, history: History, guess: CodeIndex
) -> AnswerIndex:
    """Return the answer that prolongs the game; if the search fails, the largest part."""
    question = Question.of(history.rules, history)
    try:
        reply = await search.run(partial(longest, question=question, guess=guess))
    except (BusyError, SearchStoppedError):
        reply = await queue.make(lambda: largest_part(question, guess))
    return reply.answer


def longest(searcher: Searcher, question: Question, guess: CodeIndex) -> Reply:
    """Return the answer after which the game lasts longest, as far as time allows."""
    return searcher.reply(question, guess, SHARE * searcher.seconds)
