"""The analysis of any position of any game: `/analyse/RULES?h=0123:0.1-4567:1.1`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, floor
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app.analyst import Desk
from app.contexts import LISTED, Game
from app.deps import DeskDep, LibraryDep, is_copy
from app.history import History
from app.library import Library
from app.pages.render import frame_of, respond
from app.pages.start import games
from app.study import Position, Study, remaining_after, study
from app.turns import UnreadableTurnError
from app.words import has_pegs
from engine.analysis.analyst import MAX_CAP
from engine.game.candidates import MAX_CODES, Split
from engine.game.objective import ObjectiveError
from engine.game.rules import (
    MAX_POSITIONS,
    MAX_SYMBOLS,
    SYMBOLS,
    Answer,
    AnswerIndex,
    CodeError,
    CodeIndex,
    Rules,
)

router = APIRouter()

AVERAGE = "average"
AIMS = (AVERAGE, "worst,average", "last,average", "movers")
"""What the page offers to minimise."""

Text = Annotated[str, Query(max_length=100)]


@dataclass(frozen=True)
class ChoosePage:
    """Which game to analyse: one of the trees', or another that is described by its numbers."""

    games: Sequence[Game]
    """The games that trees play."""
    positions: str = "4"
    """How many places a code has, as it was typed."""
    symbols: str = "10"
    """How many digits or colours there are, as it was typed."""
    repeats: bool = False
    """Whether they may repeat."""

    @property
    def most(self) -> int:
        """The most codes that a game may have."""
        return MAX_CODES

    @property
    def flaw(self) -> str:
        """What is wrong with the numbers: `positions`, `symbols`, or `few` of them; else empty."""
        if not _is_number(self.positions, MAX_POSITIONS):
            return "positions"
        if not _is_number(self.symbols, MAX_SYMBOLS):
            return "symbols"
        return "few" if not self.repeats and int(self.symbols) < int(self.positions) else ""

    @property
    def described(self) -> Rules:
        """The game with these numbers, if nothing is wrong with them."""
        return Rules(int(self.positions), int(self.symbols), self.repeats)

    @property
    def is_too_large(self) -> bool:
        """Whether the game has more codes than are analysed."""
        return self.described.size > self.most


@dataclass(frozen=True)
class Asked:
    """What was written into the forms, word by word, so that no field is lost."""

    h: str = ""
    """The turns."""
    guess: str = ""
    """The visitor's own guess."""
    answer: str = ""
    """Its answer."""
    objective: str = ""
    """What to minimise."""
    max_turns: str = ""
    """The last allowed turn."""


