"""The review of any finished game, with its graph: `/review/RULES?h=0123:0.1-4567:1.1`.

The graph shows the expected length of the game at every turn.  At each turn the line rises by what
the guess cost, then runs to the next turn with the luck of the answer.  The picture is 360 wide.
The page gives the same numbers in its list of turns.

A finished game can contain a puzzle: a position with a guess after which the next guess is the
code, whatever the answer.  There is such a guess exactly if some code of the game gets another
answer from each candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Annotated, ClassVar

import numpy as np
from fastapi import APIRouter, Query, Request, Response

from bullscows.analysis.evaluation import DOUBTFUL, GOOD
from bullscows.game.history import MAX_HISTORY, History, narrowed
from bullscows.game.notation import read_code
from bullscows.game.response_table import all_codes, responses_between
from bullscows.game.rules import CodeError, CodeIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows_web.review.reviewed import SHARE, Game, Judgement, ReviewedGame, ReviewedTurn, review
from bullscows_web.review.sentences import luck, story, why
from bullscows_web.search.service import SearchDep, check_cost
from bullscows_web.trees.links import analysis_path, figures_path, puzzle_path, review_path
from bullscows_web.web.dependencies import GuessQuery, guess_in, is_copy
from bullscows_web.web.frame import PollingPage, PollsQuery, read_address, redirect, wants_fragment
from bullscows_web.web.pictures.charts import Scale
from bullscows_web.web.rendering import respond

LEFT, RIGHT, TOP, FLOOR = 34.0, 346.0, 26.0, 132.0
"""Between which points the line stands."""
MOST_LABEL = 340.0
"""How far to the right a loss is written."""
SHOWN = 0.05
"""The least loss that is written next to its step."""
MAX_CODES = 10_000
"""The most codes of a game with a puzzle: comparing all guesses takes some milliseconds."""
FEWEST = 3
"""The fewest candidates of a puzzle: with two, guessing either wins in two turns."""


@dataclass(frozen=True)
class Step:
    """One turn in the graph."""

    turn: ReviewedTurn
    x: float
    """Where it stands."""
    before: float
    """Height of the line before the guess."""
    after: float
    """Height after the guess."""

    @property
    def label_x(self) -> float:
        """Place of the loss, inside of the picture."""
        return min(self.x, MOST_LABEL)

    @property
    def label_y(self) -> float:
        """The height at which the loss is written."""
        return self.after - 9

    @property
    def written(self) -> float:
        """The loss to write next to the step; 0 if it is too small."""
        loss = self.turn.loss[0] if self.turn.loss else 0.0
        return loss if loss >= SHOWN else 0.0


@dataclass(frozen=True)
class Graph:
    """The graph of one game."""

    steps: Sequence[Step]
    """The turns whose numbers are exact, up to the last one."""
    end: tuple[float, float] | None
    """The end of the line; None if the code was not found."""
    start: float
    """The expected length of the game at the first step."""
    best: float
    """Height of that length."""

    @classmethod
    def of(cls, game: ReviewedGame) -> Graph | None:
        """Lay out the last turns whose numbers are exact; None if there are none."""
        known = [*takewhile(lambda turn: turn.lengths, reversed(game.turns))][::-1]
        turns = [(turn, turn.lengths) for turn in known if turn.lengths]
        if not turns:
            return None
        lengths = [pair for _, pair in turns]
        found = [float(len(game.turns))] if game.is_found else []
        values = [*found, *(value for pair in lengths for value in pair)]
        across = Scale(0, max(len(turns) - (not found), 1), LEFT, RIGHT)
        up = Scale(min(values), max(values), FLOOR, TOP)
        steps = [
            Step(turn, across.at(place), up.at(before), up.at(after))
            for place, (turn, (before, after)) in enumerate(turns)
        ]
        end = (RIGHT, up.at(found[0])) if found else None
        return cls(steps, end, lengths[0][0], up.at(lengths[0][0]))

    @property
    def label(self) -> float:
        """The height at which that length is written."""
        return self.best + 4

    @property
    def line(self) -> str:
        """The line as an SVG path."""
        points = [f"{step.x:.1f} {step.before:.1f}V{step.after:.1f}" for step in self.steps]
        points += [] if self.end is None else [f"{self.end[0]:.1f} {self.end[1]:.1f}"]
        return "M" + "L".join(points)

    @property
    def area(self) -> str:
        """The area below the line as an SVG path."""
        last = self.steps[-1].x if self.end is None else self.end[0]
        return f"{self.line}L{last:.1f} {FLOOR + 8:.1f}H{self.steps[0].x:.1f}Z"


@dataclass(frozen=True)
class Address:
    """The parts of the address of a review."""

    rules: Rules
    mine: History
    """The turns of the visitor; may be empty."""
    theirs: History
    """The turns of the computer; may be empty."""
    game: str = ""
    """The path of the game, to go back to; empty if it is not named."""
    turn: int = 0
    """The turn at which another guess is tried; 0 for none."""
    typed: str = ""
    """The text of that guess."""

    @property
    def fields(self) -> dict[str, str]:
        """The fields of a form that keeps the games; empty ones are left out."""
        mine = "-".join(self.mine.texts)
        theirs = "-".join(self.theirs.texts)
        fields = {"h": mine, "theirs": theirs, "game": self.game}
        return {name: text for name, text in fields.items() if text}


@dataclass(frozen=True)
class ReviewPage(PollingPage):
    """The review of a game, or of one of its turns."""

    asked: Address
    """The parts of the address."""
    games: Sequence[ReviewedGame]
    """The turns of the visitor, then those of the computer; the first that there are."""
    polls: int = 0
    """Number of reloads so far."""
    is_wrong: bool = False
    """Whether the guess to try is no code of the game."""
    thresholds: ClassVar[tuple[float, float]] = (GOOD, DOUBTFUL)
    """Up to how many lost turns a guess is called good, and doubtful."""
    graph = staticmethod(Graph.of)
    why = staticmethod(why)
    luck = staticmethod(luck)
    story = staticmethod(story)

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.asked.rules

    def is_pending(self, judged: Judgement) -> bool:
        """Return whether a reload may tell the exact cost of a guess."""
        is_exact = judged.loss is not None and judged.loss[0] == judged.loss[1]
        return self.asks_again and not is_exact and not judged.evaluation.is_refused

    def awaits_totals(self, game: ReviewedGame) -> bool:
        """Return whether a reload will tell more of the totals of a game that can be known."""
        refused = any(turn.evaluation.is_refused for turn in game.turns)
        return self.asks_again and not refused and not game.is_final

    def asks_first(self, turn: ReviewedTurn) -> bool:
        """Return whether the visitor looks for a better guess before the best one is shown.

        A guess tried that is no good guess either does not end the search.
        """
        if self.is_pending(turn):
            return False
        is_bad = bool(turn.better) and turn.loss is not None and turn.loss[0] > GOOD
        tried = turn.tried if self.asked.turn == turn.number else None
        return is_bad and not (tried and tried.loss and tried.loss[0] <= GOOD)

    @property
    def puzzle_path(self) -> str:
        """The path of the puzzle that the visitor's game gives; empty if it gives none."""
        found = puzzle(self.asked.mine)
        return puzzle_path(found) if found else ""

    @property
    def is_final(self) -> bool:
        """Whether a reload would show the same."""
        return all(game.is_final for game in self.games)

    @property
    def address(self) -> str:
        """The path of the page itself, without the guess to try."""
        return review_path(self.asked.mine, self.asked.theirs, self.asked.game)


