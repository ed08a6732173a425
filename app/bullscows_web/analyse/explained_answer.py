"""The answer to a guess, explained place by place: `/answer/RULES?guess=1234&secret=4271`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.notation import read_code
from bullscows.game.rules import CodeError, Rules
from bullscows.game.scoring import Answer
from bullscows_web.language.words import BULLS_COWS, has_pegs, sample
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.pages import GamesPage
from bullscows_web.web.frame import redirect
from bullscows_web.web.rendering import respond

router = APIRouter()

Text = Annotated[str, Query(max_length=40)]


@dataclass(frozen=True)
class Mark:
    """Contribution of one place of the guess to the answer."""

    symbol: str
    place: int
    """The place, 1 for the first."""
    kind: Literal["bull", "cow", "used", "none"]
    """A bull; a cow; a symbol that the secret has, but no more often; none of the secret."""
    partner: int = 0
    """The place of the secret that it is paired with; 0 for none."""


def explained(guess: str, secret: str, *, bulls_only: bool = False) -> list[Mark]:
    """Pair each place of a guess with at most one of the secret: bulls first, then cows."""
    free = [place for place, symbol in enumerate(secret) if guess[place] != symbol]
    free = [] if bulls_only else free
    marks = []
    for place, symbol in enumerate(guess):
        partner = place if secret[place] == symbol else None
        if partner is None:
            partner = next((other for other in free if secret[other] == symbol), None)
            free = [other for other in free if other != partner]
        if partner is None:
            marks.append(Mark(symbol, place + 1, "used" if symbol in secret else "none"))
        else:
            kind: Literal["bull", "cow"] = "bull" if partner == place else "cow"
            marks.append(Mark(symbol, place + 1, kind, partner + 1))
    return marks


@dataclass(frozen=True)
class AnswerPage(GamesPage):
    """The answer to a guess, or the form for two codes."""

    rules: Rules
    guess: str = ""
    """The guess, as it was typed."""
    secret: str = ""
    """The secret, as it was typed."""
    custom: CustomGame = field(default_factory=CustomGame)
    """A game described by its numbers."""

    @property
    def wrong(self) -> list[str]:
        """The names of the fields whose text is no code."""
        texts = {"guess": self.guess, "secret": self.secret}
        return [name for name, text in texts.items() if text and self._code(text) is None]

    @cached_property
    def codes(self) -> tuple[str, str] | None:
        """Guess and secret as they are written; None unless both are codes."""
        guess = self._code(self.guess)
        secret = self._code(self.secret)
        return None if guess is None or secret is None else (guess, secret)

    @property
    def marks(self) -> list[Mark]:
        """The contribution of each place of the guess."""
        if not self.codes:
            return []
        return explained(*self.codes, bulls_only=self.rules.bulls_only)

    @property
    def answer(self) -> Answer:
        """The answer."""
        kinds = [mark.kind for mark in self.marks]
        return Answer(kinds.count("bull"), kinds.count("cow"))

    @property
    def example(self) -> str:
        """A code of the game, to show how one is written."""
        return self.rules.text(0) if has_pegs(self.rules) else sample(self.rules)

    def _code(self, text: str) -> str | None:
        try:
            return self.rules.text(read_code(self.rules, text))
        except CodeError:
            return None


@router.get("/answer")
def choose(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Show the form of Bulls & Cows; redirect to the page of a game described by its numbers."""
    if custom.is_chosen:
        return redirect(request, f"/answer/{custom.rules}")
    page = AnswerPage(library.games, BULLS_COWS, custom=custom)
    return respond(request, "analyse/answer.html", page, status=custom.status)


@router.get("/answer/{rules}")
def show(
    request: Request, library: LibraryDep, rules: str, guess: Text = "", secret: Text = ""
) -> Response:
    """Explain the answer to a guess, or show the form for both codes."""
    page = AnswerPage(library.games, Rules.parse(rules), guess, secret)
    status = 422 if page.wrong else 200
    return respond(request, "analyse/answer.html", page, status=status)
