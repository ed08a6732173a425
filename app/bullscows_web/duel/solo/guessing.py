"""Handling of guesses in games in which only the visitor guesses."""

from __future__ import annotations

from dataclasses import replace

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.rules import AnswerIndex, CodeIndex
from bullscows_web.duel.solo.game import SoloGame
from bullscows_web.duel.solo.pages import SoloPage
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.web.dependencies import chosen_pegs
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond


def made(request: Request, page: SoloPage, moves: str, guess: str | None) -> CodeIndex | Response:
    """Return the guess to answer, or the response if there is none."""
    typed = chosen_pegs(request, page.rules) if guess is None else guess
    if moves != page.moves or (typed is not None and page.game.is_over):
        return to(request, page)
    if typed is None:
        return respond(request, "duel/solo.html", page, section="duel")
    try:
        return page.game.ask(typed)
    except GuessError as error:
        wrong = replace(page, typed=typed, error=error)
        return respond(request, "duel/solo.html", wrong, section="duel", status=422)


def to(request: Request, page: SoloPage) -> Response:
    """Redirect to a game."""
    return RedirectResponse(frame_of(request, "duel").url(page.here), 303)


def after(page: SoloPage, guess: CodeIndex, answer: AnswerIndex) -> SoloPage:
    """Return the page of the game after a turn."""
    return replace(page, game=SoloGame(page.game.history.after(guess, answer)))
