"""What the guesses of a game cost: each held against the best one there, in turns on average."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from app.guess.game import Asked
from app.guess.pages import GuessPage
from app.search.service import AnalysisService
from app.trees.library import Library
from app.web.looks import LooksAgain
from engine.analysis.price import DOUBTFUL, GOOD, Price
from engine.game.candidates import MAX_HISTORY
from engine.game.history import History
from engine.game.question import Question
from engine.game.rules import CodeIndex, Rules

SECONDS = 0.6
"""What the prices of a game may take at once; looking again goes on from there."""


@dataclass(frozen=True)
class Priced:
    """A guess that was made while more than one code fitted, and what it cost."""

    asked: Asked
    """The guess with its answer."""
    price: Price
    """What it cost, held against the best one."""
    best: CodeIndex
    """The best guess that is known there."""

    @property
    def better(self) -> CodeIndex | None:
        """The better guess; None if the one that was made is as good, or may be."""
        above = self.price.above_apiece
        return self.best if above and above[0] > 0 else None


@dataclass(frozen=True)
class PricedTurns(LooksAgain):
    """What a page with the prices of the guesses of a game has besides the game."""

    prices: tuple[Priced, ...] = ()
    """Of each guess that could tell something."""
    looks: int = 0
    """How many times this page has asked again by itself."""

    @property
    def given_away(self) -> tuple[float, float] | None:
        """Between what all guesses together cost above the best ones; None unless all are known."""
        known = [priced.price.above_apiece for priced in self.prices]
        if not known:
            return None
        lower = upper = 0.0
        for above in known:
            if above is None:
                return None
            lower, upper = lower + above[0], upper + above[1]
        return lower, upper

    @property
    def is_final(self) -> bool:
        """Whether looking again would tell nothing new."""
        return all(priced.price.status == "optimal" for priced in self.prices)

    @property
    def thresholds(self) -> tuple[float, float]:
        """Up to how many turns above the best a guess is called good, and doubtful."""
        return GOOD, DOUBTFUL


@dataclass(frozen=True)
class PricesPage(PricedTurns, GuessPage):
    """The prices of the guesses of a puzzle."""

    @property
    def address(self) -> str:
        """The path of the page itself."""
        return self.prices_path

    def before(self, asked: Asked) -> str:
        """Return the path of the analysis of the position in which a guess was made."""
        return self.analysis(self.game.turns[: asked.number - 1])


def prices(
    service: AnalysisService,
    library: Library,
    rules: Rules,
    turns: Sequence[Asked],
    seconds: float,
) -> tuple[Priced, ...]:
    """Find what the guesses of a game cost; for the analyst's thread.

    The last come first: they are proved soonest, and the first ones may use what time is left.
    """
    ends = time.monotonic() + seconds
    asked = [turn for turn in turns[:MAX_HISTORY] if len(turn.before) > 1]
    found = [
        _priced(service, library, _position(rules, turns, turn), turn, ends)
        for turn in reversed(asked)
    ]
    return tuple(reversed(found))


def _position(rules: Rules, turns: Sequence[Asked], asked: Asked) -> Question:
    earlier = tuple((turn.guess, turn.answer) for turn in turns[: asked.number - 1])
    return Question.of(rules, History(rules, earlier))


def _priced(
    service: AnalysisService, library: Library, question: Question, asked: Asked, ends: float
) -> Priced:
    known = service.analysis(library, question, max(ends - time.monotonic(), 0.0) / 2)
    (price,) = service.prices(known, [asked.guess], max(ends - time.monotonic(), 0.0))
    return Priced(asked, price, known.analysis.guess)
