"""Page contexts below `/guess`: the choice of games, and a game with its hints and review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import ClassVar

from bullscows.analysis.evaluation import DOUBTFUL, GOOD
from bullscows.game.history import MAX_HISTORY, History, candidates
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows.game.symmetry import IndexArray
from bullscows_web.guess.game import LIMITS, STANDARD, Guessing, Options
from bullscows_web.guess.puzzle import Advice, Puzzle, advice
from bullscows_web.guess.typed_guess import CodeForm
from bullscows_web.language.catalogues import Language
from bullscows_web.language.words import game_name, has_pegs
from bullscows_web.review.reasons import KnownSymbols, contradictions
from bullscows_web.trees.custom_game import CustomGame
from bullscows_web.trees.library import Entry
from bullscows_web.trees.links import figures_path, position_path, review_path
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import LISTED, PastTurn, listed
from bullscows_web.web.frame import Frame, asking
from bullscows_web.web.pictures.card import card_path
from bullscows_web.web.pictures.field import Field

HINTS = "on"
"""How a game's address asks for hints."""
LONGEST_SHOWN = 12
"""Number of bars in the distribution of results; the last one includes later turns."""
MOST_ROWS = 6
"""The most lines of a result that are shown without scrolling."""


@dataclass(frozen=True)
class ChoicePage(GamesPage):
    """Games to guess."""

    today: date
    """Whose puzzles are those of the day."""
    custom: CustomGame = field(default_factory=CustomGame)
    """The game described by its numbers."""
    options: Options = STANDARD
    limits: range = LIMITS
    """The limits to choose from."""


