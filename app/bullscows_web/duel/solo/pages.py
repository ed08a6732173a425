"""Contexts and handling of guesses of games in which only the visitor guesses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.candidates import MAX_HISTORY
from bullscows.game.history import History
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows_web.analyse.known_symbols import KnownSymbols
from bullscows_web.duel.pages import OfGame, past
from bullscows_web.duel.solo.game import SoloGame
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.links import review_path
from bullscows_web.trees.pages import PastTurn
from bullscows_web.trees.position import LISTED
from bullscows_web.web.dependencies import chosen_pegs
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond
from bullscows_web.web.pictures.field import Field


@dataclass(frozen=True)
class CodePage(OfGame):
    """Context of the form for a code, or of the link to it."""

    rules: Rules
    typed: str = ""
    """The typed text, if it is not a code."""
    error: GuessError | None = None
    link: str = ""
    """The path that the friend gets."""


@dataclass(frozen=True)
class SoloPage(OfGame):
    """A game in which only the visitor guesses."""

    game: SoloGame
    base: str
    """Its path without moves."""
    is_adversary: bool
    """Whether the opponent is the adversary."""
    least: int = 0
    """Worst case of the best tree of the game."""
    code: CodeIndex | None = None
    """The friend's code; None for the adversary."""
    typed: str = ""
    """The typed text, if it is not a valid guess."""
    error: GuessError | None = None

    @property
    def rules(self) -> Rules:  # type: ignore[override]
        """The game."""
        return self.game.rules

    @property
    def revealed(self) -> str | None:
        """The code, once the game is over; None before, and if there was none to find."""
        code = self.game.history[-1][0] if self.game.is_found else self.code
        return self.rules.text(code) if self.game.is_over and code is not None else None

    @cached_property
    def turns(self) -> list[PastTurn]:
        """The turns so far."""
        return past(self.game.history)

    @property
    def turn(self) -> int:
        """The number of the next guess; of a game that is over, of the last."""
        return len(self.game.history) + (not self.game.is_over)

    @property
    def field(self) -> Field:
        """The codes that fit, as a picture."""
        return Field.after(self.game.history)

    @cached_property
    def known(self) -> KnownSymbols:
        """Which symbols the answers exclude, and which they make certain."""
        return KnownSymbols.of(self.rules, self.game.left)

    @property
    def listed(self) -> list[str] | None:
        """The codes that fit, if they are few enough to list."""
        left = self.game.left
        return [self.rules.text(code) for code in left.tolist()] if len(left) <= LISTED else None

    @property
    def here(self) -> str:
        """The path of the game."""
        return self.to(len(self.game.history))

    def to(self, turn: int) -> str:
        """Return the path of the game after its first turns."""
        moves = SoloGame(History(self.rules, self.game.history[:turn])).moves(
            is_adversary=self.is_adversary
        )
        return "/".join(filter(None, (self.base, moves)))

    @property
    def moves(self) -> str:
        """The turns in the URL."""
        return self.game.moves(is_adversary=self.is_adversary)

    @property
    def review_path(self) -> str:
        """Path of the review; empty without guesses or with too many."""
        history = self.game.history
        if not 0 < len(history) <= MAX_HISTORY:
            return ""
        return review_path(history, History(self.rules), self.here.lstrip("/"))


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
