"""Context of the review page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bullscows.analysis.findings import DOUBTFUL, GOOD
from bullscows.game.history import History
from bullscows.game.rules import Rules
from bullscows_web.language.words import has_pegs
from bullscows_web.review.graph import Graph
from bullscows_web.review.reasons import Impossible, impossible, luck, shortfall
from bullscows_web.review.reviewed import Judgement, ReviewedGame, ReviewedTurn
from bullscows_web.trees.links import review_path
from bullscows_web.web.histories import address_text
from bullscows_web.web.html.polling import PollingPage


@dataclass(frozen=True)
class Asked:
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
    def h(self) -> str:
        """The visitor's turns in the address."""
        return address_text(self.mine)

    @property
    def their_text(self) -> str:
        """The computer's turns in the address."""
        return address_text(self.theirs)


@dataclass(frozen=True)
class ReviewPage(PollingPage):
    """The review of a game, or of one of its turns."""

    asked: Asked
    """The parts of the address."""
    games: Sequence[ReviewedGame]
    """The turns of the visitor, then those of the computer; the first that there are."""
    polls: int = 0
    """Number of reloads so far."""
    is_wrong: bool = False
    """Whether the guess to try is no code of the game."""

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.asked.rules

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return has_pegs(self.rules)

    @property
    def is_final(self) -> bool:
        """Whether a reload would show the same."""
        return all(game.is_final for game in self.games)

    @property
    def address(self) -> str:
        """The path of the page itself, without the guess to try."""
        return review_path(self.asked.mine, self.asked.theirs, self.asked.game)

    @property
    def thresholds(self) -> tuple[float, float]:
        """Up to how many lost turns a guess is called good, and doubtful."""
        return GOOD, DOUBTFUL

    def graph(self, game: ReviewedGame) -> Graph | None:
        """Return the graph of a game, if its numbers are known."""
        return Graph.of(game)

    def impossible(self, judged: Judgement) -> Impossible | None:
        """Return why a guess could not be the code; None if it could."""
        return impossible(judged)

    def shortfall(self, judged: Judgement) -> str:
        """Return what the better guess does better; see `reasons.shortfall`."""
        return shortfall(judged)

    def luck(self, turn: ReviewedTurn) -> str:
        """Return what an answer was worth; see `reasons.luck`."""
        return luck(turn)
