"""The duel: its levels, its turns, and the answers that may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar

from fastapi import APIRouter, Depends, Request, Response

from bullscows.game.history import Correction, History
from bullscows.game.objective import mean_turns
from bullscows.game.rules import Rules
from bullscows.game.scoring import Answer
from bullscows_web.duel import solo
from bullscows_web.duel.chances import MOST_LEFT, Chances, chances, computers_lengths, course
from bullscows_web.duel.levels import FORMER, Level, LevelName, levels, played
from bullscows_web.duel.state import Duel, Terms
from bullscows_web.guess.pages import GuessingPage
from bullscows_web.guess.puzzle import RulesDep
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.language.catalogues import Language
from bullscows_web.review.reasons import contradictions
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.trees.links import review_path
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import PastTurn, typed_answer
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import IN_TURN, GuessQuery, WordQuery, guess_in
from bullscows_web.web.encrypted_state import CipherDep
from bullscows_web.web.exceptions import NotFoundError
from bullscows_web.web.frame import redirect
from bullscows_web.web.rendering import respond


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
        against = language.ngettext(
            "A player who is as fast as the easy level, with %(turns)s turn on average, wins "
            "%(won)s, draws %(drawn)s and loses %(lost)s of the duels against it.",
            "A player who is as fast as the easy level, with %(turns)s turns on average, wins "
            "%(won)s, draws %(drawn)s and loses %(lost)s of the duels against it.",
            self.visitors_turns,
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
        turns = self.visitors_turns
        text = language.ngettext(
            "With %(turns)s turn you win about %(share)s.",
            "With %(turns)s turns you win about %(share)s.",
            turns,
        )
        return text % {"turns": turns, "share": share}


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
        return mean_turns(computers_lengths(self.duel))

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


# -- routes ------------------------------------------------------------------------------------


def duel_of(
    library: LibraryDep, cipher: CipherDep, rules: RulesDep, token: str, moves: str = ""
) -> Duel:
    """Return the duel of a page's URL; see `Duel.parse`."""
    return Duel.parse(library, cipher, rules, token, moves)


DuelDep = Annotated[Duel, Depends(duel_of)]


router = APIRouter()
in_turn = APIRouter(dependencies=[IN_TURN])


@router.get("/duel/size")
@router.get("/duel", dependencies=[IN_TURN])
def choose(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Show the games to choose from, or the levels of a game that is described by its numbers."""
    custom = replace(custom, played=frozenset(game.rules for game in library.games))
    if custom.is_chosen:
        return redirect(request, f"/duel/{custom.rules}")
    page = ChoicePage(library.games, custom)
    return respond(request, "duel/choose.html", page, block=custom.block, status=custom.status)


router.include_router(solo.router)  # before the tokens: their names are no games


@in_turn.get("/duel/{rules}")
def choose_level(request: Request, library: LibraryDep, rules: RulesDep) -> Response:
    """Show the levels of a game, and how each fares."""
    page = LevelsPage(rules, levels(library, rules))
    return respond(request, "duel/levels.html", page)


@in_turn.get("/duel/{rules}/new")
def begin(
    request: Request,
    library: LibraryDep,
    cipher: CipherDep,
    rules: RulesDep,
    level: WordQuery = "",
    begins: WordQuery = "",
) -> Response:
    """Draw a code and encrypt it into the URL; by default the visitor begins, at the weakest."""
    terms = Terms.draw(rules, _level(library, rules, level), visitor_begins=begins != "computer")
    return redirect(request, f"/duel/{rules}/{terms.token(cipher)}", headers=NO_STORE)


@in_turn.get("/duel/{rules}/{token}/none")
@in_turn.get("/duel/{rules}/{token}/{moves}/none")
def show_corrections(
    request: Request,
    library: LibraryDep,
    duel: DuelDep,
    answer: WordQuery = "",
) -> Response:
    """Show corrections, because none of the offered answers is right."""
    if duel.mover != "computer" and duel.refused is None:
        return _to(request, duel)
    if answer and duel.refused is None:
        duel = duel.answered(typed_answer(duel.rules, answer))
        if duel.refused is None:
            return _to(request, duel)
    return _corrections(request, library, duel, 200)


@in_turn.get("/duel/{rules}/{token}")
@in_turn.get("/duel/{rules}/{token}/{moves}")
def show(
    request: Request,
    library: LibraryDep,
    duel: DuelDep,
    moves: str = "",
    guess: GuessQuery = None,
) -> Response:
    """Show a duel; a valid guess redirects to the duel after it."""
    if duel.refused is not None:
        return _corrections(request, library, duel, 409)
    page = DuelPage(duel, library)
    typed = guess_in(request, duel.rules, guess)
    if moves != duel.moves or (typed is not None and duel.mover != "visitor"):
        return _to(request, duel)
    if typed is None:
        return respond(request, "duel/page.html", page)
    try:
        return _to(request, duel.ask(typed))
    except GuessError as error:
        wrong = replace(page, error=error)
        return respond(request, "duel/page.html", wrong, status=422)


router.include_router(in_turn)


def _level(library: Library, rules: Rules, name: str) -> LevelName:
    """Return a level by its name, or by its name in version 1.0; the weakest without a name."""
    known = played(library, rules)
    wanted = FORMER.get(name, name)
    found = next((each for each in known if each == wanted), None if name else known[0])
    if found is None:
        raise NotFoundError("unknown-level", name, rules)
    return found


def _to(request: Request, duel: Duel) -> Response:
    return redirect(request, f"/duel/{duel.path}")


def _corrections(request: Request, library: Library, duel: Duel, status: int) -> Response:
    page = CorrectionsPage(duel, library)
    return respond(request, "duel/corrections.html", page, status=status)
