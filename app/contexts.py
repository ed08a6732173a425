"""What each page is rendered from: one frozen dataclass per template, and the frame of them all.

A template reads `page`, one of these, and `frame`; an undeclared name in a template is an error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qs, quote, urlencode

from app import doctor
from app.doctor import Check, Repair
from app.i18n import Language, languages
from app.insight import Insight
from app.library import Entry
from app.position import Choice, Position
from app.words import BULLS_COWS, MASTERMIND, has_pegs
from engine.game.rules import Answer, Rules
from engine.tree.files import TreeRecord

LISTED = 100
"""The most candidates that a page lists; larger numbers are only counted."""
GLANCE = 30
"""The candidates that the analysis of a game lists before it is asked for all of them."""
ANALYSES = ("open", "all")
"""How a game's address asks for the analysis: as such, or with all candidates."""

_IN_PATH = "/:@!$&'()*+,;=~"
"""What stands for itself in a path, besides letters, digits and ``_.-``."""
_IN_QUERY = _IN_PATH + "?%"
"""The same in a query, which is not decoded before."""


def address(path: str, query: str) -> str:
    """Return the URL within this site of a decoded path and a query as it was received."""
    path = quote("/" + path.lstrip("/"), safe=_IN_PATH)  # two slashes would name a host
    return f"{path}?{quote(query, safe=_IN_QUERY)}" if query else path


def analysis_aim(record: TreeRecord) -> dict[str, str]:
    """Return what the analysis is asked to minimise so that it fits a tree.

    Fewest turns is what it minimises anyway, without a last turn: such values are proved soonest.
    """
    first = record.objective.partition(",")[0]
    if record.proof != "exact" or first == "average":
        return {}
    cap = {} if record.max_turns is None else {"max_turns": str(record.max_turns)}
    return {"objective": record.objective, **cap}


@dataclass(frozen=True)
class Frame:
    """What is around every page, and how it links to others."""

    language: Language
    """The language of this page."""
    path: str
    """The path of this page in English, decoded, from which other languages' are made."""
    query: str
    """Its query, as it stands in the address."""
    section: str
    """The part of the site: play, trees, about, or nothing."""
    is_fragment: bool
    """Whether only the changing parts are asked for."""

    def url(self, path: str) -> str:
        """Return the URL of a path in this page's language."""
        return self.language.prefix + path

    @cached_property
    def is_analysed(self) -> bool:
        """Whether this is the page of a game, and its address asks for the analysis."""
        asked = parse_qs(self.query, keep_blank_values=True).get("analysis", [""])
        return self.section == "play" and asked[-1] in ANALYSES

    def position(self, position: Position) -> str:
        """Return the URL of a game's state; an analysis that is open stays open there."""
        return self._play(f"/{position.path}")

    def analysis(self, position: Position, extent: str = "") -> str:
        """Return the URL of a game's state with the analysis, one of `ANALYSES`, or without."""
        path = self.url(f"/play/{position.path}")
        return f"{path}?analysis={extent}" if extent else path

    def _play(self, path: str, **query: str) -> str:
        if self.is_analysed:
            query["analysis"] = "open"
        return self.url(f"/play{path}") + (f"?{urlencode(query)}" if query else "")

    def analyse(self, position: Position) -> str:
        """Return the URL of the analysis of a game's state, as its player sees it."""
        turns = "-".join(f"{turn.guess}:{turn.answer}" for turn in position.history)
        told = analysis_aim(position.entry.record)
        if turns:
            told = {"h": turns, **told}
        path = self.url(f"/analyse/{position.entry.rules}")
        return f"{path}?{urlencode(told, safe=':,')}" if told else path

    def node(self, position: Position) -> str:
        """Return the URL of the tree page for a position."""
        name, _, *answers = position.parts
        return self.url("/".join(("/trees", name, *answers)))

    def doubt(self, position: Position, answer: Answer | None = None, *, secret: str = "") -> str:
        """Return the URL of the page that looks for a wrong answer, given the right one here.

        Or given what the player says to have thought of.
        """
        told = {"answer": str(answer) if answer else "", "secret": secret}
        path = f"/{position.path}/none"
        return self._play(path, **{name: text for name, text in told.items() if text})

    def new_game(self, entry: Entry, *, shuffle: bool) -> str:
        """Return the URL that starts a game."""
        return self._play("", tree=entry.name, **({"shuffle": "on"} if shuffle else {}))

    @property
    def layout(self) -> str:
        """The template that the page extends."""
        return "_layout/fragment.html" if self.is_fragment else "_layout/base.html"

    @property
    def translations(self) -> list[tuple[Language, str]]:
        """All languages with this page's URL in each."""
        url = address(self.path, self.query)
        return [(language, language.prefix + url) for language in languages()]

    @property
    def others(self) -> list[tuple[Language, str]]:
        """The other languages with the URL that chooses them."""
        return [
            (language, url + "?lang=en" if url == "/" else url)
            for language, url in self.translations
            if language is not self.language
        ]


@dataclass(frozen=True)
class Game:
    """A game with the trees that play it."""

    rules: Rules
    """Its rules."""
    entries: Sequence[Entry]
    """Its trees, the one to offer first at the front."""