class GuessingPage(CodeForm):
    """Base of pages on which the visitor guesses: what the answers so far say."""

    history: History
    """The visitor's turns."""
    here: str
    """The path of the page."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.history.rules

    @cached_property
    def turns(self) -> list[PastTurn]:
        """The turns so far."""
        return PastTurn.all_of(self.history)

    @cached_property
    def left(self) -> IndexArray:
        """The codes that fit all answers, (n,) int32 ascending."""
        return candidates(self.rules, self.history)

    @property
    def listed(self) -> list[str] | None:
        """The same as they are written, if they are few enough to list."""
        return listed(self.rules, self.left)

    @property
    def field(self) -> Field:
        """The same as a picture."""
        return Field.of(self.rules, self.left)

    @cached_property
    def known(self) -> KnownSymbols:
        """Which symbols the answers exclude, and which they make certain."""
        return KnownSymbols.of(self.rules, self.left)

    @property
    def review_path(self) -> str:
        """The path of the review; empty without guesses, or with too many."""
        return review_path(self.history, History(self.rules), self.here)


@dataclass(frozen=True)
class GuessPage(GuessingPage):
    """A game in which the visitor guesses."""

    game: Guessing
    hints: bool = False
    """Whether the visitor wants hints."""
    checked: CodeIndex | None = None
    """A guess that was not made: the visitor only asked whether it fits."""
    limits: range = LIMITS
    """The limits of turns to choose from."""
    thresholds: ClassVar[tuple[float, float]] = (GOOD, DOUBTFUL)
    """Up to how many lost turns a guess is called good, and doubtful."""
    longest: ClassVar[int] = LONGEST_SHOWN
    """The number of bars of the results."""
    most_listed: ClassVar[int] = LISTED
    """The most candidates that are listed."""
    newest: Sequence[Puzzle] = ()
    """Of a game that is over: the newest puzzles of the day, and that of the week."""

    @property
    def typed(self) -> str:
        """The text that is no code, or the code that was asked about."""
        return super().typed if self.checked is None else self.text(self.checked)

    @property
    def entry(self) -> Entry:
        """The tree that the visitor is held against, of a game that has one."""
        return self.game.puzzle.entry

    @property
    def turn(self) -> int:
        """The turn to play; of a game that is over, the last one."""
        return len(self.game.guesses) + (not self.game.is_over)

    @property
    def secret(self) -> str:
        """The secret, of a game that is over."""
        return self.text(self.game.puzzle.secret)

    @property
    def card(self) -> str:
        """The path of the picture for links, which never gives the code away."""
        game = self.game
        if game.is_over or game.remaining == 1 or len(game.guesses) > MAX_HISTORY:
            return card_path(History(self.rules))
        return card_path(self.history)

    @property
    def history(self) -> History:  # type: ignore[override]
        """The turns so far."""
        return self.game.history

    @property
    def last_step(self) -> Guessing:
        """The game before it was given up, or before its last guess."""
        return self.game.before(len(self.game.guesses) + self.game.gave_up)

    @property
    def counted_turn(self) -> int:
        """The bar that includes this game; 0 if none does."""
        game = self.game
        is_counted = game.is_found and not game.help.known
        return min(game.made, LONGEST_SHOWN) if is_counted else 0

    @property
    def is_current(self) -> bool:
        """Whether this is the newest puzzle of the day or week of its game."""
        return self.game.puzzle.path in [puzzle.path for puzzle in self.newest]

    @property
    def following(self) -> list[Puzzle]:
        """The puzzles to play after one of a day."""
        puzzle = self.game.puzzle
        return [each for each in self.newest if puzzle.day and each.path != puzzle.path]

    @property
    def is_sooner(self) -> bool:
        """Whether the code was found sooner than by the tree, without taking guesses back."""
        game = self.game
        can_beat = game.puzzle.tree is not None and game.is_found and game.is_judged
        return can_beat and len(game.guesses) < game.puzzle.needs

    @property
    def figures_path(self) -> str:
        """The path of skill and luck in turns; empty if the game is not judged."""
        return figures_path(self.history) if self.game.is_judged else ""

    @property
    def calendar(self) -> str:
        """The path of the calendar that has this game."""
        others = [puzzle.rules for puzzle in self.newest[1:]]
        return asking("/daily", rules=str(self.rules) if self.rules in others else "")

    @property
    def result_rows(self) -> int:
        """The height of the field with the result, in lines."""
        return min(len(self.game.guesses) + 2, MOST_ROWS)

    def result(self, language: Language, frame: Frame) -> str:
        """Return a text to share: the answers as emoji, without the guesses."""
        count = len(self.game.guesses)
        if self.game.is_found:
            turns = language.ngettext("%(count)s turn", "%(count)s turns", count)
        else:
            turns = language.gettext("not found in %(count)s turns")
        bull, cow = ("⚫", "⚪") if has_pegs(self.rules) else ("🐂", "🐄")
        answers = [turn.answer for turn in self.turns]
        pictures = [bull * bulls + cow * cows or "\N{EN DASH}" for bulls, cows in answers]
        name = f"{game_name(language, self.rules)}, {self.game.puzzle.seed}: "
        title = name + turns % {"count": count} + self.game.help.words(language)
        return "\n".join((title, *pictures, frame.origin + frame.url(self.start)))

    def text(self, code: CodeIndex) -> str:
        """Return a code as it is written."""
        return self.rules.text(code)

    def to(self, game: Guessing, *, hints: bool | None = None) -> str:
        """Return the path of a game; hints stay as they are by default."""
        wanted = self.hints if hints is None else hints
        help = game.help.text(self.rules)
        path = f"/guess/{game.path}"
        return asking(path, **game.options.query, hints=HINTS if wanted else "", help=help)

    @property
    def here(self) -> str:  # type: ignore[override]
        """The path of this game."""
        return self.to(self.game)

    @property
    def start(self) -> str:
        """The path of the puzzle without guesses and help, to share it."""
        return asking(f"/guess/{self.game.puzzle.path}", **self.game.options.query)

    @property
    def embedded(self) -> str:
        """The path of the puzzle, or of the newest of its kind, below that of frames."""
        puzzle = self.game.puzzle
        return asking("/daily", rules=str(self.rules)) if puzzle.day else self.start

    @property
    def new(self) -> str:
        """The path of a new puzzle with the same rules and options."""
        return asking(f"/guess/{self.rules}", **self.game.options.query)

    @property
    def asked(self) -> str:
        """The guesses as part of the address."""
        return "-".join(map(self.text, self.game.guesses))

    @property
    def help(self) -> str:
        """The help as part of the address."""
        return self.game.help.text(self.rules)

    @property
    def analysis(self) -> str:
        """The path of the analysis of the position; empty after too many turns."""
        return position_path(self.history) if len(self.history) <= MAX_HISTORY else ""

    @property
    def contradicted(self) -> list[tuple[PastTurn, Answer]]:
        """The turns that rule out the code that was asked about, with what it would answer."""
        if self.checked is None:
            return []
        found = contradictions(self.history, self.checked)
        return [(self.turns[number - 1], instead) for number, instead in found]

    @cached_property
    def advice(self) -> Advice | None:
        """The best guess known."""
        return advice(self.game.puzzle, self.history)

    @property
    def played(self) -> str:
        """The game as the tally knows it, by its answers."""
        return self._tallied(self.game)

    @property
    def played_before(self) -> str:
        """The game before its last turn, as the tally knows it."""
        return self._tallied(self.game.before(len(self.game.guesses)))

    @property
    def once(self) -> str:
        """How the tally's games of this puzzle begin: it counts the first."""
        return f"guess-{self.rules} {self.game.puzzle.seed}/"

    def _tallied(self, game: Guessing) -> str:
        answers = "-".join(str(self.rules.answers[answer]) for _, answer in game.history)
        return self.once + answers
