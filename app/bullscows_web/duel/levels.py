"""The levels of the duel: named strategies, and how each fares.

The champion and, where it ships, Larmouth's rule are trees of the library; the others are grown
when they are first needed, without a search.  Callers check `is_grown` first, because the largest
trees take two seconds.  A page of the
levels needs only how they fare, and that of a duel only its own level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bullscows.game.cost import total_turns
from bullscows.game.duel import Lengths, Score, objective_of, reply_weights, score
from bullscows.game.rules import Rules
from bullscows.tree.files import TreeRecord
from bullscows_web.duel.strategies import GROWN, RANDOM, Drawn, Strategy, Tree
from bullscows_web.trees.library import Entry, Library

LevelName = Literal["human", "first", "random", "larmouth", "champion"]
"""A level: a person's rule after Goel and Garg, the first candidate, a random candidate,
Larmouth's rule, and the champion or else the first tree of the game."""

NAMES: tuple[LevelName, ...] = get_args(LevelName)

Difficulty = Literal["easy", "medium", "hard", "expert", "champion"]
"""The visible name of a level."""

LARGEST = 10_000
"""The largest game for which strategies are grown."""
LARGEST_LARMOUTH = 5040
"""The same for Larmouth's rule, which looks at all guesses everywhere."""

_GROWN = {
    "human": "goel-garg-human",
    "first": "first-candidate",
    "larmouth": "larmouth",
    "random": RANDOM,
}
"""The names of levels among the grown trees."""


@dataclass(frozen=True)
class Level:
    """How well a level of one game plays."""

    name: LevelName
    """Its name in URLs."""
    difficulty: Difficulty
    """Its visible name."""
    turns: Lengths
    """How many codes it finds at turn 1, 2, ..."""
    against: Score
    """Its duels against the champion, or against the first tree of the game."""
    is_champion: bool
    """Whether it is proved that nobody beats it more often than not."""

    @property
    def average(self) -> float:
        """Turns on average."""
        return total_turns(self.turns) / sum(self.turns)

    @property
    def loses(self) -> float:
        """Which share of its duels against the champion it loses."""
        return self.against.lost / (self.against.won + self.against.drawn + self.against.lost)


def levels(library: Library, rules: Rules) -> list[Level]:
    """Return the levels of a game, weakest first.

    A random candidate is shown by one of its drawings: another would differ by some thousandths.
    """
    best = champion(library, rules)
    names = [name for name in NAMES if _is_played(library, rules, name)]
    found = [_level(library, rules, name, best) for name in names]
    return sorted(found, key=lambda level: (-level.average, NAMES.index(level.name)))


def difficulty(rules: Rules, name: LevelName) -> Difficulty:
    """Return the visible name of a level.

    The person's rule is weaker than the first candidate, except in short games with repeats.
    """
    if name == "human" or name == "first":
        is_first_weaker = rules.repeats and rules.positions <= 4
        return "easy" if (name == "first") == is_first_weaker else "medium"
    harder: dict[LevelName, Difficulty] = {"random": "hard", "larmouth": "expert"}
    return harder.get(name, "champion")


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
    return proved and record.objective == str(objective_of(reply_weights(record.distribution)))


def strategy(library: Library, rules: Rules, name: LevelName, draw: str) -> Strategy:
    """Return how a level plays; `draw` decides what is left to chance."""
    if name == "champion":
        return Tree(champion(library, rules).tree)
    if name == "random":
        return Drawn(rules, draw)
    shipped = _larmouth(library, rules) if name == "larmouth" else None
    return Tree(shipped.tree if shipped else GROWN.tree(rules, _GROWN[name]))


def is_grown(library: Library, rules: Rules, level: LevelName | None = None) -> bool:
    """Whether nobody has to wait for how a level plays; without one, for how all of them fare."""
    if level is None:
        return all(GROWN.knows(rules, _GROWN[name]) for name in _grown(library, rules))
    if level == "random" or level not in _grown(library, rules):
        return True
    return GROWN.holds(rules, _GROWN[level])


def grow(library: Library, rules: Rules, level: LevelName | None = None) -> None:
    """Grow what `is_grown` asks for."""
    if level is not None:
        GROWN.tree(rules, _GROWN[level])
        return
    for name in _grown(library, rules):
        GROWN.lengths(rules, _GROWN[name])


def _grown(library: Library, rules: Rules) -> list[LevelName]:
    """Return the levels that are no trees of the library."""
    shipped = {"champion", *(["larmouth"] if _larmouth(library, rules) else [])}
    return [name for name in NAMES if name not in shipped and _is_played(library, rules, name)]


def _is_played(library: Library, rules: Rules, name: LevelName) -> bool:
    if name == "larmouth":
        return rules.size <= LARGEST_LARMOUTH or _larmouth(library, rules) is not None
    return name == "champion" or rules.size <= LARGEST


def _level(library: Library, rules: Rules, name: LevelName, best: Entry) -> Level:
    shipped = {"champion": best, "larmouth": _larmouth(library, rules)}.get(name)
    turns = shipped.record.distribution if shipped else GROWN.lengths(rules, _GROWN[name])
    proved = name == "champion" and is_champion(best.record)
    return Level(
        name, difficulty(rules, name), turns, score(turns, best.record.distribution), proved
    )


def _larmouth(library: Library, rules: Rules) -> Entry | None:
    entries = (entry for entry in library if entry.rules == rules)
    return next((entry for entry in entries if entry.record.objective == "larmouth"), None)
