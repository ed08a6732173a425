"""The analysis of any position of any game: `/analyse/RULES?h=0123:0.1-4567:1.1`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app.contexts import LISTED, Game
from app.deps import DeskDep, LibraryDep, is_copy
from app.history import History, MalformedHistoryError
from app.pages.render import frame_of, respond
from app.pages.start import games
from app.study import Position, Study, study
from app.words import has_pegs
from engine.analysis.analyst import MAX_CAP
from engine.game.candidates import MAX_CODES, Split
from engine.game.objective import ObjectiveError
from engine.game.rules import (
    Answer,
    AnswerError,
    AnswerIndex,
    CodeError,
    CodeIndex,
    Rules,
    RulesError,
)

router = APIRouter()

AVERAGE = "average"
AIMS = (AVERAGE, "worst,average", "last,average", "movers")
"""What the page offers to minimise."""

Text = Annotated[str, Query(max_length=100)]


@dataclass(frozen=True)
class ChoosePage:
    """Which game to analyse."""

    games: Sequence[Game]
    """The games that trees play."""
    refused: str = ""
    """A game that there is not, or that is too large: in rules' notation, or in numbers."""

    @property
    def most(self) -> int:
        """The most codes that a game may have."""
        return MAX_CODES


@dataclass(frozen=True)
class AnalysePage:
    """A position of any game."""

    study: Study
    """The turns, and what follows from them."""
    objective: str = AVERAGE
    """What to minimise."""
    max_turns: int | None = None
    """The last allowed turn."""
    typed: str = ""
    """What was written as a guess, if that is none."""
    turns_typed: str | None = None
    """What was written as turns, if that is no list of them."""
    aim_error: bool = False
    """Whether the aim makes no sense, so that another is shown."""

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
        """What can be chosen to minimise, the present choice included."""
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
    page = ChoosePage(games(library))
    if not (positions or symbols):
        return respond(request, "analyse_choose.html", page, section="analyse")
    text = f"p{positions.strip()}c{symbols.strip()}{'r' if repeats else 'n'}"
    try:
        rules = Rules.parse(text)
    except RulesError:
        return _refused(request, page, text)
    if rules.size > MAX_CODES:
        return _refused(request, page, text)
    return RedirectResponse(frame_of(request, "analyse").url(analysis_path(rules)), 303)


@router.get("/analyse/{rules}")
async def show(
    request: Request,
    library: LibraryDep,
    desk: DeskDep,
    rules: str,
    h: Annotated[str, Query(max_length=1000)] = "",
    guess: Text = "",
    answer: Text = "",
    objective: Annotated[str, Query(max_length=500)] = AVERAGE,
    max_turns: Text = "",
) -> Response:
    """Analyse a position; a guess that is sent with its answer leads to the position after it.

    A copy to be read offline starts no search of its own.
    """
    game = Rules.parse(rules)
    page = AnalysePage(Study(History(game), (), None, ()), objective or AVERAGE)
    page, own = _read(page, h, guess, max_turns)
    if own is not None and answer and not page.turns_typed:
        history = page.study.history.after(own, game.parse_answer(answer))
        return RedirectResponse(frame_of(request, "analyse").url(page.to(history)), 303)

    def look() -> Study:
        aim, turns = page.objective, page.max_turns
        return study(desk, library, page.study.history, aim, turns, own, again=is_copy(request))

    try:
        page = replace(page, study=await desk.ask(look))
    except ObjectiveError:
        page = replace(page, objective=AVERAGE, max_turns=None, aim_error=True)
        page = replace(page, study=await desk.ask(look))
    return respond(request, "analyse.html", page, section="analyse", status=_status(page))


def _read(
    page: AnalysePage, h: str, guess: str, max_turns: str
) -> tuple[AnalysePage, CodeIndex | None]:
    """Read what was typed; what can't be read is kept, to be shown beside its field."""
    own = None
    if max_turns.strip():
        number = max_turns.strip()
        is_number = number.isascii() and number.isdigit() and len(number) < 4
        page = replace(page, max_turns=int(number)) if is_number else replace(page, aim_error=True)
    try:
        history = History.parse(page.rules, h)
        page = replace(page, study=replace(page.study, history=history))
    except (MalformedHistoryError, CodeError, AnswerError):
        page = replace(page, turns_typed=h)
    if guess.strip():
        try:
            own = page.rules.parse_code("".join(guess.lower().split()))
        except CodeError:
            page = replace(page, typed=guess)
    return page, own


def _status(page: AnalysePage) -> int:
    if page.typed or page.turns_typed is not None or page.aim_error:
        return 422
    return 409 if page.study.is_contradictory else 200


def _refused(request: Request, page: ChoosePage, text: str) -> Response:
    refused = replace(page, refused=text)
    return respond(request, "analyse_choose.html", refused, section="analyse", status=422)
