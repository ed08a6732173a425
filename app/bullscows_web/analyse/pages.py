"""The analysis of any position of any game: `/analyse/RULES?h=0123:0.1-4567:1.1`.

Its card is `/pictures/cards/RULES.png?h=0123:0.1-1456:1.1&guess=1748`.  A search process draws it:
to go through the codes of a large game takes half a second.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import ceil, floor
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request, Response

from bullscows.analysis.analyst import MAX_CAP
from bullscows.analysis.evaluation import Evaluation
from bullscows.analysis.openings import AIMS
from bullscows.game.history import MAX_HISTORY, History, Split
from bullscows.game.notation import UnreadableTurnError, read_code, read_turns
from bullscows.game.rules import SYMBOLS, AnswerIndex, CodeError, CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows_web.analyse.analysed_history import (
    AVERAGE,
    AnalysedHistory,
    AnalysedPosition,
    Asked,
    analyse,
    preview,
)
from bullscows_web.language.catalogues import preferred
from bullscows_web.language.words import BULLS_COWS, has_pegs, sample
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import LARGEST_AT_ONCE, SearchDep, SearchService
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.links import analysis_path
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import GLANCE, PastTurn, typed_answer
from bullscows_web.web.caching import FOREVER, FRESH, release, tagged
from bullscows_web.web.dependencies import TextQuery, WordQuery, is_copy
from bullscows_web.web.exceptions import BusyError, SearchStoppedError
from bullscows_web.web.frame import (
    EMBED,
    PollingPage,
    PollsQuery,
    address_text,
    read_address,
    redirect,
    wants_fragment,
)
from bullscows_web.web.pictures.card import card_path, draw, start_card
from bullscows_web.web.rendering import respond


@dataclass(frozen=True)
class ChoosePage(GamesPage):
    """Context of the choice of a game: a game with trees, or one described by its numbers."""

    custom: CustomGame
    """The game described by its numbers."""
    rules: ClassVar[Rules] = BULLS_COWS
    """The game whose first turn can be entered at once."""


@dataclass(frozen=True)
class FormFields:
    """Form fields as they were typed, so that none is lost."""

    h: str
    guess: str
    """The visitor's own guess."""
    answer: str
    objective: str
    max_turns: str
    """The last allowed turn."""
    secrets: str = ""
    """The codes that may be the secret; all if there are none."""


