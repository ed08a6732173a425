"""The game the other way round: the visitor guesses, and is told how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import RedirectResponse

from app.aid import PATTERN
from app.contexts import LISTED, OfTree, StartPage
from app.daily import TodayDep, check_address
from app.deps import IN_TURN, LibraryDep
from app.guessing import MAX_GUESSES, Asked, GuessError, Guessing, Puzzle, contradicted, entry_of
from app.history import History
from app.library import Entry
from app.pages.analyse import analysis_path
from app.pages.pegs import chosen
from app.pages.render import frame_of, respond
from app.pages.start import NOT_KEPT, games
from app.review import Advice, Review, advice
from engine.game.candidates import MAX_HISTORY
from engine.game.rules import Answer, CodeIndex

router = APIRouter(dependencies=[IN_TURN])

OPEN = [Depends(check_address)]
"""What the address of a puzzle is checked for before anything is said of it."""
AidQuery = Annotated[str, Query(pattern=PATTERN, max_length=1000)]
"""What aided the visitor."""
HINTS = "on"
"""How a game's address asks for hints."""


@dataclass(frozen=True)
class ChoicePage(StartPage):
    """What there is to guess."""

    today: date
    """Whose puzzles are those of the day."""


@dataclass(frozen=True)
class GuessPage(OfTree):
    """A game in which the visitor guesses."""

    game: Guessing
    """The game."""
    hints: bool = False
    """Whether the visitor wants hints."""
    typed: str = ""
    """What the visitor wrote, if that is no new turn."""
    error: GuessError | None = None
    """What is wrong with it."""
    checked: CodeIndex | None = None
    """Or the code that it is, if the visitor only asked whether it fits."""

    @property
    def entry(self) -> Entry:
        """The tree that the visitor is held against."""
        return self.game.puzzle.entry

    @property
    def turn(self) -> int:
        """The turn to play; of a game that is over, the last one."""
        return len(self.game.guesses) + (not self.game.is_over)

    @property
    def secret(self) -> str:
        """The secret, of a game that is over."""
        return self.text(self.game.puzzle.secret)

    @property
    def last(self) -> Asked | None:
        """The last turn, if there was any."""
        return self.game.turns[-1] if self.game.turns else None

    def text(self, code: CodeIndex) -> str:
        """Return a code as it is written."""
        return self.rules.text(code)

    def answer(self, asked: Asked) -> Answer:
        """Return the answer to a guess."""
        return self.rules.answers[asked.answer]

    def to(self, game: Guessing, *, hints: bool | None = None) -> str:
        """Return the path of a game; hints stay as they are, unless told otherwise."""
        wanted = self.hints if hints is None else hints
        told = {"hints": HINTS if wanted else "", "aid": game.aid.text(game.rules)}
        query = urlencode({name: text for name, text in told.items() if text})
        return f"/guess/{game.path}" + (f"?{query}" if query else "")

    @property
    def asked(self) -> str:
        """The guesses, as they stand in the address."""
        return "-".join(map(self.text, self.game.guesses))

    @property
    def aid(self) -> str:
        """What aided the visitor, as it stands in the address."""
        return self.game.aid.text(self.rules)

    @property
    def longest(self) -> int:
        """The most guesses of a game."""
        return MAX_GUESSES

    def analysis(self, turns: Sequence[Asked], guess: CodeIndex | None = None) -> str:
        """Return the path of the analysis of the position after some turns, and of a guess there.

        Nothing if there are too many turns for it.
        """
        if len(turns) > MAX_HISTORY:
            return ""
        history = History(self.rules, tuple((asked.guess, asked.answer) for asked in turns))
        told = "" if guess is None else self.text(guess)
        return analysis_path(self.rules, h=str(history), guess=told)

    @property
    def listed(self) -> int:
        """The most candidates that are listed."""
        return LISTED

    @property
    def candidates(self) -> list[str] | None:
        """The codes that fit all answers, if they are few enough to list."""
        if self.game.remaining > LISTED:
            return None
        return [self.text(code) for code in self.game.candidates]

    @property
    def contradicted(self) -> list[tuple[Asked, Answer]]:
        """The answers that rule out the code that was asked about."""
        if self.checked is None:
            return []
        return contradicted(self.rules, self.game.turns, self.checked)

    @cached_property
    def advice(self) -> Advice | None:
        """The best guess known."""
        return advice(self.entry, self.game.turns)

    @cached_property
    def review(self) -> Review:
        """What is said of a game that is over."""
        return Review(self.game)

    @property
    def played(self) -> str:
        """The game as the tally knows it, by its answers."""
        return self._tallied(self.game)

    @property
    def played_before(self) -> str:
        """The game before its last turn, as the tally knows it."""
        return self._tallied(self.game.before(len(self.game.guesses)))

    @property
    def once(self) -> str:
        """How the tally's games of this puzzle begin: it counts the first."""
        return f"guess-{self.rules} {self.game.puzzle.seed}/"

    def _tallied(self, game: Guessing) -> str:
        answers = "-".join(str(self.rules.answers[answer]) for answer in game.answers)
        return self.once + answers


@router.get("/guess")
def choose(request: Request, library: LibraryDep, today: TodayDep) -> Response:
    """Show the games to choose from."""
    page = ChoicePage(games(library), today)
    return respond(request, "guess/choose.html", page, section="guess")


@router.get("/guess/{rules}")
def begin(request: Request, library: LibraryDep, rules: str) -> Response:
    """Draw a puzzle: its seed is part of the address from then on."""
    return _begin(request, Puzzle.draw(entry_of(library, rules)))


@router.get("/guess/{rules}/today")
def begin_today(request: Request, library: LibraryDep, rules: str, today: TodayDep) -> Response:
    """Lead to the puzzle of the day, which changes at midnight UTC."""
    return _begin(request, Puzzle.of_day(entry_of(library, rules), today))


@router.get("/guess/{rules}/{seed}/reveal", dependencies=OPEN)
@router.get("/guess/{rules}/{seed}/{guesses}/reveal", dependencies=OPEN)
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


@router.get("/guess/{rules}/{seed}", dependencies=OPEN)
@router.get("/guess/{rules}/{seed}/{guesses}", dependencies=OPEN)
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
    typed = chosen(request, game.rules) if guess is None else guess
    is_canonical = game.path == "/".join(filter(None, (rules, seed, guesses)))
    if not is_canonical or (game.is_over and typed is not None):
        return _to(request, page)
    return _shown(request, page) if typed is None else _asked(request, page, typed, check)


def _begin(request: Request, puzzle: Puzzle) -> Response:
    url = frame_of(request, "guess").url(f"/guess/{puzzle.path}")
    return RedirectResponse(url, 303, NOT_KEPT)


def _to(request: Request, page: GuessPage) -> Response:
    return RedirectResponse(frame_of(request, "guess").url(page.to(page.game)), 303)


def _shown(request: Request, page: GuessPage, status: int = 200) -> Response:
    return respond(request, "guess/page.html", page, section="guess", status=status)


def _asked(request: Request, page: GuessPage, typed: str, check: str) -> Response:
    try:
        after = page.game.ask(typed)
    except GuessError as error:
        return _shown(request, replace(page, typed=typed, error=error), 422)
    if page.hints and check:
        return _shown(request, replace(page, typed=typed, checked=after.guesses[-1]))
    return _to(request, replace(page, game=after))