@dataclass(frozen=True)
class StartPage:
    """The start page."""

    games: Sequence[Game]
    """The games that can be played."""

    @property
    def featured(self) -> Sequence[Game]:
        """The games that most visitors come for; without them, the first two."""
        known = [game for game in self.games if game.rules in (BULLS_COWS, MASTERMIND)]
        return known or self.games[:2]

    @property
    def others(self) -> Sequence[Game]:
        """The games of other sizes."""
        return [game for game in self.games if game not in self.featured]


class OfTree(ABC):
    """What all pages about one tree know."""

    @property
    @abstractmethod
    def entry(self) -> Entry:
        """The tree."""

    @property
    def rules(self) -> Rules:
        """The rules of its game."""
        return self.entry.rules

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return has_pegs(self.rules)


@dataclass(frozen=True)
class AtPosition(OfTree):
    """What all pages about one state of a game know."""

    position: Position
    """The state."""

    @property
    def entry(self) -> Entry:
        """The tree that is played."""
        return self.position.entry

    @property
    def candidates(self) -> list[str] | None:
        """The codes that fit all answers, if they are few enough to list."""
        return self.position.candidates if self.position.remaining <= LISTED else None


@dataclass(frozen=True)
class PlayPage(AtPosition):
    """A game in progress or finished."""

    analysis: str = ""
    """Which of the `ANALYSES` is asked for; anything else is none."""

    @cached_property
    def insight(self) -> Insight | None:
        """What is said of the guess, if that is asked for."""
        wanted = self.analysis in ANALYSES and not self.position.is_finished
        return Insight(self.position) if wanted else None

    @property
    def is_cut(self) -> bool:
        """Whether the analysis lists some of the candidates only."""
        return self.analysis != "all" and self.position.remaining > GLANCE

    @property
    def glance(self) -> list[str]:
        """The candidates that are listed at first."""
        return self.position.candidates[:GLANCE]

    @property
    def cells(self) -> list[tuple[Answer, Choice | None]]:
        """All answers of the game but the last, with the choice where it is possible."""
        possible = {choice.answer: choice for choice in self.position.choices}
        return [(answer, possible.get(answer)) for answer in self.rules.answers[:-1]]

    @property
    def win(self) -> Choice | None:
        """The choice that ends the game, if this guess can."""
        last = self.rules.answers[-1]
        return next((c for c in self.position.choices if c.answer == last), None)

    @property
    def is_shuffled(self) -> bool:
        """Whether the game is played under a relabelling."""
        return self.position.relabelling.token != "0"


@dataclass(frozen=True)
class DoctorPage(AtPosition):
    """What may be wrong with answers that don't fit; `position` is the last that was possible."""

    refused: Answer | None
    """The answer that none of its candidates gives; None if the player did not say which."""
    repairs: Sequence[Repair]
    """The single changes that mend the history, most plausible first."""
    unoffered: Sequence[Answer] = ()
    """The answers to the guess on the board of which one may be right, if none was refused yet."""
    secret: str = ""
    """The code that the player says to have thought of, as it was typed."""
    secret_error: bool = False
    """Whether that is no code of the game."""
    checks: Sequence[Check] = ()
    """The turns held against that code."""

    @property
    def settled(self) -> bool:
        """Whether the guess on the board gets an answer offered before, whatever the code is."""
        return self.refused is None and not self.unoffered

    @property
    def wrong(self) -> list[Check]:
        """The turns that the typed code answers otherwise."""
        return [check for check in self.checks if not check.is_correct]

    @property
    def next_answer(self) -> Answer:
        """What the typed code answers to the guess on the board."""
        code = self.position.hide(self.secret)
        return self.rules.answers[self.rules.respond(self.position.node.guess, code)]

    @property
    def mended(self) -> Position:
        """Where the game goes on with the first wrong answer put right, or the next one given."""
        if not self.wrong:
            return self.position.after(self.rules.answer_index(*self.next_answer))
        known = {
            self.position.hide(check.guess): self.rules.answer_index(*check.correct)
            for check in self.checks
        }
        return doctor.resume(self.position.before(self.wrong[0].turn), known)


@dataclass(frozen=True)
class TreesPage:
    """The list of trees."""

    games: Sequence[Game]
    """The games with their trees."""
    failed: Sequence[str]
    """Trees whose files were refused."""


@dataclass(frozen=True)
class NodePage(AtPosition):
    """One node of a tree; `position` is the game there, not relabelled."""

    turns: Sequence[int]
    """How many of its candidates are guessed at turn 1, 2, ..."""

    @property
    def is_root(self) -> bool:
        """Whether this is the whole tree."""
        return self.position.parent is None

    @property
    def average(self) -> float:
        """The mean turn at which its candidates are guessed."""
        total = sum(turn * count for turn, count in enumerate(self.turns, start=1))
        return total / self.position.remaining

    @property
    def string(self) -> str:
        r"""The tree's text with DEL written ``\x7f``: the backslash is no base-92 digit."""
        return self.entry.record.string.replace("\x7f", "\\x7f")


@dataclass(frozen=True)
class ErrorPage:
    """Something that can't be shown."""

    status: int
    """The HTTP status."""
    reason: str
    """Which of the messages of the template applies."""
    detail: str
    """Where it is wrong and what to do, in the page's language."""
    way_on: tuple[str, str] | None = None
    """The URL where to go on, and what to call it, if the error knows."""
