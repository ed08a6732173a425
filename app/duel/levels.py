"""The levels of the duel: named strategies, each as the tree that it follows.

The champion and, where it ships, Larmouth's rule are trees of the library; the others are grown
here when they are first asked for, which takes a tenth of a second and no search.  A tree says of
every position how many of its candidates the strategy finds at which turn, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Literal, get_args

import numpy as np

from app.trees.library import Entry, Library
from engine.game.duel import Lengths, Score, objective_of, reply_weights, score
from engine.game.history import Turns
from engine.game.responses import ResponseTable
from engine.game.rules import CodeIndex, Rules
from engine.strategies.rules.one_step import HEURISTICS
from engine.tree.files import TreeRecord
from engine.tree.strategy_tree import Candidates, StrategyTree

LevelName = Literal["human", "first", "random", "larmouth", "champion"]
"""A level: a person's rule after Goel and Garg, the first candidate, a random candidate,
Larmouth's rule, and the champion or else the first tree of the game."""

NAMES: tuple[LevelName, ...] = get_args(LevelName)

GROWN = 10_000
"""The largest game for which strategies are grown."""
GROWN_LARMOUTH = 5040
"""The same for Larmouth's rule, which looks at all guesses everywhere."""

_HEURISTICS = {"human": "goel-garg-human", "first": "first-candidate", "larmouth": "larmouth"}


@dataclass(frozen=True)
class Level:
    """How well a level of one game plays."""

    name: LevelName
    """Its name."""
    turns: Lengths
    """How many codes it finds at turn 1, 2, ..."""
    against: Score
    """Its duels against the champion, or against the first tree of the game."""
    is_champion: bool
    """Whether it is proved that nobody beats it more often than not."""

    @property
    def average(self) -> float:
        """Turns on average."""
        return sum(turn * count for turn, count in enumerate(self.turns, 1)) / sum(self.turns)

    @property
    def loses(self) -> float:
        """Which share of its duels against the champion it loses."""
        return self.against.lost / (self.against.won + self.against.drawn + self.against.lost)


def levels(library: Library, rules: Rules) -> list[Level]:
    """Return the levels of a game, the weakest first.

    A random candidate is shown by one of its drawings: another would differ by some thousandths.
    """
    best = champion(library, rules)
    names = [name for name in NAMES if _is_played(library, rules, name)]
    found = [_level(library, rules, name, best) for name in names]
    return sorted(found, key=lambda level: (-level.average, NAMES.index(level.name)))


def is_level(library: Library, rules: Rules, name: str) -> bool:
    """Whether a text names a level that the game has."""
    return any(name == known and _is_played(library, rules, known) for known in NAMES)


def champion(library: Library, rules: Rules) -> Entry:
    """Return the tree that nobody beats in the duel, or else the first of the game."""
    entries = [entry for entry in library if entry.rules == rules]
    return next((entry for entry in entries if is_champion(entry.record)), entries[0])


def is_champion(record: TreeRecord) -> bool:
    """Whether a tree is proved to be a best reply to itself."""
    proved = record.proof == "exact"
    return proved and record.objective == str(objective_of(reply_weights(record.turns)))


def strategy(library: Library, rules: Rules, name: LevelName, draw: str) -> StrategyTree:
    """Return the tree that a level follows; `draw` decides what is left to chance."""
    if name == "champion":
        return champion(library, rules).tree
    if name == "random":
        return _random(rules, draw)
    shipped = _larmouth(library, rules) if name == "larmouth" else None
    return shipped.tree if shipped else _grown(rules, _HEURISTICS[name])


def _is_played(library: Library, rules: Rules, name: LevelName) -> bool:
    if name == "larmouth":
        return rules.size <= GROWN_LARMOUTH or _larmouth(library, rules) is not None
    return name == "champion" or rules.size <= GROWN


def _level(library: Library, rules: Rules, name: LevelName, best: Entry) -> Level:
    turns = strategy(library, rules, name, "").histogram
    proved = name == "champion" and is_champion(best.record)
    return Level(name, turns, score(turns, best.record.turns), proved)


def _larmouth(library: Library, rules: Rules) -> Entry | None:
    entries = (entry for entry in library if entry.rules == rules)
    return next((entry for entry in entries if entry.record.objective == "larmouth"), None)


@lru_cache(maxsize=24)
def _grown(rules: Rules, name: str) -> StrategyTree:
    heuristic = HEURISTICS[name]
    some = np.zeros(1, dtype=np.int32)
    whole = name == "larmouth"  # the others see the candidates only
    table = ResponseTable.of(rules) if whole else ResponseTable.of_candidates(rules, some)
    return StrategyTree.grow(rules, lambda *position: heuristic.choose(table, *position))


@lru_cache(maxsize=12)
def _random(rules: Rules, draw: str) -> StrategyTree:
    """Grow the tree of a player who guesses any candidate: drawn once for all positions."""

    def choose(candidates: Candidates, path: Turns) -> CodeIndex:
        drawn = sha256(f"{draw} {path}".encode()).digest()
        return candidates[int.from_bytes(drawn, "big") % len(candidates)]

    return StrategyTree.grow(rules, choose)
