"""The levels of the duel: how each plays, and how it fares.

The champion is a tree of the library.  The other levels forget answers (`forgetful`); their trees
are grown when they are first needed, which takes seconds.  Callers check `is_grown` first.  A page
of the levels needs only how they fare, and that of a duel only its own level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bullscows.game.duel import Lengths, Score, objective_of, reply_weights, score
from bullscows.game.objective import total_turns
from bullscows.game.rules import Rules
from bullscows.tree.files import TreeRecord
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.duel.forgetful import GROWN
from bullscows_web.trees.library import Entry, Library

LevelName = Literal["easy", "medium", "hard", "expert", "champion"]
"""A level, in URLs and tokens."""

NAMES: tuple[LevelName, ...] = get_args(LevelName)
"""All levels, weakest first."""

FORGETS: dict[LevelName, int] = {"easy": 128, "medium": 88, "hard": 44, "expert": 0}
"""How many of 256 answers a level forgets: a half, a third, a sixth, none."""

FORMER: dict[str, LevelName] = {
    "human": "easy",
    "first": "medium",
    "random": "hard",
    "larmouth": "expert",
}
"""Names of levels in URLs of version 1.0, and the levels that replace them."""

LARGEST = 10_000
"""The largest game for which trees are grown; larger ones have only the champion."""


@dataclass(frozen=True)
class Level:
    """How well a level of one game plays."""

    name: LevelName
    turns: Lengths
    """How many codes it finds at turn 1, 2, ..."""
    beginner: Score | None
    """Duels of a player with the turns of the easy level against it; None if there is none."""
    is_proved: bool
    """Whether it is proved that nobody beats it more often than not."""

    @property
    def average(self) -> float:
        """Mean turns."""
        return total_turns(self.turns) / sum(self.turns)


def levels(library: Library, rules: Rules) -> list[Level]:
    """Return the levels of a game, weakest first."""
    found = {name: _turns(library, rules, name) for name in played(rules)}
    easy = found.get("easy")
    proved = is_champion(champion(library, rules).record)
    return [
        Level(name, turns, score(easy, turns) if easy else None, name == "champion" and proved)
        for name, turns in found.items()
    ]


def played(rules: Rules) -> list[LevelName]:
    """Return the levels that a game has, weakest first."""
    return [name for name in NAMES if name == "champion" or rules.size <= LARGEST]


def champion(library: Library, rules: Rules) -> Entry:
    """Return the tree that nobody beats in the duel, or else the first of the game."""
    entries = [entry for entry in library if entry.rules == rules]
    return next((entry for entry in entries if is_champion(entry.record)), entries[0])


def is_champion(record: TreeRecord) -> bool:
    """Whether a tree is proved to be a best reply to itself."""
    proved = record.proof == "exact"
    return proved and record.objective == str(objective_of(reply_weights(record.distribution)))


def strategy(library: Library, rules: Rules, name: LevelName) -> StrategyTree:
    """Return how a level plays."""
    if name == "champion":
        return champion(library, rules).tree
    return GROWN.tree(rules, FORGETS[name])


def is_grown(rules: Rules, name: LevelName | None = None) -> bool:
    """Whether nobody has to wait for how a level plays; without one, for how all of them fare."""
    if name is None:
        return all(GROWN.knows(rules, FORGETS[each]) for each in played(rules) if each in FORGETS)
    return name == "champion" or GROWN.holds(rules, FORGETS[name])


def grow(rules: Rules, name: LevelName | None = None) -> None:
    """Grow what `is_grown` asks for."""
    needed = GROWN.tree if name else GROWN.turns
    for each in [name] if name else played(rules):
        if each in FORGETS:
            needed(rules, FORGETS[each])


def _turns(library: Library, rules: Rules, name: LevelName) -> Lengths:
    if name == "champion":
        return champion(library, rules).record.distribution
    return GROWN.turns(rules, FORGETS[name])
