"""The review of any finished game: `/review/RULES?h=0123:0.1-4567:1.1`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.history import MAX_HISTORY, History
from bullscows.game.notation import read_code
from bullscows.game.rules import CodeError, CodeIndex, Rules
from bullscows_web.review.pages import Address, FiguresPage, ReviewPage
from bullscows_web.review.reviewed import SHARE, Game, review
from bullscows_web.search.service import SearchDep, check_cost
from bullscows_web.trees.links import analysis_path, review_path
from bullscows_web.web.dependencies import GuessQuery, guess_in, is_copy
from bullscows_web.web.frame import read_address, redirect, wants_fragment
from bullscows_web.web.rendering import respond

router = APIRouter(include_in_schema=False)

GAME = r"^((guess|play|duel|match)/[\w./~?=&:,-]+)?$"
"""Path of a game of this site, to go back to."""


@router.get("/review/{rules}")
async def show(
    request: Request,
    search: SearchDep,
    rules: str,
    h: str = "",
    theirs: str = "",
    game: Annotated[str, Query(max_length=2000, pattern=GAME)] = "",
    turn: Annotated[int, Query(ge=0, le=MAX_HISTORY)] = 0,
    guess: GuessQuery = None,
    polls: Annotated[int, Query(ge=0, le=ReviewPage.MOST)] = 0,
) -> Response:
    """Review a game; a prefetch starts no search.

    If another guess is tried at a turn, htmx gets that turn only.  Without turns, redirect to the
    analysis.
    """
    played = Rules.parse(rules)
    typed = guess_in(request, played, guess)
    asked = Address(
        played, read_address(played, h), read_address(played, theirs), game, turn, typed or ""
    )
    if not (asked.mine or asked.theirs):
        return redirect(request, analysis_path(played))
    tried, is_wrong = _read(asked)
    only = wants_fragment(request) and 0 < turn <= len(asked.mine)
    others = {} if tried is None else {turn: tried}
    own = Game(asked.mine, tried=others, only=turn if only else 0)
    other = Game(asked.theirs, is_computer=True)
    games = [own] if only else [each for each in (own, other) if each.history]
    check_cost(sum(each.cost for each in games))
    seconds = 0.0 if is_copy(request) else SHARE * search.seconds
    found = await search.run(request, partial(review, games=games, seconds=seconds))
    page = ReviewPage(asked, found, polls, is_wrong)
    template = "review/turn.html" if only else "review/page.html"
    status = 422 if is_wrong else 200
    return respond(request, template, page, section="analyse", status=status)


@router.get("/review/{rules}/figures")
async def show_figures(
    request: Request,
    search: SearchDep,
    rules: str,
    h: str = "",
    polls: Annotated[int, Query(ge=0, le=FiguresPage.MOST)] = 0,
) -> Response:
    """Show the totals of one game to htmx; others get the review."""
    played = Rules.parse(rules)
    asked = Address(played, read_address(played, h), History(played))
    if not (asked.mine and wants_fragment(request)):
        return redirect(request, review_path(asked.mine, asked.theirs, "") or analysis_path(played))
    games = [Game(asked.mine)]
    check_cost(games[0].cost)
    found = await search.run(request, partial(review, games=games, seconds=SHARE * search.seconds))
    page = FiguresPage(asked, found, polls)
    return respond(request, "review/figures.html", page, section="analyse")


def _read(asked: Address) -> tuple[CodeIndex | None, bool]:
    """Return the guess to try, if there is one, and whether its text is no code."""
    if not (asked.typed and 0 < asked.turn <= len(asked.mine)):
        return None, False
    try:
        return read_code(asked.rules, asked.typed), False
    except CodeError:
        return None, True