class FiguresPage(ReviewPage):
    """The totals of one game, which the last screen of the game loads."""

    @property
    def address(self) -> str:
        """The path of this part."""
        return figures_path(self.asked.mine)


# -- positions that can be won in two turns -------------------------------------------------------


def winning(history: History, left: IndexArray) -> list[CodeIndex]:
    """Return the guesses that win in two; none if there are too few or too many candidates."""
    rules = history.rules
    if rules.size > MAX_CODES or not FEWEST <= len(left) <= len(rules.answers):
        return []
    answers = responses_between(rules, left, all_codes(rules))
    answers.sort(axis=0)
    tells_all = (np.diff(answers, axis=0) != 0).all(axis=0)
    return [int(guess) for guess in np.flatnonzero(tells_all)]


def puzzle(history: History) -> History | None:
    """Return the first position of a game that can be won in two, after one guess or more."""
    rules = history.rules
    if rules.size > MAX_CODES:
        return None
    for turns, left in zip(range(len(history)), narrowed(history), strict=False):
        before = History(rules, history[:turns])
        if turns and winning(before, left):
            return before
    return None


# -- routes ------------------------------------------------------------------------------------

router = APIRouter()

GAME = r"^((guess|play|duel|match)/[\w./~?=&:,-]+)?$"
"""Path of a game of this site, to go back to."""


@router.get("/review/{rules}")
async def show(
    request: Request,
    search: SearchDep,
    rules: str,
    h: str = "",
    theirs: str = "",
    game: Annotated[str, Query(max_length=2000, pattern=GAME)] = "",
    turn: Annotated[int, Query(ge=0, le=MAX_HISTORY)] = 0,
    guess: GuessQuery = None,
    polls: PollsQuery = 0,
) -> Response:
    """Review a game; a prefetch starts no search.

    If another guess is tried at a turn, htmx gets that turn only.  Without turns, redirect to the
    analysis.
    """
    played = Rules.parse(rules)
    typed = guess_in(request, played, guess)
    asked = Address(
        played, read_address(played, h), read_address(played, theirs), game, turn, typed or ""
    )
    if not (asked.mine or asked.theirs):
        return redirect(request, analysis_path(played))
    tried, is_wrong = _read(asked)
    only = wants_fragment(request) and 0 < turn <= len(asked.mine)
    others = {} if tried is None else {turn: tried}
    own = Game(asked.mine, tried=others, only=turn if only else 0)
    other = Game(asked.theirs, is_computer=True)
    games = [own] if only else [each for each in (own, other) if each.history]
    check_cost(sum(each.cost for each in games))
    share = 0.0 if is_copy(request) else SHARE
    found = await search.run(request, partial(review, games=games, share=share))
    page = ReviewPage(asked, found, polls, is_wrong)
    template = "review/turn.html" if only else "review/page.html"
    status = 422 if is_wrong else 200
    return respond(request, template, page, status=status)


@router.get("/review/{rules}/figures")
async def show_figures(
    request: Request,
    search: SearchDep,
    rules: str,
    h: str = "",
    polls: PollsQuery = 0,
) -> Response:
    """Show the totals of one game to htmx; others get the review."""
    played = Rules.parse(rules)
    asked = Address(played, read_address(played, h), History(played))
    if not (asked.mine and wants_fragment(request)):
        return redirect(request, review_path(asked.mine, asked.theirs, "") or analysis_path(played))
    games = [Game(asked.mine)]
    check_cost(games[0].cost)
    found = await search.run(request, partial(review, games=games))
    page = FiguresPage(asked, found, polls)
    return respond(request, "review/figures.html", page)


def _read(asked: Address) -> tuple[CodeIndex | None, bool]:
    """Return the guess to try, if there is one, and whether its text is no code."""
    if not (asked.typed and 0 < asked.turn <= len(asked.mine)):
        return None, False
    try:
        return read_code(asked.rules, asked.typed), False
    except CodeError:
        return None, True