@dataclass(frozen=True)
class AnalysePage:
    """A position of any game."""

    study: Study
    """The turns, and what follows from them."""
    objective: str = AVERAGE
    """What to minimise."""
    max_turns: int | None = None
    """The last allowed turn."""
    asked: Asked = Asked()
    """What was written into the forms."""
    guess_error: bool = False
    """Whether what was written as a guess is none."""
    unreadable: UnreadableTurnError | None = None
    """The first turn that can't be read; then nothing is said of any position."""
    aim_error: bool = False
    """Whether the aim makes no sense; then nothing is said of any guess."""

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.study.history.rules

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return has_pegs(self.rules)

    @property
    def position(self) -> Position | None:
        """The position; None if no code fits, or the secret is found."""
        return self.study.position

    @property
    def shown(self) -> Split | None:
        """The guess on the board: the visitor's own, or else the best."""
        if self.position is None:
            return None
        return self.position.own or self.position.best

    @property
    def rows(self) -> list[Split]:
        """The guesses of the table: the best known, then those of the rule; no guess twice."""
        if self.position is None:
            return []
        best, own = self.position.best, self.position.own
        first = [row for row in (best, own) if row is not None]
        rows = {row.guess: row for row in (*first, *self.position.ranked)}
        return list(rows.values())

    @property
    def remaining(self) -> int:
        """How many codes fit."""
        return self.study.remaining[-1] if self.study.remaining else self.rules.size

    @property
    def candidates(self) -> list[str] | None:
        """The codes that fit, if they are few enough to list."""
        if self.position is None or self.remaining > LISTED:
            return None
        return [self.text(int(code)) for code in self.position.inquiry.left]

    @property
    def aims(self) -> list[str]:
        """What can be chosen to minimise, what was asked for included."""
        return [*AIMS, *([] if self.objective in AIMS else [self.objective])]

    @property
    def latest(self) -> int:
        """The largest last turn that can be asked for."""
        return MAX_CAP

    @property
    def cells(self) -> list[tuple[AnswerIndex, Answer, int]]:
        """All answers of the game with how many candidates give each to the guess on the board."""
        counts = dict(self.shown.parts) if self.shown else {}
        return [(i, answer, counts.get(i, 0)) for i, answer in enumerate(self.rules.answers)]

    @property
    def example(self) -> str:
        """A code, to show how turns are written."""
        places = range(self.rules.positions)
        if not self.pegs:
            return SYMBOLS[: self.rules.positions]
        return "".join(SYMBOLS[place // 2 % self.rules.symbols] for place in places)

    def text(self, code: CodeIndex) -> str:
        """Return a code as it is written."""
        return self.rules.text(code)

    def average(self, total: int, *, up: bool = False) -> float:
        """Return turns over all candidates as a mean, a bound rounded so that it still holds."""
        rounded = (ceil if up else floor)(1000 * total / self.remaining)
        return rounded / 1000

    def to(self, history: History | None = None, guess: CodeIndex | None = None) -> str:
        """Return the path of this page with another history or guess; the aim stays."""
        turns = self.study.history if history is None else history
        told = {
            "h": str(turns),
            "guess": "" if guess is None else self.text(guess),
            "objective": "" if self.objective == AVERAGE else self.objective,
            "max_turns": "" if self.max_turns is None else str(self.max_turns),
        }
        return analysis_path(self.rules, **told)

    def after(self, answer: AnswerIndex) -> str:
        """Return the path of the position after the guess on the board got an answer."""
        assert self.shown is not None
        return self.to(self.study.history.after(self.shown.guess, answer))


def analysis_path(rules: Rules, **told: str) -> str:
    """Return the path of the analysis of a game, without its language; empty words left out."""
    query = urlencode({name: text for name, text in told.items() if text}, safe=":,")
    return f"/analyse/{rules}" + (f"?{query}" if query else "")


@router.get("/analyse")
def choose(
    request: Request,
    library: LibraryDep,
    positions: Text = "",
    symbols: Text = "",
    repeats: Text = "",
) -> Response:
    """Show the games to choose from; one that is described by its numbers has its own address."""
    if not (positions or symbols):
        return _choose(request, ChoosePage(games(library)))
    page = ChoosePage(games(library), positions.strip(), symbols.strip(), bool(repeats))
    if page.flaw or page.is_too_large:
        return _choose(request, page, status=422)
    return RedirectResponse(frame_of(request, "analyse").url(analysis_path(page.described)), 303)


@router.get("/analyse/size")
def size(
    request: Request,
    library: LibraryDep,
    positions: Text = "",
    symbols: Text = "",
    repeats: Text = "",
) -> Response:
    """Say how many codes the game has whose numbers are being typed."""
    page = ChoosePage(games(library), positions.strip(), symbols.strip(), bool(repeats))
    return _choose(request, page, block="size")


@router.get("/analyse/{rules}")
async def show(
    request: Request,
    library: LibraryDep,
    desk: DeskDep,
    rules: str,
    h: str = "",
    guess: Text = "",
    answer: Text = "",
    objective: Annotated[str, Query(max_length=500)] = "",
    max_turns: str = "",
) -> Response:
    """Analyse a position; a guess that is sent with its answer leads to the position after it.

    Turns in another notation than the address's lead to the address of their position.  A copy to
    be read offline starts no search of its own.
    """
    game = Rules.parse(rules)
    asked = Asked(h.strip(), guess.strip(), answer, objective, max_turns.strip())
    page, own = _read(AnalysePage(Study(History(game), (), None, ()), asked=asked))
    if page.unreadable is None:
        history = page.study.history
        if own is not None and answer:
            to = page.to(history.after(own, game.parse_answer(answer)))
            return RedirectResponse(frame_of(request, "analyse").url(to), 303)
        if asked.h != str(history):
            return RedirectResponse(frame_of(request, "analyse").url(_rewritten(page)), 303)

        def look() -> AnalysePage:
            return _studied(page, own, desk, library, again=is_copy(request))

        page = await desk.ask(look)
    return respond(request, "analyse/page.html", page, section="analyse", status=_status(page))


def _read(page: AnalysePage) -> tuple[AnalysePage, CodeIndex | None]:
    """Read what was asked; what can't be read is marked, to be told beside its field."""
    asked, own = page.asked, None
    page = replace(page, objective=asked.objective or AVERAGE)
    if number := asked.max_turns:
        is_number = number.isascii() and number.isdigit() and len(number) < 4
        page = replace(page, max_turns=int(number)) if is_number else replace(page, aim_error=True)
    try:
        history = History.parse(page.rules, asked.h)
        page = replace(page, study=Study(history, (), None, ()))
    except UnreadableTurnError as error:
        page = replace(page, unreadable=error)
    if asked.guess:
        try:
            own = page.rules.parse_code("".join(asked.guess.lower().split()))
        except CodeError:
            page = replace(page, guess_error=True)
    return page, own


def _studied(
    page: AnalysePage, own: CodeIndex | None, desk: Desk, library: Library, *, again: bool
) -> AnalysePage:
    """Look at the position; for the analyst's thread.  Without an aim turns are counted only."""
    history = page.study.history
    try:
        if not page.aim_error:
            found = study(desk, library, history, page.objective, page.max_turns, own, again=again)
            return replace(page, study=found)
    except ObjectiveError:
        page = replace(page, aim_error=True)
    return replace(page, study=Study(history, remaining_after(history), None, ()))


def _rewritten(page: AnalysePage) -> str:
    """Return the path with the turns in the notation of addresses, and all else as it was sent."""
    told = {**asdict(page.asked), "h": str(page.study.history)}
    return analysis_path(page.rules, **told)


def _status(page: AnalysePage) -> int:
    if page.guess_error or page.unreadable is not None or page.aim_error:
        return 422
    return 409 if page.study.is_contradictory else 200


def _choose(request: Request, page: ChoosePage, *, block: str = "", status: int = 200) -> Response:
    return respond(
        request, "analyse/choose.html", page, section="analyse", block=block, status=status
    )


def _is_number(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= most
