"""Games in which only the visitor guesses: a friend's encrypted code, or an adversary.

The adversary has no code.  It gives the consistent answer that prolongs the game most or, if the
search is not finished, the one that leaves the most codes.  The URL contains guesses and answers,
for example ``0123:0.1-1456:1.1``, so a reload shows the same game; contradictory turns are
rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.history import History, candidates
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.analyse.known_symbols import KnownSymbols
from bullscows_web.duel.duel import MAX_TURNS
from bullscows_web.duel.pages import OfGame, past
from bullscows_web.guess.typed_guess import GuessError, read, read_new
from bullscows_web.trees.links import review_path
from bullscows_web.trees.pages import PastTurn
from bullscows_web.trees.position import LISTED, parse_answer
from bullscows_web.web.dependencies import chosen_pegs
from bullscows_web.web.errors import MalformedError
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond
from bullscows_web.web.pictures.field import Field


@dataclass(frozen=True)
class SoloGame:
    """A game in which only the visitor guesses."""

    history: History
    """The guesses with their answers."""

    @classmethod
    def of_code(cls, rules: Rules, code: CodeIndex, guesses: str) -> SoloGame:
        """Parse guesses of a code; guesses after the code are ignored.

        Raises `GuessError` or `MalformedError` if one is no code of the game, or there are too
        many.
        """
        found: list[CodeIndex] = []
        for guess in [read(rules, text) for text in _listed(guesses)]:
            if code not in found:
                found.append(guess)
        turns = [(guess, rules.respond(guess, code)) for guess in found]
        return cls(History(rules, tuple(turns)))

    @classmethod
    def of_turns(cls, rules: Rules, turns: str) -> SoloGame:
        """Read guesses with their answers.

        Raises `GuessError` or `MalformedError` if one is none of the game, there are too many, or
        no code fits all answers.
        """
        parts = [text.partition(":") for text in _listed(turns)]
        pairs = [(read(rules, guess), parse_answer(rules, answer)) for guess, _, answer in parts]
        game = cls(History(rules, tuple(pairs)))
        if not len(game.left):
            raise MalformedError("turns", f"no code fits all {len(pairs)} answers")
        if any(answer == rules.win for _, answer in pairs[:-1]):
            raise MalformedError("turns", "turns follow the end of the game")
        return game

    def ask(self, text: str) -> CodeIndex:
        """Return the guess that a visitor wrote; raise `GuessError` if it is none, or was made."""
        return read_new(self.rules, text, self.history.guesses)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.history.rules

    @property
    def is_found(self) -> bool:
        """Whether the last guess was right."""
        return bool(self.history) and self.history[-1][1] == self.rules.win

    @property
    def is_over(self) -> bool:
        """Whether the secret is found or no guess is left."""
        return self.is_found or len(self.history) >= MAX_TURNS

    @cached_property
    def left(self) -> IndexArray:
        """The codes that fit all answers, ascending."""
        return candidates(self.rules, self.history)

    def moves(self, *, is_adversary: bool) -> str:
        """Return the turns for the URL; answers are included for the adversary only."""
        texts = self.history.texts if is_adversary else map(self.rules.text, self.history.guesses)
        return "-".join(texts)


def _listed(text: str) -> Sequence[str]:
    texts = text.split("-") if text else []
    if len(texts) > MAX_TURNS:
        raise MalformedError("turns", f"a game has at most {MAX_TURNS} guesses")
    return texts


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
        return review_path(self.game.history, History(self.rules), self.here.lstrip("/"))


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
