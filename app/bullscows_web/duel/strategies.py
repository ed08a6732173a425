"""How the computer plays a duel: what it guesses after any answers, and when it finds what is left.

A strategy is a tree, of the library or grown here, or a player who draws any candidate: of that
one only the positions of the duel are made, never the whole tree.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Protocol, TypeAlias

from bullscows.game.duel import Lengths
from bullscows.game.history import Turns
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows.strategies.rules.one_step import HEURISTICS
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import Choose, StrategyTree

Answers: TypeAlias = tuple[AnswerIndex, ...]
"""Answers to the computer so far; none of them wins."""

HELD = 32
"""So many trees that were grown are held, of 1 to 4 MB each."""

RANDOM = "random"
"""The name of a drawn tree among the grown ones."""


@dataclass(frozen=True)
class Move:
    """A guess of the computer."""

    guess: CodeIndex
    """The guess."""
    possible: frozenset[AnswerIndex]
    """The answers that some code left gives to it."""


class Strategy(Protocol):
    """How the computer plays."""

    def move(self, answers: Answers) -> Move:
        """Return what it guesses after answers that are possible."""

    def lengths(self, answers: Answers) -> Lengths:
        """Return how many of the codes that are left it finds at turn 1, 2, ... of the game."""


@dataclass(frozen=True)
class Tree:
    """A strategy with a complete tree; all its figures are exact."""

    tree: StrategyTree
    """The tree."""

    def move(self, answers: Answers) -> Move:
        """Return the guess of a node."""
        node = self.tree.walk(answers)
        wins = [self.tree.rules.win] if node.is_candidate_guess else []
        return Move(node.guess, frozenset((*node.children, *wins)))

    def lengths(self, answers: Answers) -> Lengths:
        """Return the turns of a node."""
        return (
            self.tree.distribution_at(self.tree.walk(answers))
            if answers
            else self.tree.distribution
        )


class GrownTrees:
    """Trees of named rules, grown when they are first asked for, which takes up to two seconds.

    Of more than `HELD` the one that nobody has asked for longest is dropped; how long their games
    last stays known.
    """

    def __init__(self) -> None:
        self._trees: OrderedDict[tuple[Rules, str], StrategyTree] = OrderedDict()
        self._lengths: dict[tuple[Rules, str], Lengths] = {}
        self._lock = Lock()

    def holds(self, rules: Rules, name: str) -> bool:
        """Whether nobody has to wait for a tree."""
        return (rules, name) in self._trees

    def knows(self, rules: Rules, name: str) -> bool:
        """Whether nobody has to wait for how long the games of a tree last."""
        return (rules, name) in self._lengths

    def lengths(self, rules: Rules, name: str) -> Lengths:
        """Return how many codes a tree finds at turn 1, 2, ..."""
        if not self.knows(rules, name):
            self.tree(rules, name)
        return self._lengths[rules, name]

    def tree(self, rules: Rules, name: str) -> StrategyTree:
        """Return the tree of a heuristic, or that of some random player."""
        with self._lock:
            if (rules, name) in self._trees:
                self._trees.move_to_end((rules, name))
                return self._trees[rules, name]
        tree = StrategyTree.grow(rules, _chooser(rules, name))
        with self._lock:
            self._trees[rules, name] = tree
            self._lengths[rules, name] = tree.distribution
            while len(self._trees) > HELD:
                self._trees.popitem(last=False)
        return tree


GROWN = GrownTrees()
"""The trees of this process."""


@dataclass(frozen=True)
class Drawn:
    """A player who guesses any candidate, each as likely; drawn once for all positions.

    Guesses are exact: the same draw makes the same ones.  So are lengths after the first answer,
    for which the rest of this player's tree is grown.  Those of the whole game are of another
    draw, as that tree takes a tenth of a second and would be grown for every duel; one draw
    differs from another by some thousandths.
    """

    rules: Rules
    """The game."""
    draw: str
    """Seed of the draws."""

    def move(self, answers: Answers) -> Move:
        """Return the candidate that is drawn."""
        left, path = _left(self, answers)
        guess = self.choose(left, path)
        return Move(guess, frozenset(self.rules.partition(guess, left)))

    def lengths(self, answers: Answers) -> Lengths:
        """Return the turns of this player from there on; before the first answer, of another."""
        return _rest(self, answers) if answers else GROWN.lengths(self.rules, RANDOM)

    def choose(self, left: Candidates, path: Turns) -> CodeIndex:
        """Draw one of the codes that are left."""
        drawn = sha256(f"{self.draw} {path}".encode()).digest()
        return left[int.from_bytes(drawn, "big") % len(left)]


def _chooser(rules: Rules, name: str) -> Choose:
    if name == RANDOM:
        return Drawn(rules, "").choose
    return lambda *position: HEURISTICS[name].choose(rules, *position)


@lru_cache(maxsize=16)  # up to 0.4 MB each
def _left(player: Drawn, answers: Answers) -> tuple[Candidates, Turns]:
    """Return the codes that are left, and the turns that lead there."""
    if not answers:
        return tuple(range(player.rules.size)), ()
    *earlier, answer = answers
    before, path = _left(player, tuple(earlier))
    guess = player.choose(before, path)
    return tuple(player.rules.partition(guess, before)[answer]), (*path, (guess, answer))


@lru_cache(maxsize=256)
def _rest(player: Drawn, answers: Answers) -> Lengths:
    left, path = _left(player, answers)
    tree = StrategyTree.grow(player.rules, player.choose, candidates=left, path=path)
    return tree.distribution
