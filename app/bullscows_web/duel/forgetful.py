"""Opponents who forget: each guess fits the answers that the player remembers at that moment.

At each guess every earlier answer is forgotten with the same chance.  The guess is a code that fits
the others, drawn from all of them, and none is guessed twice.  What is forgotten and which code is
drawn follow from the turns so far (SHA-256), so the player is a strategy tree: the same answers get
the same guesses, and the turn at which it finds each code is known exactly.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from hashlib import sha256
from threading import Lock

import numpy as np

from bullscows.game.duel import Lengths
from bullscows.game.history import Turns
from bullscows.game.responses import ResponseArray, responses_between
from bullscows.game.rules import CodeIndex, Rules
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree

HELD = 32
"""Maximum number of trees in memory, up to 1 MB each."""
_CODE_BYTES = 8
"""Bytes of the hash that draw the code; the others decide, turn by turn, what is forgotten."""


def grow(rules: Rules, forgets: int) -> StrategyTree:
    """Return the tree of a player who forgets `forgets` of 256 answers; takes up to four seconds.

    >>> print(grow(Rules.parse("p2c3n"), 128))
    p2c3n: first guess 02, 6 secrets, total 13, turns 1/3/2
    """
    codes = np.arange(rules.size, dtype=np.int32)

    @cache
    def answers(guess: CodeIndex) -> ResponseArray:
        return responses_between(rules, codes[guess : guess + 1], codes).ravel()

    def choose(left: Candidates, path: Turns) -> CodeIndex:
        drawn = sha256(f"{forgets} {path}".encode()).digest()
        number = int.from_bytes(drawn[:_CODE_BYTES], "big")
        chances = drawn[_CODE_BYTES:]
        known = [turn for turn, chance in zip(path, chances, strict=False) if chance >= forgets]
        if len(known) == len(path):
            return left[number % len(left)]
        fits = np.ones(rules.size, dtype=bool)
        for guess, answer in known:
            fits &= answers(guess) == answer
        fits[[guess for guess, _ in path]] = False
        offered = np.flatnonzero(fits)
        return int(offered[number % len(offered)])

    return StrategyTree.grow(rules, choose, may_waste=True)


class GrownTrees:
    """LRU cache of trees; distributions stay in memory when their trees are dropped."""

    def __init__(self) -> None:
        self._trees: OrderedDict[tuple[Rules, int], StrategyTree] = OrderedDict()
        self._turns: dict[tuple[Rules, int], Lengths] = {}
        self._lock = Lock()

    def holds(self, rules: Rules, forgets: int) -> bool:
        """Whether a tree is in memory."""
        return (rules, forgets) in self._trees

    def knows(self, rules: Rules, forgets: int) -> bool:
        """Whether the distribution of a tree is in memory."""
        return (rules, forgets) in self._turns

    def turns(self, rules: Rules, forgets: int) -> Lengths:
        """Return how many codes a player finds at turn 1, 2, ..."""
        if not self.knows(rules, forgets):
            self.tree(rules, forgets)
        return self._turns[rules, forgets]

    def tree(self, rules: Rules, forgets: int) -> StrategyTree:
        """Return the tree of a player, grown at the first call."""
        with self._lock:
            if self.holds(rules, forgets):
                self._trees.move_to_end((rules, forgets))
                return self._trees[rules, forgets]
        tree = grow(rules, forgets)
        with self._lock:
            self._trees[rules, forgets] = tree
            self._turns[rules, forgets] = tree.distribution
            while len(self._trees) > HELD:
                self._trees.popitem(last=False)
        return tree


GROWN = GrownTrees()
"""The trees of this process."""
