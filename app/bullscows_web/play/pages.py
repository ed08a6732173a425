"""Contexts of the play pages: the board, its end, and corrections of wrong answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bullscows.game.candidates import Correction
from bullscows.game.history import History
from bullscows.game.rules import Answer
from bullscows_web.play.guess_analysis import GuessAnalysis
from bullscows_web.play.wrong_answers import Check
from bullscows_web.trees.corrections import continued, resume
from bullscows_web.trees.links import ANALYSES, review_path
from bullscows_web.trees.pages import GLANCE, LIKELY, AtPosition
from bullscows_web.trees.position import Choice, GamePosition
from bullscows_web.web.pictures.card import card_path, start_card
from bullscows_web.web.pictures.field import Field

MAX_TURNS = 16
"""The longest game that the browser's record of results has a row for."""


@dataclass(frozen=True)
class PlayPage(AtPosition):
    """A game in progress or finished."""

    analysis: str = ""
    """The requested analysis, one of `ANALYSES`; any other value requests none."""

    @cached_property
    def guess_analysis(self) -> GuessAnalysis | None:
        """The analysis of the present guess, or None if it was not requested."""
        wanted = self.analysis in ANALYSES and not self.position.is_finished
        return GuessAnalysis(self.position) if wanted else None

    @property
    def node(self) -> GamePosition:
        """The position whose guess is on the board; the last one if the game is finished."""
        position = self.position
        return position.before(position.turn) if position.is_finished else position

    @property
    def field(self) -> Field:
        """The candidates, coloured by their answers to the guess on the board."""
        return Field.of(self.rules, *self.position.split())

    @property
    def card(self) -> str:
        """The path of the link preview; of a finished game, the start picture reveals nothing."""
        if self.position.is_finished:
            return start_card(self.rules)
        return card_path(self._history, self.rules.parse_code(self.position.guess))

    @cached_property
    def _history(self) -> History:
        turns = [(turn.guess, str(turn.answer)) for turn in self.position.history]
        return History.of(self.rules, turns)

    @property
    def review_path(self) -> str:
        """The path of the review of a finished game."""
        path = f"play/{self.position.path}"
        return review_path(History(self.rules), self._history, path)

    @property
    def sooner(self) -> float:
        """Share of all codes found before this turn, 0 to 1."""
        return sum(self.entry.record.distribution[: self.position.turn - 1]) / self.rules.size

    @property
    def later(self) -> float:
        """Share of all codes found after this turn, 0 to 1."""
        return sum(self.entry.record.distribution[self.position.turn :]) / self.rules.size

    @property
    def longest(self) -> int:
        """The longest game in the browser's record."""
        return MAX_TURNS

    @property
    def is_cut(self) -> bool:
        """Whether the analysis lists only some of the candidates."""
        return self.analysis != "all" and self.position.remaining > GLANCE

    @property
    def glance(self) -> list[str]:
        """The candidates listed at first."""
        return self.position.candidates[:GLANCE]

    @property
    def cells(self) -> list[tuple[Answer, Choice | None]]:
        """All answers except the last, each with its choice if the answer is possible."""
        possible = {choice.answer: choice for choice in self.position.choices}
        return [(answer, possible.get(answer)) for answer in self.rules.answers[:-1]]

    @property
    def win(self) -> Choice | None:
        """The choice that ends the game, or None if the guess is no candidate."""
        last = self.rules.answers[-1]
        return next((c for c in self.position.choices if c.answer == last), None)

    @property
    def is_shuffled(self) -> bool:
        """Whether the game is played under a relabelling."""
        return self.position.relabelling.token != "0"


@dataclass(frozen=True)
class WrongAnswersPage(AtPosition):
    """Corrections of contradictory answers; `position` is the last consistent position."""

    refused: Answer | None
    """The contradictory answer; None if the player did not name one."""
    corrections: Sequence[Correction]
    """Changes of one answer that make all answers consistent, most plausible first."""
    unoffered: Sequence[Answer] = ()
    """Answers to the guess on the board that may still be right."""
    secret: str = ""
    """The player's secret, as typed."""
    secret_error: bool = False
    """Whether the typed secret is no code of the game."""
    checks: Sequence[Check] = ()
    """The turns compared with the typed secret."""

    @property
    def likely(self) -> Sequence[Correction]:
        """The most plausible corrections."""
        return self.corrections[:LIKELY]

    @property
    def unlikely(self) -> Sequence[Correction]:
        """The other corrections."""
        return self.corrections[LIKELY:]

    def continued(self, correction: Correction) -> GamePosition:
        """Return the position from which the game continues after a correction."""
        return continued(self.position, correction)

    @property
    def settled(self) -> bool:
        """Whether the guess on the board has only answers that were offered before."""
        return self.refused is None and not self.unoffered

    @property
    def wrong(self) -> list[Check]:
        """The turns whose answers contradict the typed secret."""
        return [check for check in self.checks if not check.is_correct]

    @property
    def next_answer(self) -> Answer:
        """The answer of the typed secret to the guess on the board."""
        code = self.position.hide(self.secret)
        return self.rules.answers[self.rules.respond(self.position.node.guess, code)]

    @property
    def corrected(self) -> GamePosition:
        """The position after correcting the first wrong answer, or after the next answer."""
        if not self.wrong:
            return self.position.after(self.rules.answer_index(*self.next_answer))
        known = {
            self.position.hide(check.guess): self.rules.answer_index(*check.correct)
            for check in self.checks
        }
        return resume(self.position.before(self.wrong[0].turn), known)
