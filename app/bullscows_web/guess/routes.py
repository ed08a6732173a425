"""The game the other way round: the visitor guesses, and is told how well."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows_web.analyse.search.dependencies import AnalysisDep
from bullscows_web.guess.aid import PATTERN
from bullscows_web.guess.daily import TodayDep, check_address
from bullscows_web.guess.game import Guessing
from bullscows_web.guess.pages import HINTS, ChoicePage, GuessPage
from bullscows_web.guess.prices import PricesPage, priced_games
from bullscows_web.guess.puzzle import Puzzle, entry_of
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.web.caching import NEVER_KEPT
from bullscows_web.web.dependencies import IN_TURN, QueueDep, chosen_pegs
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond

router = APIRouter()
in_turn = APIRouter(dependencies=[IN_TURN])

OPEN = [Depends(check_address)]
"""What the address of a puzzle is checked for before anything is said of it."""
AidQuery = Annotated[str, Query(pattern=PATTERN, max_length=1000)]
"""What aided the visitor."""


@in_turn.get("/guess")
def choose(request: Request, library: LibraryDep, today: TodayDep) -> Response:
    """Show the games to choose from."""
    page = ChoicePage(library.games, today)
    return respond(request, "guess/choose.html", page, section="guess")


@in_turn.get("/daily")
def begin_daily(request: Request, library: LibraryDep, today: TodayDep) -> Response:
    """Lead to today's puzzle of the first game; where there is no game, to the choice of games."""
    page = ChoicePage(library.games, today)
    if not page.featured:
        return choose(request, library, today)
    return _begin(request, Puzzle.of_day(page.featured[0].entries[0], today))


@in_turn.get("/guess/{rules}")
def begin(request: Request, library: LibraryDep, rules: str) -> Response:
    """Draw a puzzle: its seed is part of the address from then on."""
    return _begin(request, Puzzle.draw(entry_of(library, rules)))


@in_turn.get("/guess/{rules}/today")
def begin_today(request: Request, library: LibraryDep, rules: str, today: TodayDep) -> Response:
    """Lead to the puzzle of the day, which changes at midnight UTC."""
    return _begin(request, Puzzle.of_day(entry_of(library, rules), today))


@in_turn.get("/guess/{rules}/{seed}/reveal", dependencies=OPEN)
@in_turn.get("/guess/{rules}/{seed}/{guesses}/reveal", dependencies=OPEN)
def reveal(
    request: Request,
    library: LibraryDep,
    rules: str,
    seed: str,
    guesses: str = "",
    aid: AidQuery = "",
) -> Response:
    """Tell the secret to whoever gives up; a game that is over needs no telling."""
    game = Guessing.parse(library, rules, seed, guesses, gave_up=True, aid=aid)
    return _shown(request, GuessPage(game)) if game.gave_up else _to(request, GuessPage(game))


@in_turn.get("/guess/{rules}/{seed}", dependencies=OPEN)
@in_turn.get("/guess/{rules}/{seed}/{guesses}", dependencies=OPEN)
def show(
    request: Request,
    library: LibraryDep,
    rules: str,
    seed: str,
    guesses: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
    check: Annotated[str, Query(max_length=10)] = "",
    hints: Annotated[str, Query(max_length=10)] = "",
    aid: AidQuery = "",
) -> Response:
    """Show a game; a guess that is sent leads to the game after it, or is told what is wrong.

    An address whose guesses go on after the secret leads to the end of the game.
    """
    game = Guessing.parse(library, rules, seed, guesses, aid=aid)
    page = GuessPage(game.hinted() if hints == HINTS and not game.is_over else game, hints == HINTS)
    typed = chosen_pegs(request, game.rules) if guess is None else guess
    is_canonical = game.path == "/".join(filter(None, (rules, seed, guesses)))
    if not is_canonical or (game.is_over and typed is not None):
        return _to(request, page)
    return _shown(request, page) if typed is None else _asked(request, page, typed, check)


@router.get("/guess/{rules}/{seed}/{guesses}/prices", dependencies=OPEN)
async def price(
    request: Request,
    library: LibraryDep,
    service: AnalysisDep,
    queue: QueueDep,
    rules: str,
    seed: str,
    guesses: str,
    aid: AidQuery = "",
    looks: Annotated[int, Query(ge=0, le=PricesPage.MOST)] = 0,
) -> Response:
    """Show the turns of a game with what each guess cost; a copy starts no search."""
    game = await queue.make(lambda: Guessing.parse(library, rules, seed, guesses, aid=aid))
    history = GuessPage(game).history
    games = await priced_games(request, service, library, history)
    page = PricesPage(game, games=games, looks=looks)
    return await queue.make(lambda: respond(request, "guess/prices.html", page, section="guess"))


router.include_router(in_turn)


def _begin(request: Request, puzzle: Puzzle) -> Response:
    url = frame_of(request, "guess").url(f"/guess/{puzzle.path}")
    return RedirectResponse(url, 303, NEVER_KEPT)


def _to(request: Request, page: GuessPage) -> Response:
    return RedirectResponse(frame_of(request, "guess").url(page.to(page.game)), 303)


def _shown(request: Request, page: GuessPage, status: int = 200) -> Response:
    section = "daily" if page.game.puzzle.day else "guess"
    return respond(request, "guess/page.html", page, section=section, status=status)


def _asked(request: Request, page: GuessPage, typed: str, check: str) -> Response:
    try:
        after = page.game.ask(typed)
    except GuessError as error:
        return _shown(request, replace(page, typed=typed, error=error), 422)
    if page.game.turns and check:
        return _shown(request, replace(page, typed=typed, checked=after.guesses[-1]))
    return _to(request, replace(page, game=after))
