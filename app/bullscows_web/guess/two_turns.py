"""The page of a puzzle: find the guess that wins in two, in a position of a finished game."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property

from fastapi import APIRouter, Request, Response

from bullscows.game.history import History, Split, candidates, split
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows_web.guess.pages import GuessingPage
from bullscows_web.guess.puzzle import small_game
from bullscows_web.guess.typed_guess import GuessError, read_new
from bullscows_web.review.pages import MAX_CODES, puzzle, winning
from bullscows_web.trees.links import position_path, puzzle_path
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import IN_TURN, GuessQuery, guess_in
from bullscows_web.web.exceptions import NotFoundError
from bullscows_web.web.frame import read_address, redirect
from bullscows_web.web.rendering import respond

router = APIRouter()


@dataclass(frozen=True)
class TwoTurnsPage(GuessingPage):
    """A position that can be won in two, and maybe a guess there."""

    history: History
    guess: CodeIndex | None = None

    @property
    def here(self) -> str:  # type: ignore[override]
        """The path of the puzzle."""
        return puzzle_path(self.history)

    @property
    def analysis(self) -> str:
        """The path of the analysis of the position."""
        return position_path(self.history)

    @cached_property
    def winning(self) -> list[CodeIndex]:
        """The guesses that win in two."""
        return winning(self.history, self.left)

    @property
    def shown(self) -> str:
        """One of them as text, if possible a candidate."""
        left = set(self.left.tolist())
        return self.rules.text(min(self.winning, key=lambda guess: guess not in left))

    @property
    def is_right(self) -> bool:
        """Whether the guess wins in two."""
        return self.guess in self.winning

    @property
    def worst(self) -> tuple[Answer, int]:
        """The answer to the guess that leaves most codes, and how many."""
        assert self.guess is not None, "the template checks"
        parted: Split = split(self.rules, self.left, self.guess)
        answer, count = max(parted.parts, key=lambda part: part[1])
        return self.rules.answers[answer], count


TRIES = 20
"""Games that are played to find a puzzle; most games have one."""


def draw(rules: Rules) -> History | None:
    """Play games of guesses that fit, and return a position that can be won in two."""
    for _ in range(TRIES):
        secret = secrets.randbelow(rules.size)
        history = History(rules)
        while secret not in history.guesses:
            guess = int(secrets.choice(candidates(rules, history)))
            history = history.after(guess, rules.respond(guess, secret))
        if found := puzzle(history):
            return found
    return None


@router.get("/puzzle/{rules}", dependencies=[IN_TURN])
def show(
    request: Request,
    rules: str,
    h: str = "",
    guess: GuessQuery = None,
) -> Response:
    """Ask for the guess; without turns, redirect to a new puzzle."""
    game = small_game(rules)
    if not h and game.size <= MAX_CODES and (drawn := draw(game)):
        return redirect(request, puzzle_path(drawn), headers=NO_STORE)
    page = TwoTurnsPage(read_address(game, h))
    if not page.left.size:
        return redirect(request, page.analysis)  # it says which answers are wrong
    if not page.winning:
        raise NotFoundError("no-win-in-two", h, game)
    typed = guess_in(request, game, guess)
    if typed is not None:
        try:
            page = TwoTurnsPage(page.history, guess=read_new(game, typed, ()))
        except GuessError as error:
            page = TwoTurnsPage(page.history, error=error)
    status = 422 if page.error else 200
    return respond(request, "guess/two_turns.html", page, status=status)
