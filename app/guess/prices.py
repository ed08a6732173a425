"""What the guesses of a game cost: each held against the best one there, in turns on average."""

from __future__ import annotations

import time
from dataclasses import dataclass

from app.guess.game import Asked, Guessing
from app.guess.pages import GuessPage
from app.search.service import AnalysisService
from app.trees.library import Library
from app.web.looks import LooksAgain
from engine.analysis.price import DOUBTFUL, GOOD, Price
from engine.game.candidates import MAX_HISTORY
from engine.game.history import History
from engine.game.question import Question
from engine.game.rules import CodeIndex

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


@dataclass(frozen=True)
class PricesPage(LooksAgain, GuessPage):
    """The prices of the guesses of a game."""

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
    def address(self) -> str:
        """The path of the page itself."""
        return self.prices_path

    def better(self, priced: Priced) -> str:
        """Return the better guess; nothing if the one that was made is as good, or may be."""
        above = priced.price.above_apiece
        return self.text(priced.best) if above and above[0] > 0 else ""

    @property
    def thresholds(self) -> tuple[float, float]:
        """Up to how many turns above the best a guess is called good, and doubtful."""
        return GOOD, DOUBTFUL


def prices(
    service: AnalysisService, library: Library, game: Guessing, seconds: float
) -> tuple[Priced, ...]:
    """Find what the guesses of a game cost; for the analyst's thread.

    The last come first: they are proved soonest, and the first ones may use what time is left.
    """
    ends = time.monotonic() + seconds
    asked = [turn for turn in game.turns[:MAX_HISTORY] if len(turn.before) > 1]
    found = [_priced(service, library, game, turn, ends) for turn in reversed(asked)]
    return tuple(reversed(found))


def _priced(
    service: AnalysisService, library: Library, game: Guessing, asked: Asked, ends: float
) -> Priced:
    earlier = tuple((turn.guess, turn.answer) for turn in game.turns[: asked.number - 1])
    question = Question.of(game.rules, History(game.rules, earlier))
    known = service.analysis(library, question, max(ends - time.monotonic(), 0.0) / 2)
    (price,) = service.prices(known, [asked.guess], max(ends - time.monotonic(), 0.0))
    return Priced(asked, price, known.analysis.guess)
