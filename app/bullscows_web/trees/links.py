"""How pages link to games, to the nodes of trees, and to the analysis of a position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from fastapi import Request

from bullscows.game.history import MAX_HISTORY, History
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.scoring import Answer
from bullscows.tree.files import TreeRecord
from bullscows_web.language.words import BULLS_COWS
from bullscows_web.web.frame import Frame, asking, frame_of
from bullscows_web.web.pictures.card import start_card

if TYPE_CHECKING:
    from bullscows_web.trees.library import Entry
    from bullscows_web.trees.position import GamePosition

ANALYSES = ("open", "all")
"""How a game's address asks for the analysis: as such, or with all candidates."""


def analysis_path(rules: Rules, **words: str) -> str:
    """Return the path of the analysis of a game, without its language.

    `words` are h (the turns), guess, objective, max_turns and secrets.
    """
    return asking(f"/analyse/{rules}", **words)


def position_path(history: History, guess: CodeIndex | None = None) -> str:
    """Return the path of the analysis of a position, and of a guess there."""
    text = "" if guess is None else history.rules.text(guess)
    return analysis_path(history.rules, h="-".join(history.texts), guess=text)


def review_path(mine: History, theirs: History, game: str) -> str:
    """Return the path of the review of a game, without its language.

    Has the turns of the visitor and of the computer, of which either may be empty; `game` is the
    path to go back to, which the address has without its first slash.  The path is empty without
    turns, and with too many.
    """
    if not 0 < max(len(mine), len(theirs)) <= MAX_HISTORY:
        return ""
    turns = {"h": "-".join(mine.texts), "theirs": "-".join(theirs.texts)}
    return asking(f"/review/{mine.rules}", **turns, game=game.lstrip("/"))


def figures_path(history: History) -> str:
    """Return the path of the totals of a game, without its language.

    The path is empty without turns, and with too many.
    """
    if not 0 < len(history) <= MAX_HISTORY:
        return ""
    return asking(f"/review/{history.rules}/figures", h="-".join(history.texts))


def puzzle_path(history: History) -> str:
    """Return the path of the puzzle to win in two turns after a history, without its language."""
    return asking(f"/puzzle/{history.rules}", h="-".join(history.texts))


def _aim(record: TreeRecord) -> dict[str, str]:
    """Return what the analysis is asked to minimise so that it fits a tree.

    Fewest turns is what it minimises anyway, without a last turn: such values are proved soonest.
    """
    first = record.objective.partition(",")[0]
    if not record.is_optimal or first == "average":
        return {}
    cap = {} if record.max_turns is None else {"max_turns": str(record.max_turns)}
    return {"objective": record.objective, **cap}


@dataclass(frozen=True)
class Links:
    """The links of one page, in its language."""

    frame: Frame

    @classmethod
    def of(cls, request: Request) -> Links:
        """Return the links of the page that a request asks for."""
        return cls(frame_of(request))

    def card(self, rules: Rules | None) -> str:
        """Return the path of the picture for links to pages about no position, or about no game."""
        return start_card(rules or BULLS_COWS)

    @cached_property
    def is_analysed(self) -> bool:
        """Whether this is the page of a game, and its address asks for the analysis."""
        if not self.frame.query or not self.frame.path.startswith("/play"):
            return False
        asked = parse_qs(self.frame.query, keep_blank_values=True).get("analysis", [""])
        return asked[-1] in ANALYSES

    def position(self, position: GamePosition) -> str:
        """Return the URL of a game's state; an analysis that is open stays open there."""
        return self._play(f"/{position.path}")

    def analysis(self, position: GamePosition, extent: str = "") -> str:
        """Return the URL of a game's state with the analysis, one of `ANALYSES`, or without."""
        return self.frame.url(asking(f"/play/{position.path}", analysis=extent))

    def wrong_answers(
        self, position: GamePosition, answer: Answer | None = None, *, secret: str = ""
    ) -> str:
        """Return the URL that looks for a wrong answer, given the right one here or the code."""
        given = str(answer) if answer else ""
        return self._play(f"/{position.path}/none", answer=given, secret=secret)

    def new_game(self, entry: Entry, *, shuffle: bool) -> str:
        """Return the URL that starts a game."""
        return self._play("", tree=entry.name, shuffle="on" if shuffle else "")

    def _play(self, path: str, **query: str) -> str:
        analysis = "open" if self.is_analysed else ""
        return self.frame.url(asking(f"/play{path}", **query, analysis=analysis))

    def analyse(self, position: GamePosition) -> str:
        """Return the URL of the analysis of a game's state, as its player sees it."""
        turns = "-".join(position.history.texts)
        return self.frame.url(analysis_path(position.rules, h=turns, **_aim(position.entry.record)))

    def node(self, position: GamePosition) -> str:
        """Return the URL of the tree page for a position."""
        name, _, *answers = position.parts
        return self.frame.url("/".join(("/trees", name, *answers)))


def comparison_path(first: str, second: str, answers: str) -> str:
    """Return the path of two trees side by side after some answers, without its language."""
    return "/".join(("/compare", first, second, *filter(None, [answers])))