@dataclass(frozen=True)
class AnalysePage(PollingPage):
    """A position of any game."""

    form: FormFields
    asked: Asked
    """The part of the form that could be read."""
    analysis: AnalysedHistory
    """The turns and their analysis."""
    guess_error: bool
    """Whether the typed guess is invalid."""
    unreadable: UnreadableTurnError | None
    """The first invalid turn; then there is no analysis."""
    polls: int
    """Number of automatic reloads; -1 for a preview."""
    secrets_error: bool = False
    """Whether one of the listed secrets is no code; then there is no analysis."""
    latest: ClassVar[int] = MAX_CAP
    """The largest last turn that can be asked for."""
    most_turns: ClassVar[int] = MAX_HISTORY

    @classmethod
    def read(cls, rules: Rules, form: FormFields, polls: int) -> AnalysePage:
        """Parse the form fields and mark invalid ones; nothing is analysed yet."""
        history = History(rules)
        unreadable = None
        try:
            history = History(rules, read_turns(rules, form.h))
        except UnreadableTurnError as error:
            unreadable = error
        own = None
        guess_error = False
        if form.guess:
            try:
                own = read_code(rules, form.guess)
            except CodeError:
                guess_error = True
        max_turns = None
        if number := form.max_turns:
            is_number = number.isascii() and number.isdigit() and len(number) < 4
            max_turns = int(number) if is_number else 0  # no objective has such a last turn
        secrets = None
        secrets_error = False
        if listed := re.findall(r"[^\s,;-]+", form.secrets.lower()):
            try:
                secrets = tuple(sorted({rules.parse_code(text) for text in listed}))
            except CodeError:
                secrets_error = True
                history = History(rules)  # nothing is counted; the form keeps the turns as written
        asked = Asked(history, form.objective or AVERAGE, max_turns, own, secrets)
        analysis = AnalysedHistory(history, (), None)
        return cls(form, asked, analysis, guess_error, unreadable, polls, secrets_error)

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.asked.history.rules

    @property
    def response_status(self) -> int:
        """Status of the response."""
        if self.guess_error or not self.is_readable or self.analysis.aim_error:
            return 422
        return 409 if self.analysis.is_contradictory else 200

    @property
    def is_readable(self) -> bool:
        """Whether turns and secrets can be read, so that there is a position."""
        return self.unreadable is None and not self.secrets_error

    @property
    def position(self) -> AnalysedPosition | None:
        """The position; None if no code fits, or the secret is found."""
        return self.analysis.position

    @property
    def shown(self) -> Split | None:
        """The guess on the board: the visitor's own, or else the best."""
        if self.position is None:
            return None
        return self.position.own or self.position.best

    @property
    def card(self) -> str:
        """The path of the picture for links; of a position that can't be it shows the game."""
        if self.position is None or self.asked.secrets is not None:
            return start_card(self.rules)
        guess = None if self.shown is None else self.shown.guess
        return card_path(self.analysis.history, guess)

    @property
    def rows(self) -> list[Split]:
        """Rows of the table: the best known guess, then those of the rule; or all by value."""
        if self.position is None:
            return []
        best = self.position.best
        own = self.position.own
        first = [row for row in (best, own) if row is not None]
        rows = {row.guess: row for row in (*first, *self.position.ranked)}
        evaluations = [self.position.evaluations.get(guess) for guess in rows]
        known = {
            evaluation.guess: tuple(evaluation.levels.values())
            for evaluation in evaluations
            if evaluation
        }
        if len(known) < len(rows) or not all(known.values()):
            return list(rows.values())
        return sorted(rows.values(), key=lambda row: known[row.guess])

    @property
    def is_final(self) -> bool:
        """Whether a reload would show nothing new."""
        position = self.position
        if position is not None and position.is_preview:
            return False
        if position is None or position.known is None:
            return True
        if position.known.reason is not None:
            return position.known.reason != "time"
        return all(evaluation.is_settled for evaluation in position.evaluations.values())

    @property
    def address(self) -> str:
        """The path of the page itself, with what was asked of it."""
        own = None if self.position is None else self.position.own
        return self.to(guess=None if own is None else own.guess)

    def evaluation(self, guess: CodeIndex) -> Evaluation | None:
        """Return the evaluation of a guess, if there is one."""
        return None if self.position is None else self.position.evaluations.get(guess)

    @property
    def remaining(self) -> int:
        """How many codes fit."""
        if self.analysis.remaining:
            return self.analysis.remaining[-1]
        return self.rules.size if self.asked.secrets is None else len(self.asked.secrets)

    @property
    def is_glance(self) -> bool:
        """Whether they are so few that they show without being asked for."""
        return self.remaining <= GLANCE

    @property
    def secret(self) -> str:
        """The secret, if it is found."""
        found = self.analysis.found
        return "" if found is None else self.rules.text(found)

    @property
    def turns(self) -> list[PastTurn]:
        """The turns so far; of turns that can't be read, or of too many, there are none."""
        return PastTurn.all_of(self.analysis.history, self.analysis.remaining)

    @property
    def written(self) -> str:
        """All turns, one a line; those that can't be read as they were written."""
        if not self.is_readable:
            return self.form.h
        return "\n".join(self.analysis.history.texts)

    @property
    def lines(self) -> int:
        """How many lines there are to write turns in."""
        return max(len(self.analysis.history.turns) + 1, 4)

    @property
    def counted(self) -> str:
        """The strongest criterion, for example `average`."""
        return self.asked.objective.partition(",")[0]

    def is_proved_best(self, guess: CodeIndex) -> bool:
        """Whether this is the proved best guess."""
        position = self.position
        if position is None or position.best is None or position.known is None:
            return False
        return position.known.status == "optimal" and guess == position.best.guess

    @property
    def aims(self) -> list[str]:
        """The objectives to choose from, including the present one."""
        return [*AIMS, *([] if self.asked.objective in AIMS else [self.asked.objective])]

    @property
    def cells(self) -> list[tuple[AnswerIndex, Answer, int]]:
        """All answers of the game with how many candidates give each to the guess on the board."""
        counts = dict(self.shown.parts) if self.shown else {}
        return [(i, answer, counts.get(i, 0)) for i, answer in enumerate(self.rules.answers)]

    @property
    def example(self) -> str:
        """A code, to show how turns are written."""
        places = range(self.rules.positions)
        if not has_pegs(self.rules):
            return sample(self.rules)
        return "".join(SYMBOLS[place // 2 % self.rules.symbols] for place in places)

    def average(self, total: int, *, up: bool = False) -> float:
        """Return turns over all candidates as a mean, a bound rounded so that it still holds."""
        rounded = (ceil if up else floor)(1000 * total / self.remaining)
        return rounded / 1000

    def to(self, history: History | None = None, guess: CodeIndex | None = None) -> str:
        """Return the path of this page with another history or guess; the aim stays."""
        turns = self.analysis.history if history is None else history
        query = {
            "h": address_text(turns),
            "guess": "" if guess is None else self.rules.text(guess),
            "objective": "" if self.asked.objective == AVERAGE else self.asked.objective,
            "max_turns": "" if self.asked.max_turns is None else str(self.asked.max_turns),
            "secrets": "-".join(map(self.rules.text, self.asked.secrets or ())),
        }
        return analysis_path(self.rules, **query)

    def after(self, answer: AnswerIndex) -> str:
        """Return the path of the position after the guess on the board got an answer."""
        assert self.shown is not None
        return self.to(self.analysis.history.after(self.shown.guess, answer))


# -- routes ------------------------------------------------------------------------------------

router = APIRouter()
embedded = APIRouter(prefix=EMBED)
"""Positions that other sites show in a frame."""
files = APIRouter()
"""Pictures, which have no language."""


@router.get("/analyse/size")
@router.get("/analyse")
def choose(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Show the games to choose from; one that is described by its numbers has its own address."""
    if custom.is_chosen:
        return redirect(request, analysis_path(custom.rules))
    page = ChoosePage(library.games, custom)
    return respond(request, "analyse/choose.html", page, block=custom.block, status=custom.status)


@router.get("/analyse/{rules}")
@embedded.get("/analyse/{rules}")
async def show(
    request: Request,
    search: SearchDep,
    rules: str,
    h: str = "",
    guess: TextQuery = "",
    answer: TextQuery = "",
    objective: Annotated[str, Query(max_length=500)] = "",
    max_turns: str = "",
    secrets: Annotated[str, Query(max_length=8000)] = "",
    polls: PollsQuery = 0,
) -> Response:
    """Analyse a position; a guess that is sent with its answer leads to the position after it.

    Turns in another notation than the address's lead to the address of their position.  A copy to
    be read offline starts no search of its own.  A fragment is a preview, which asks for the rest.
    """
    game = Rules.parse(rules)
    form = FormFields(
        h.strip(), guess.strip(), answer, objective, max_turns.strip(), secrets.strip()
    )
    page = AnalysePage.read(game, form, polls)
    if page.is_readable:
        history = page.asked.history
        own = page.asked.own
        if own is not None and answer:
            return redirect(request, page.to(history.after(own, typed_answer(game, answer))))
        if form.h != address_text(history) or rules != str(game):
            fields = {**asdict(form), "h": address_text(history)}
            return redirect(request, analysis_path(game, **fields))
        page = await _analysed(request, search, page)
    return respond(request, "analyse/page.html", page, status=page.response_status)


async def _analysed(request: Request, search: SearchService, page: AnalysePage) -> AnalysePage:
    """Return the page; the preview of a small game for a fragment, or if no process is free."""
    asked = page.asked
    has_preview = page.rules.size <= LARGEST_AT_ONCE
    if has_preview and wants_fragment(request):
        return replace(page, analysis=preview(search.look_up, asked), polls=-1)
    try:
        found = await search.run(request, partial(analyse, asked=asked, again=is_copy(request)))
    except (BusyError, SearchStoppedError):
        if not has_preview:
            raise
        found = preview(search.look_up, asked)
        if found.position and found.position.is_preview and not found.position.known:
            raise
    return replace(page, analysis=found)


# -- cards of positions, which links show ---------------------------------------------------------


@files.get("/pictures/cards/{rules}.png")
async def card(
    request: Request,
    search: SearchDep,
    rules: str,
    h: Annotated[str, Query(max_length=400)] = "",
    guess: WordQuery = "",
    lang: WordQuery = "",
    v: WordQuery = "",
) -> Response:
    """Return the card of a position; under the address that pages give it, it never changes."""
    game = Rules.parse(rules)
    history = read_address(game, h)
    code = game.parse_code(guess) if guess else None
    policy = FOREVER if v == release()[:12] else FRESH
    headers = tagged(request, "", policy=policy)
    content = await search.run(request, partial(drawn, history=history, guess=code, language=lang))
    return Response(content, headers=headers, media_type="image/png")


def drawn(_: Searcher, history: History, guess: CodeIndex | None, language: str) -> bytes:
    """Draw a card in a search process; raise `GameTooLargeError` if there are too many codes."""
    return draw(history, guess, preferred(language))
