"""Pages of the game in which you guess: choice of games, puzzles, and their ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from bullscows_web.guess.calendar import CalendarPage, newest
from bullscows_web.guess.game import HELP_PATTERN, STANDARD, Guessing, Options, OptionsDep
from bullscows_web.guess.pages import HINTS, ChoicePage, GuessPage
from bullscows_web.guess.puzzle import MAX_CODES, Puzzle, TodayDep, check, current, day_of, entry_of
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import IN_TURN, GuessQuery, QueueDep, WordQuery, guess_in
from bullscows_web.web.frame import EMBED, redirect
from bullscows_web.web.queue import WorkQueue
from bullscows_web.web.rendering import respond

router = APIRouter()
embedded = APIRouter(prefix=EMBED)
"""Games that other sites show in a frame."""

HelpQuery = Annotated[str, Query(pattern=HELP_PATTERN, max_length=1000)]
"""The hints shown, the guesses taken back, and whether the secret was known."""

FIRST_GAME = "p4c10n"
"""The game of the day in frames of other sites, if their address names none."""

INLINE_CODES = 10_000
"""Largest game whose pages take about 2 ms; those of larger ones are rendered in the queue."""


async def game_of(
    library: LibraryDep,
    options: OptionsDep,
    today: TodayDep,
    rules: str,
    seed: str,
    guesses: str = "",
    help: HelpQuery = "",
) -> Guessing:
    """Return the game of a page's URL; see `Guessing.parse`. Refuse a day that is not open."""
    if day := day_of(seed):
        check(day, today)
    return Guessing.parse(library, rules, seed, guesses, help=help, options=options)


GameDep = Annotated[Guessing, Depends(game_of)]


@router.get("/guess/{rules}/{seed}/reveal")
@router.get("/guess/{rules}/{seed}/{guesses}/reveal")
@embedded.get("/guess/{rules}/{seed}/reveal")
@embedded.get("/guess/{rules}/{seed}/{guesses}/reveal")
async def reveal(
    request: Request, library: LibraryDep, queue: QueueDep, today: TodayDep, game: GameDep
) -> Response:
    """Show the secret of a game that is given up; redirect to a game that is over."""
    page = GuessPage(game.given_up())
    return (
        await _shown(request, library, queue, today, page)
        if page.game.gave_up
        else redirect(request, page.here)
    )


@router.get("/guess/{rules}/today")
@embedded.get("/daily")
async def begin_today(
    request: Request,
    library: LibraryDep,
    today: TodayDep,
    options: OptionsDep,
    rules: str = FIRST_GAME,
) -> Response:
    """Redirect to the puzzle of the day, which changes at midnight UTC."""
    entry = entry_of(library, rules)
    return _begin(request, Puzzle.of_day(entry, current(entry.rules, today)), options)


@router.get("/guess/{rules}/{seed}")
@router.get("/guess/{rules}/{seed}/{guesses}")
@embedded.get("/guess/{rules}/{seed}")
@embedded.get("/guess/{rules}/{seed}/{guesses}")
async def show(
    request: Request,
    library: LibraryDep,
    queue: QueueDep,
    options: OptionsDep,
    today: TodayDep,
    game: GameDep,
    guess: GuessQuery = None,
    check: WordQuery = "",
    hints: WordQuery = "",
) -> Response:
    """Show a game; a valid `guess` redirects to the game after it, an invalid one is explained.

    An address with guesses after the last turn redirects to the end of the game.
    """
    page = GuessPage(game.hinted() if hints == HINTS and not game.is_over else game, hints == HINTS)
    typed = guess_in(request, game.rules, guess)
    is_canonical = game.path == "/".join(request.path_params.values())
    if not is_canonical or game.options != options or (game.is_over and typed is not None):
        return redirect(request, page.here)
    if typed is None:
        return await _shown(request, library, queue, today, page)
    try:
        after = game.ask(typed)
    except GuessError as error:
        wrong = replace(page, error=error)
        return await _shown(request, library, queue, today, wrong, 422)
    if game.guesses and check:
        checked = replace(page, checked=after.guesses[-1])
        return await _shown(request, library, queue, today, checked)
    return redirect(request, page.to(page.game.after(after.guesses[-1])))


@router.get("/guess/{rules}/{seed}/{guesses}/prices")
async def moved(request: Request, game: GameDep) -> Response:
    """Redirect from the former address of the review."""
    page = GuessPage(game)
    return redirect(request, page.review_path or page.here, 301)


@router.get("/guess/size")
@router.get("/guess", dependencies=[IN_TURN])
def choose(
    request: Request,
    library: LibraryDep,
    today: TodayDep,
    custom: CustomGameDep,
    options: OptionsDep,
) -> Response:
    """Show the games to choose from, or begin a game that is described by its numbers."""
    custom = replace(custom, most=MAX_CODES)
    if custom.is_chosen:
        return _begin(request, Puzzle.draw(library, str(custom.rules)), options)
    page = ChoicePage(library.games, today, custom, options)
    return respond(request, "guess/choose.html", page, block=custom.block, status=custom.status)


@router.get("/daily", dependencies=[IN_TURN])
def show_daily(
    request: Request,
    library: LibraryDep,
    today: TodayDep,
    rules: WordQuery = "",
    month: WordQuery = "",
) -> Response:
    """Show the puzzles of a game and a month; without games, show the empty choice."""
    if not library.games:
        page = ChoicePage(library.games, today, CustomGame(most=MAX_CODES))
        return respond(request, "guess/choose.html", page)
    calendar = CalendarPage.parse(library, rules, month, today)
    return respond(request, "guess/daily.html", calendar)


@router.get("/guess/{rules}")
async def begin(request: Request, library: LibraryDep, rules: str, options: OptionsDep) -> Response:
    """Draw a puzzle: its seed is part of the address from then on."""
    return _begin(request, Puzzle.draw(library, rules), options)


def _begin(request: Request, puzzle: Puzzle, options: Options = STANDARD) -> Response:
    page = GuessPage(Guessing(puzzle, options=options))
    return redirect(request, page.start, headers=NO_STORE)


async def _shown(
    request: Request,
    library: Library,
    queue: WorkQueue,
    today: date,
    page: GuessPage,
    status: int = 200,
) -> Response:
    """Render a game here and now, or in the queue if it compares all guesses or is large."""
    if page.game.is_over:
        page = replace(page, newest=newest(library, today))

    def render() -> Response:
        section = "daily" if page.game.puzzle.day else ""
        return respond(request, "guess/page.html", page, section=section, status=status)

    is_expensive = page.hints or page.game.is_over or page.rules.size > INLINE_CODES
    return await queue.make(render) if is_expensive else render()
