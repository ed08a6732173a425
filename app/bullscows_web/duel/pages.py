"""Contexts of the duel pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bullscows.game.history import Correction, History
from bullscows.game.objective import total_turns
from bullscows.game.rules import Answer, Rules
from bullscows_web.duel import sentences
from bullscows_web.duel.chances import MOST_LEFT, Chances, chances, computers_lengths, course
from bullscows_web.duel.levels import Level, LevelName, played
from bullscows_web.duel.state import Duel
from bullscows_web.guess.pages import GuessingPage, past
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.custom_game import CustomGame
from bullscows_web.trees.library import Library
from bullscows_web.trees.links import review_path
from bullscows_web.trees.pages import GamesPage, OfGame, PastTurn


@dataclass(frozen=True)
class ChoicePage(GamesPage):
    """Games for a duel."""

    custom: CustomGame
    """The game described by its numbers."""
    rule = staticmethod(sentences.rule)


@dataclass(frozen=True)
class LevelsPage(OfGame):
    """The levels of one game, to choose from."""

    rules: Rules
    levels: Sequence[Level]
    """The weakest first."""
    rule = staticmethod(sentences.rule)
    level_name = staticmethod(sentences.name)
    habit = staticmethod(sentences.habit)
    prospect = staticmethod(sentences.prospect)
    strategy = staticmethod(sentences.strategy)
    turns = staticmethod(sentences.turns)

    @property
    def visitors_turns(self) -> int:
        """The turns of a new player, who takes as many as the easy level; 0 without that level."""
        return next((round(each.average) for each in self.levels if each.name == "easy"), 0)


@dataclass(frozen=True)
class DuelPage(GuessingPage):
    """A duel under way or over."""

    duel: Duel
    library: Library
    """The trees that chances are counted on."""
    typed: str = ""
    """The typed text, if it is not a valid guess."""
    error: GuessError | None = None
    most_left: ClassVar[int] = MOST_LEFT
    """The most codes for which chances are counted."""
    rule = staticmethod(sentences.rule)
    level_name = staticmethod(sentences.name)

    @property
    def history(self) -> History:  # type: ignore[override]
        """The visitor's turns."""
        return self.duel.mine

    @property
    def levels(self) -> Sequence[LevelName]:
        """The levels of the game, weakest first."""
        return played(self.library, self.rules)

    @cached_property
    def theirs(self) -> list[PastTurn]:
        """The computer's turns."""
        return past(self.duel.theirs)

    @property
    def turn(self) -> int:
        """The number of the guess that is to be made."""
        made = self.duel.guesses if self.duel.mover == "visitor" else self.duel.answers
        return len(made) + 1

    @property
    def is_last_guess(self) -> bool:
        """Whether the other has found the code, and this guess is the last one."""
        return bool(self.duel.found_by_visitor or self.duel.found_by_computer)

    @property
    def question(self) -> str:
        """The computer's current guess."""
        code = self.duel.question
        return "" if code is None else self.rules.text(code)

    @property
    def forgotten(self) -> list[str]:
        """On the computer's turn, its earlier guesses whose answers its guess contradicts."""
        asked = self.duel.question
        respond = self.rules.respond
        if asked is None or self.duel.mover != "computer" or self.duel.refused is not None:
            return []
        turns = self.duel.theirs
        return [
            self.rules.text(guess) for guess, answer in turns if respond(guess, asked) != answer
        ]

    @property
    def cells(self) -> list[tuple[Answer, Duel | None]]:
        """All answers of the game but the last, with the duel after each that is possible."""
        return [(answer, self._after(answer)) for answer in self.rules.answers[:-1]]

    @property
    def win(self) -> Duel | None:
        """The duel after the answer that the guess is right, if it may be."""
        return self._after(self.rules.answers[-1])

    def _after(self, answer: Answer) -> Duel | None:
        index = self.rules.answer_index(*answer)
        return self.duel.answered(index) if index in self.duel.possible else None

    @property
    def example(self) -> str:
        """A candidate, as an example for beginners."""
        return self.rules.text(int(self.left[len(self.left) // 2]))

    @cached_property
    def chances(self) -> Chances | None:
        """Chances of each result; None if too many codes fit."""
        return chances(self.library, self.duel)

    @property
    def computers_average(self) -> float:
        """The turns that the computer takes on average for the codes that may be the visitor's."""
        lengths = computers_lengths(self.duel)
        return total_turns(lengths) / sum(lengths)

    @cached_property
    def course(self) -> list[Chances | None]:
        """The chances at the start and after each turn, if known."""
        return course(self.library, self.duel)

    @property
    def review_path(self) -> str:
        """Path of the review; empty without guesses or with too many."""
        return review_path(self.duel.mine, self.duel.theirs, self.here.lstrip("/"))

    def to(self, duel: Duel) -> str:
        """Return the path of a duel."""
        return f"/duel/{duel.path}"

    @property
    def here(self) -> str:  # type: ignore[override]
        """The path of this one."""
        return self.to(self.duel)


@dataclass(frozen=True)
class CorrectionsPage(DuelPage):
    """Context of a duel in which the visitor's answers contradict each other."""

    @cached_property
    def corrections(self) -> Sequence[Correction]:
        """The corrections, most plausible first."""
        return self.duel.corrections()

    @property
    def is_settled(self) -> bool:
        """Whether the guess on the board gets an answer that is offered, whatever the code is."""
        asked = self.duel.question
        if asked is None or self.duel.refused is not None:
            return False
        return set(self.rules.partition(asked, range(self.rules.size))) <= self.duel.possible

    @property
    def refused(self) -> Answer | None:
        """The answer that no code gives, if one was given."""
        refused = self.duel.refused
        return None if refused is None else self.rules.answers[refused]
