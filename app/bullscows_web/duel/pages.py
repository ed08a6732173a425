"""Contexts of the duel pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bullscows.game.history import Correction, History
from bullscows.game.objective import total_turns
from bullscows.game.rules import Answer, Rules
from bullscows_web.duel.chances import MOST_LEFT, Chances, chances, computers_lengths, course
from bullscows_web.duel.levels import Level, LevelName, played
from bullscows_web.duel.state import Duel
from bullscows_web.guess.pages import GuessingPage
from bullscows_web.language.catalogues import Language
from bullscows_web.review.reasons import contradictions
from bullscows_web.trees.custom_game import CustomGame
from bullscows_web.trees.library import Library
from bullscows_web.trees.links import review_path
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import PastTurn


class DuelWords:
    """Words of all pages about duels."""

    @staticmethod
    def rule(language: Language) -> str:
        """Return the rule of the duel."""
        return language.gettext(
            "You and the computer each think of a code and guess in turn. The player who needs "
            "fewer turns wins."
        )

    @staticmethod
    def level_name(language: Language, level: LevelName) -> str:
        """Return the name of a level."""
        _ = language.gettext
        return {
            "beginner": _("Beginner"),
            "easy": _("Easy"),
            "medium": _("Medium"),
            "hard": _("Hard"),
            "expert": _("Expert"),
            "champion": _("Champion"),
        }[level]


@dataclass(frozen=True)
class ChoicePage(GamesPage, DuelWords):
    """Games for a duel."""

    custom: CustomGame
    """The game described by its numbers."""


@dataclass(frozen=True)
class LevelsPage(DuelWords):
    """The levels of one game, to choose from."""

    rules: Rules
    levels: Sequence[Level]
    """The weakest first."""

    @property
    def visitors_turns(self) -> int:
        """The turns of a new player, who takes as many as the easy level; 0 without that level."""
        return next((round(each.average) for each in self.levels if each.name == "easy"), 0)

    def habit(self, language: Language, level: Level) -> str:
        """Return a sentence about how a level plays."""
        _ = language.gettext
        best = _("Plays perfectly.") if level.is_proved else _("Plays the best known strategy.")
        return {
            "beginner": _("Forgets three of four answers."),
            "easy": _("Forgets every second answer."),
            "medium": _("Forgets every third answer."),
            "hard": _("Forgets every sixth answer."),
            "expert": _("Never forgets an answer."),
            "champion": best,
        }[level.name]

    def strategy(self, language: Language, level: Level) -> str:
        """Return how a level chooses its guesses."""
        _ = language.gettext
        if level.name == "champion" and level.is_proved:
            return _(
                "Optimal play: a search of all strategies proved that none wins more duels against "
                "it than it loses."
            )
        if level.name == "champion":
            return _(
                "The strategy with the fewest turns that is known. Nothing is proved about its "
                "duels."
            )
        if level.name == "expert":
            return _(
                "Random consistent guess: any code that fits all answers, each equally likely."
            )
        return _(
            "Random consistent guess with gaps: at each guess it forgets some of your answers, "
            "chosen at random, and guesses any code that fits the others. It never repeats a guess."
        )

    def turns(self, language: Language, level: Level) -> str:
        """Return how many turns a level takes, and how often a new player beats it."""
        average = language.decimal(level.average, 2)
        text = language.gettext("%(average)s turns on average, %(last)s at most.")
        text %= {"average": average, "last": len(level.turns)}
        if level.visitor is None:
            return text
        against = language.gettext(
            "A player who is as fast as the easy level, with %(turns)s turns on average, wins "
            "%(won)s, draws %(drawn)s and loses %(lost)s of the duels against it."
        )
        chances = Chances.of(level.visitor)
        return f"{text} " + against % {
            "turns": self.visitors_turns,
            "won": language.percent(chances.won),
            "drawn": language.percent(chances.drawn),
            "lost": language.percent(chances.lost),
        }

    def prospect(self, language: Language, level: Level) -> str:
        """Return how often a new player beats a level; empty if that is not known."""
        if level.visitor is None:
            return ""
        share = language.percent(Chances.of(level.visitor).won)
        text = language.gettext("If you need %(turns)s turns, you win %(share)s.")
        return text % {"turns": self.visitors_turns, "share": share}


@dataclass(frozen=True)
class DuelPage(GuessingPage, DuelWords):
    """A duel under way or over."""

    duel: Duel
    library: Library
    """The trees that chances are counted on."""
    most_left: ClassVar[int] = MOST_LEFT
    """The most codes for which chances are counted."""

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
        return PastTurn.all_of(self.duel.theirs)

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
        if asked is None or self.duel.mover != "computer" or self.duel.refused is not None:
            return []
        guesses = self.duel.theirs.guesses
        found = contradictions(self.duel.theirs, asked)
        return [self.rules.text(guesses[number - 1]) for number, _ in found]

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
        return review_path(self.duel.mine, self.duel.theirs, self.here)

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
