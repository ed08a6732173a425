"""Opponents who forget: each guess fits the answers that the player remembers at that moment.

At each guess every earlier answer is forgotten with the same chance.  The guess is a code that fits
the others, drawn from all of them, and none is guessed twice.  What is forgotten and which code is
drawn follow from the turns so far (SHA-256), so the player is a strategy: the same answers get the
same guesses, and the turn at which it finds each code is known exactly.

A guess takes less than a millisecond, so no tree is kept: how soon the codes of large positions are
found is in a file (`bullscows_web.trees.level_files`), that of others is counted when it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np

from bullscows.game.duel import Lengths
from bullscows.game.responses import ResponseArray, responses_between
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules, Turns
from bullscows.game.symmetry import IndexArray
from bullscows.tree.strategy_tree import StrategyTree
from bullscows_web.trees.level_files import LARGE, Answers, LevelRecord

_CODE_BYTES = 8
"""Bytes of the hash that draw the code; the others decide, turn by turn, what is forgotten."""


@dataclass(frozen=True)
class Place:
    """A position of a player who forgets, and the guess there."""

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

    def distribution_at(self, place: Place) -> Lengths:
        """Return how many candidates of a position are found at turn 1, 2, ... of the game."""
        answers = tuple(answer for _, answer in place.path)
        known = self.record.lengths.get(answers)
        return known or _counted(self.rules, self.record.forgets, answers)


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
    left = np.arange(rules.size, dtype=np.int32)
    path: Turns = ()
    if answers:
        before = _place(rules, forgets, answers[:-1])
        given = responses_between(rules, before.left, np.array([before.guess], dtype=np.int32))
        left = before.left[given.ravel() == answers[-1]]
        path = (*before.path, (before.guess, answers[-1]))
    guess = _guess(rules, forgets, left, path, {})
    given = responses_between(rules, left, np.array([guess], dtype=np.int32))
    possible = np.unique(given).tolist()
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
            codes = np.arange(rules.size, dtype=np.int32)
            one = np.array([guess], dtype=np.int32)
            known[guess] = responses_between(rules, codes, one).ravel()
        fits &= known[guess] == answer
    fits[[guess for guess, _ in path]] = False
    offered = np.flatnonzero(fits)
    return int(offered[number % len(offered)])
