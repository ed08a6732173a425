"""The levels of the duel: how each plays, and how it fares.

The champion is a tree of the library.  The other levels forget answers (`forgetful`); a game has
those that are in its file.  ``python -m bullscows_web.duel.levels`` writes the files.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

from bullscows.game.duel import Lengths, Score, objective_of, reply_weights, score
from bullscows.game.objective import total_turns
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.tree.files import TreeRecord
from bullscows.tree.storage import default_folder
from bullscows_web.duel.forgetful import Forgetful, record_of
from bullscows_web.trees.level_files import LevelRecord, write_levels
from bullscows_web.trees.library import Entry, Library
from bullscows_web.web.errors import BrokenStateError

LevelName = Literal["beginner", "easy", "medium", "hard", "expert", "champion"]
"""A level, in URLs and tokens."""

NAMES: tuple[LevelName, ...] = get_args(LevelName)
"""All levels, weakest first."""

FORGETS: dict[LevelName, int] = {
    "beginner": 192,
    "easy": 128,
    "medium": 88,
    "hard": 44,
    "expert": 0,
}
"""How many of 256 answers a level forgets: three quarters, a half, a third, a sixth, none."""

FORMER: dict[str, LevelName] = {
    "human": "easy",
    "first": "medium",
    "random": "hard",
    "larmouth": "expert",
}
"""Names of levels in URLs of version 1.0, and the levels that replace them."""

LARGEST = 10_000
"""The largest game that has files of levels; larger ones have only the champion."""
MAX_TURNS = 30
"""The most guesses of one side of a duel; a level that may take more has no file."""


class Position(Protocol):
    """A position of the computer in a duel, and its guess there."""

    @property
    def guess(self) -> CodeIndex:
        """The guess."""

    @property
    def children(self) -> Collection[AnswerIndex]:
        """The answers that some candidate gives, but the winning one."""

    @property
    def is_candidate_guess(self) -> bool:
        """Whether the guess can end the game."""


class Strategy(Protocol):
    """How the computer plays: a tree, or a player who forgets."""

    def walk(self, answers: Sequence[AnswerIndex], /) -> Position:
        """Return the position after answers."""

    def distribution_at(self, position: Any, /) -> Lengths:
        """Return how many candidates of a position of it are found at turn 1, 2, ..."""


@dataclass(frozen=True)
class Level:
    """How well a level of one game plays."""

    name: LevelName
    turns: Lengths
    """How many codes it finds at turn 1, 2, ..."""
    visitor: Score | None
    """Duels of a player with the turns of the easy level against it; None if there is none."""
    is_proved: bool
    """Whether it is proved that nobody beats it more often than not."""

    @property
    def average(self) -> float:
        """Mean turns."""
        return total_turns(self.turns) / sum(self.turns)


def levels(library: Library, rules: Rules) -> list[Level]:
    """Return the levels of a game, weakest first."""
    found = {name: _turns(library, rules, name) for name in played(library, rules)}
    easy = found.get("easy")
    proved = is_champion(champion(library, rules).record)
    return [
        Level(name, turns, score(easy, turns) if easy else None, name == "champion" and proved)
        for name, turns in found.items()
    ]


def played(library: Library, rules: Rules) -> list[LevelName]:
    """Return the levels that a game has, weakest first."""
    known = library.levels.get(rules, {})
    return [name for name in NAMES if name == "champion" or name in known]


def champion(library: Library, rules: Rules) -> Entry:
    """Return the tree that nobody beats in the duel, or else the first of the game."""
    entries = [entry for entry in library if entry.rules == rules]
    return next((entry for entry in entries if is_champion(entry.record)), entries[0])


def is_champion(record: TreeRecord) -> bool:
    """Whether a tree is proved to be a best reply to itself."""
    proved = record.proof == "exact"
    return proved and record.objective == str(objective_of(reply_weights(record.distribution)))


def strategy(library: Library, rules: Rules, name: LevelName) -> Strategy:
    """Return how a level plays; `BrokenStateError`: a link of a server with other levels."""
    if name == "champion":
        return champion(library, rules).tree
    if name not in played(library, rules):
        raise BrokenStateError
    return Forgetful(rules, library.levels[rules][name])


def computed(rules: Rules) -> dict[str, LevelRecord]:
    """Return what belongs into the file of a game; takes seconds."""
    records = {name: record_of(rules, forgets) for name, forgets in FORGETS.items()}
    return {name: one for name, one in records.items() if len(one.lengths[()]) <= MAX_TURNS}


def games(library: Library) -> list[Rules]:
    """Return the games that have files of levels."""
    return sorted((game.rules for game in library.games if game.rules.size <= LARGEST), key=str)


def _turns(library: Library, rules: Rules, name: LevelName) -> Lengths:
    if name == "champion":
        return champion(library, rules).record.distribution
    return library.levels[rules][name].lengths[()]


if __name__ == "__main__":
    trees = default_folder()
    for each in games(Library.open(trees)):
        write_levels(trees, each, computed(each))
