"""The levels of the duel: how each plays, and how it fares.

The champion is a tree of the library.  Each guess of the other levels fits the answers that the
level remembers at that moment.  At each guess every earlier answer is forgotten with the same
chance.  The guess is a code that fits the others, drawn from all of them, and none is guessed
twice.  The turns so far decide which answers are forgotten and which code is drawn (SHA-256), so
the level is a strategy: the same answers get the same guesses, and the turn at which it finds each
code is known exactly.

A guess takes less than a millisecond, so no tree is kept.  How soon the codes of a position are
found takes seconds to count if it is large: ``trees/levels/RULES.json`` has that for each level and
each position with more than `LARGE` candidates.  A game has the levels that are in its file.
``python -m bullscows_web.duel.levels`` writes the files; tests compute them again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from bullscows.game.duel import Lengths, Score, objective_of, reply_weights, score
from bullscows.game.history import responses_to
from bullscows.game.objective import mean_turns
from bullscows.game.response_table import ResponseArray, all_codes
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray
from bullscows.tree import storage
from bullscows.tree.files import TreeRecord
from bullscows.tree.storage import RecordError, default_folder
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.trees.library import Entry, Library
from bullscows_web.web.exceptions import BrokenStateError
from bullscows_web.web.frame import address_parts

logger = logging.getLogger(__name__)

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
LEVELS_FORMAT = "bulls-cows-levels/1"
LEVELS = "levels"
"""The folder within that of the trees."""
LARGE = 100
"""Positions with more candidates are in the file."""
_FIELDS: storage.Fields = {"format": str, "rules": str, "levels": dict, storage.DIGEST: str}
_LEVEL_FIELDS: storage.Fields = {"forgets": int, "lengths": dict}
_CODE_BYTES = 8
"""Bytes of the hash that draw the code; the others decide, turn by turn, what is forgotten."""

Answers: TypeAlias = tuple[AnswerIndex, ...]


@dataclass(frozen=True)
class LevelRecord:
    """How one level plays a game."""

    forgets: int
    """How many of 256 answers it forgets."""
    lengths: Mapping[Answers, Lengths]
    """How many codes of each large position it finds at turn 1, 2, ..., by the answers so far."""


LevelRecords: TypeAlias = Mapping[str, LevelRecord]
"""The levels of a game by name, the weakest first."""


@dataclass(frozen=True)
class Place:
    """A position of a player who forgets, and the guess there, as nodes of trees have them."""

    guess: CodeIndex
    path: Turns
    """The turns so far."""
    children: Sequence[AnswerIndex]
    """The answers that some candidate gives to the guess, but the winning one."""
    is_candidate_guess: bool
    """Whether the guess can end the game."""
    left: IndexArray
    """The candidates."""


@dataclass(frozen=True)
class Forgetful:
    """A player who forgets `record.forgets` of 256 answers."""

    rules: Rules
    record: LevelRecord

    def walk(self, answers: Sequence[AnswerIndex]) -> Place:
        """Return the position after answers that are possible one after the other."""
        return _place(self.rules, self.record.forgets, tuple(answers))

    def lengths_after(self, answers: Answers) -> Lengths:
        """Return how many candidates after answers are found at turn 1, 2, ... of the game."""
        known = self.record.lengths.get(answers)
        return known or _counted(self.rules, self.record.forgets, answers)


Strategy: TypeAlias = StrategyTree | Forgetful
"""How the computer plays."""


def grow(rules: Rules, forgets: int, start: Place | None = None) -> StrategyTree:
    """Return the tree of a player, from a position on; of a whole game it takes seconds.

    >>> print(grow(Rules.parse("p2c3n"), 128))
    p2c3n: first guess 02, 6 secrets, total 13, turns 1/3/2
    """
    known: dict[CodeIndex, ResponseArray] = {}

    def choose(left: Sequence[CodeIndex], path: Turns) -> CodeIndex:
        return _guess(rules, forgets, left, path, known)

    if start is None:
        return StrategyTree.grow(rules, choose, may_waste=True)
    left = tuple(start.left.tolist())
    return StrategyTree.grow(rules, choose, candidates=left, path=start.path, may_waste=True)


def record_of(rules: Rules, forgets: int) -> LevelRecord:
    """Return how soon a player finds the codes of large positions; takes seconds."""
    tree = grow(rules, forgets)
    large = (node for node in tree.nodes if node.size > LARGE or node.parent is None)
    lengths: dict[Answers, Lengths] = {
        tuple(answer for _, answer in tree.path(node)): tree.distribution_at(node) for node in large
    }
    return LevelRecord(forgets, lengths)


@lru_cache(maxsize=1024)
def _place(rules: Rules, forgets: int, answers: Answers) -> Place:
    left = all_codes(rules)
    path: Turns = ()
    if answers:
        before = _place(rules, forgets, answers[:-1])
        left = before.left[responses_to(rules, before.guess, before.left) == answers[-1]]
        path = (*before.path, (before.guess, answers[-1]))
    guess = _guess(rules, forgets, left, path, {})
    possible = np.unique(responses_to(rules, guess, left)).tolist()
    wins = rules.win in possible
    children = tuple(answer for answer in possible if answer != rules.win)
    return Place(guess, path, children, wins, left)


@lru_cache(maxsize=1024)
def _counted(rules: Rules, forgets: int, answers: Answers) -> Lengths:
    tree = grow(rules, forgets, _place(rules, forgets, answers))
    return tree.distribution


def _guess(
    rules: Rules,
    forgets: int,
    left: Sequence[CodeIndex] | IndexArray,
    path: Turns,
    known: dict[CodeIndex, ResponseArray],
) -> CodeIndex:
    """Return the guess in a position; `known` keeps the answers of all codes to earlier guesses."""
    drawn = sha256(f"{forgets} {path}".encode()).digest()
    number = int.from_bytes(drawn[:_CODE_BYTES], "big")
    chances = drawn[_CODE_BYTES:]
    remembered = [turn for turn, chance in zip(path, chances, strict=False) if chance >= forgets]
    if len(remembered) == len(path):
        return int(left[number % len(left)])
    fits = np.ones(rules.size, dtype=bool)
    for guess, answer in remembered:
        if guess not in known:
            known[guess] = responses_to(rules, guess, all_codes(rules))
        fits &= known[guess] == answer
    fits[[guess for guess, _ in path]] = False
    offered = np.flatnonzero(fits)
    return int(offered[number % len(offered)])


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
        return mean_turns(self.turns)


def levels(library: Library, rules: Rules) -> list[Level]:
    """Return the levels of a game, weakest first."""
    best = champion(library, rules).record
    records = records_of(library, rules)
    turns = {
        name: best.distribution if name == "champion" else records[name].lengths[()]
        for name in played(library, rules)
    }
    easy = turns.get("easy")
    return [
        Level(
            name,
            found,
            visitor=score(easy, found) if easy else None,
            is_proved=name == "champion" and is_champion(best),
        )
        for name, found in turns.items()
    ]


def played(library: Library, rules: Rules) -> list[LevelName]:
    """Return the levels that a game has, weakest first."""
    known = records_of(library, rules)
    return [name for name in NAMES if name == "champion" or name in known]


def records_of(library: Library, rules: Rules) -> LevelRecords:
    """Return the levels of a game, but the champion, which is a tree."""
    return records_in(library.folder).get(rules, {})


def champion(library: Library, rules: Rules) -> Entry:
    """Return the tree that nobody beats in the duel, or else the first of the game."""
    entries = library.of(rules)
    return next((entry for entry in entries if is_champion(entry.record)), entries[0])


def is_champion(record: TreeRecord) -> bool:
    """Whether a tree is proved to be a best reply to itself."""
    proved = record.proof == "exact"
    return proved and record.objective == str(objective_of(reply_weights(record.distribution)))


def strategy(library: Library, rules: Rules, name: LevelName) -> Strategy:
    """Return how a level plays; `BrokenStateError`: a link of a server with other levels."""
    if name == "champion":
        return champion(library, rules).tree
    record = records_of(library, rules).get(name)
    if record is None:
        raise BrokenStateError
    return Forgetful(rules, record)


def computed(rules: Rules) -> dict[str, LevelRecord]:
    """Return what belongs into the file of a game; takes seconds."""
    records = {name: record_of(rules, forgets) for name, forgets in FORGETS.items()}
    return {name: one for name, one in records.items() if len(one.lengths[()]) <= MAX_TURNS}


def games(library: Library) -> list[Rules]:
    """Return the games that have files of levels."""
    return sorted((game.rules for game in library.games if game.rules.size <= LARGEST), key=str)


# -- files -------------------------------------------------------------------------------------


def write_levels(folder: Path, rules: Rules, levels: LevelRecords) -> None:
    """Write the file of a game into a folder of trees."""
    stated = {name: _stated(rules, level) for name, level in levels.items()}
    path = folder / LEVELS / f"{rules}.json"
    path.parent.mkdir(exist_ok=True)
    record = {"format": LEVELS_FORMAT, "rules": str(rules), "levels": stated}
    storage.write_whole(path, storage.dump_record(record))


def _stated(rules: Rules, level: LevelRecord) -> dict[str, Any]:
    lengths = {
        "-".join(str(rules.answers[answer]) for answer in answers): " ".join(map(str, found))
        for answers, found in level.lengths.items()
    }
    return {"forgets": level.forgets, "lengths": lengths}


@lru_cache(maxsize=4)
def records_in(folder: Path) -> Mapping[Rules, LevelRecords]:
    """Read the files of levels in a folder of trees, at the first use; the log names wrong ones."""
    found: dict[Rules, LevelRecords] = {}
    for path in sorted((folder / LEVELS).glob("*.json")):
        try:
            rules = Rules.parse(path.stem)
            found[rules] = read_levels(path, rules)
        except (ValueError, OSError) as error:
            logger.error("refused file of levels %s: %s", path, error)
    return found


def read_levels(path: Path, rules: Rules) -> LevelRecords:
    """Read the file of a game.

    Raises `RecordError` or another `ValueError` if the content is wrong, `OSError` if it cannot be
    read.
    """
    stated = storage.load_record(path)
    storage.check_record(stated, _FIELDS, LEVELS_FORMAT, "make it again with `make trees`")
    if stated["rules"] != str(rules):
        raise RecordError(f"it has the levels of {stated['rules'][:20]}, not of {rules}")
    return {name: _level(rules, level) for name, level in stated["levels"].items()}


def _level(rules: Rules, stated: Any) -> LevelRecord:
    storage.check_fields(stated, _LEVEL_FIELDS)
    lengths = {
        _answers(rules, answers): tuple(map(int, found.split()))
        for answers, found in stated["lengths"].items()
    }
    if sum(lengths.get((), ())) != rules.size:
        raise RecordError(f"a level does not find the {rules.size} codes of {rules}")
    return LevelRecord(stated["forgets"], lengths)


def _answers(rules: Rules, text: str) -> Answers:
    return tuple(map(rules.parse_answer, address_parts(text)))


if __name__ == "__main__":
    trees = default_folder()
    for each in games(Library.open(trees)):
        write_levels(trees, each, computed(each))
