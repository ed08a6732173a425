"""The puzzle of the day as JSON: a stateless game in which the client guesses."""

from __future__ import annotations

import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, Field

from bullscows_web.api.guess_schemas import parsed_code
from bullscows_web.api.openapi import BAD_BODY, PREFIX, operation_id, problems
from bullscows_web.api.tree_schemas import CodeText, PlayedTurn, RulesText, Strict
from bullscows_web.guess.game import Guessing
from bullscows_web.guess.puzzle import (
    MAX_GUESSES,
    Puzzle,
    TodayDep,
    check,
    current,
    day_of,
    entry_of,
)
from bullscows_web.match.service import MatchesDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.position import PastTurn
from bullscows_web.web import text_patterns
from bullscows_web.web.caching import NO_STORE, tagged
from bullscows_web.web.dependencies import QueueDep, client_of
from bullscows_web.web.exceptions import MalformedError

router = APIRouter(
    prefix=f"{PREFIX}/daily",
    tags=["daily"],
    responses=problems(414),
    generate_unique_id_function=operation_id,
)


class DailyPuzzle(BaseModel):
    """The puzzle of one day and game."""

    rules: RulesText
    date: datetime.date
    secrets: int = Field(description="Number of codes of the game.")
    max_guesses: int = Field(description="Number of guesses after which the game is lost.")
    page: str = Field(description="Path of the page with the puzzle.")

    @classmethod
    def of(cls, puzzle: Puzzle) -> DailyPuzzle:
        """Return the model of the puzzle of a day."""
        return cls(
            rules=str(puzzle.rules),
            date=datetime.date.fromisoformat(puzzle.seed),
            secrets=puzzle.rules.size,
            max_guesses=MAX_GUESSES,
            page=f"/guess/{puzzle.path}",
        )


class DailyPuzzles(BaseModel):
    """The puzzles of today (UTC)."""

    date: datetime.date
    puzzles: list[DailyPuzzle] = Field(description="One for each game, in display order.")


class DailyGuesses(Strict):
    """All guesses of a game so far."""

    guesses: list[CodeText] = Field(
        min_length=1,
        max_length=MAX_GUESSES,
        description="All guesses so far, in order. Guesses after the secret are ignored.",
        examples=[["0123", "4567"]],
    )


class DailyResults(BaseModel):
    """The results of all players who solved a puzzle and did not turn that off."""

    distribution: list[int] = Field(description="Players who found the code at turn 1, 2, ....")
    better_than: float | None = Field(
        description="Percentage of the other players who needed more turns; null without others."
    )

    @classmethod
    def of(cls, counts: list[int], turns: int | None) -> DailyResults:
        """Return the model of the counts for a player who needed these turns."""
        others = sum(counts) - 1
        more = None if turns is None or others < 1 else 100 * sum(counts[turns:]) / others
        return cls(distribution=counts, better_than=more)


class DailyGame(BaseModel):
    """The answers to all guesses of a game."""

    rules: RulesText
    date: datetime.date
    turns: list[PlayedTurn] = Field(description="The guesses and their answers.")
    remaining: int = Field(description="Candidates: codes that fit all answers.")
    finished: bool = Field(description="Whether the secret is found, or no guess is left.")
    secret: str | None = Field(description="The secret; null until the game is finished.")

    @classmethod
    def of(cls, game: Guessing) -> DailyGame:
        """Return the model of a game."""
        rules = game.rules
        return cls(
            rules=str(rules),
            date=datetime.date.fromisoformat(game.puzzle.seed),
            turns=[PlayedTurn.of_turn(turn) for turn in PastTurn.all_of(game.history)],
            remaining=game.remaining,
            finished=game.is_over,
            secret=rules.text(game.puzzle.secret) if game.is_over else None,
        )


async def get_puzzle(
    library: LibraryDep,
    today: TodayDep,
    rules: Annotated[
        str, Path(pattern=text_patterns.RULES.pattern, description="Rules of the game.")
    ],
    day: Annotated[
        str, Path(alias="date", pattern=text_patterns.DATE.pattern, description="Date in UTC.")
    ],
) -> Puzzle:
    """Return the puzzle in a path.

    Raises `NotFoundError`, `MalformedError` or `NotOpenError` if there is no such game or day, or
    the day has no puzzle or has not begun.
    """
    found = day_of(day)
    assert found is not None  # the pattern says so
    check(found, today)
    return Puzzle.of_day(entry_of(library, rules), found)


PuzzleDep = Annotated[Puzzle, Depends(get_puzzle)]


@router.get("", summary="List today's puzzles")
async def list_daily_puzzles(library: LibraryDep, today: TodayDep) -> DailyPuzzles:
    """Return the newest puzzle of each game: today's, or this week's.

    A new day begins at midnight UTC, and a new week on Monday.
    """
    days = ((game.entries[0], current(game.rules, today)) for game in library.games)
    puzzles = [DailyPuzzle.of(Puzzle.of_day(entry, day)) for entry, day in days]
    return DailyPuzzles(date=today, puzzles=puzzles)


@router.get(
    "/{rules}/{date}",
    summary="Get the puzzle of a day",
    responses=problems(404, 422),
)
async def get_daily_puzzle(
    request: Request, response: Response, puzzle: PuzzleDep, library: LibraryDep
) -> DailyPuzzle:
    """Return the puzzle of a game and a day. Puzzles open at midnight UTC and stay open."""
    response.headers.update(tagged(request, library.version))
    return DailyPuzzle.of(puzzle)


@router.post(
    "/{rules}/{date}/guesses",
    summary="Guess the puzzle of a day",
    responses=problems(404, 503) | BAD_BODY,
)
async def guess_daily_puzzle(puzzle: PuzzleDep, given: DailyGuesses, queue: QueueDep) -> DailyGame:
    """Return the answers to all guesses so far.

    The server stores no game, so send all guesses each time. The game is finished once the secret
    is found or all guesses are used.
    """
    game = Guessing(puzzle)
    for place, text in enumerate(given.guesses):
        guess = parsed_code(game.rules, text, "guesses", place)
        game = game if game.is_over else game.after(guess)
    return await queue.make(lambda: DailyGame.of(game))


@router.get(
    "/{rules}/{date}/results", summary="Get the results of a day", responses=problems(404, 422, 503)
)
async def get_daily_results(
    puzzle: PuzzleDep,
    matches: MatchesDep,
    response: Response,
    turns: Annotated[
        int | None, Query(ge=1, le=MAX_GUESSES, description="A counted result, to compare.")
    ] = None,
) -> DailyResults:
    """Return how many players solved the puzzle at each turn."""
    response.headers.update(NO_STORE)
    return DailyResults.of(await matches.results(puzzle), turns)


@router.post(
    "/{rules}/{date}/results",
    summary="Count a result",
    responses=problems(404, 429, 503) | BAD_BODY,
)
async def count_daily_result(
    request: Request, puzzle: PuzzleDep, given: DailyGuesses, matches: MatchesDep
) -> DailyResults:
    """Count a player who solved the puzzle, and return the results of all.

    Send all guesses, those taken back included; the last one, and no other, is the secret. Only the
    number of turns is stored. Send a result once: who wants to can forge results.
    """
    turns = len(given.guesses)
    codes = [
        parsed_code(puzzle.rules, text, "guesses", place)
        for place, text in enumerate(given.guesses)
    ]
    if [*codes, puzzle.secret].index(puzzle.secret) != turns - 1:
        raise MalformedError(
            "malformed-turns", "the last guess, and no other, has to be the secret"
        )
    return DailyResults.of(await matches.results(puzzle, turns, client_of(request)), turns)
