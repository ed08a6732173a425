"""The chances of a duel: how the turns that each side may still take are spread, and who is sooner.

All codes that still fit are taken to be equally likely, on both sides.  The computer's turns are
exact at every level: its strategy is a tree, forgotten answers included, which says at which turn
it finds each code.  The visitor's turns are those of a good player from here on: a tree of the
library if it holds the position under symmetry, otherwise a player who guesses the candidate with
the most parts.  That player's game is simulated for every code that fits, which takes 20
microseconds each; if they are more than `MOST_LEFT`, the chances are unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bullscows.game.duel import Lengths, Score, score
from bullscows.game.history import History, candidates
from bullscows.game.response_table import responses_between
from bullscows.game.rules import AnswerIndex, Rules
from bullscows.game.symmetry import IndexArray
from bullscows.tree.lookup import find_image
from bullscows_web.duel.levels import Forgetful, champion
from bullscows_web.duel.state import Duel
from bullscows_web.trees.library import Library

MOST_LEFT = 1600
"""The most codes for which the player off the trees is asked: a page waits for 40 ms of it."""
MOST_OF_COURSE = 2000
"""The same for all positions of a duel together."""
MOST = 24
"""So many candidates are compared by the player who stands for the visitor off the trees."""
CELLS = 60_000
"""So many answers are looked at for that at once, about: of many candidates fewer are compared."""


@dataclass(frozen=True)
class Chances:
    """How a duel may end for the visitor."""

    won: float
    """The chance to win."""
    drawn: float
    """The chance of a draw."""
    lost: float
    """The chance to lose."""
    played: int = 0
    """Number of codes for which the visitor's game was simulated; 0 if a tree has its turns."""

    @classmethod
    def of(cls, counted: Score, played: int = 0) -> Chances:
        """Return the shares of counted duels."""
        duels = counted.won + counted.drawn + counted.lost
        return cls(counted.won / duels, counted.drawn / duels, counted.lost / duels, played)

    @property
    def not_lost(self) -> float:
        """The chance not to lose."""
        return self.won + self.drawn


def chances(library: Library, duel: Duel, most: int = MOST_LEFT) -> Chances | None:
    """Return how a duel may end; None if more than `most` codes would have to be played for."""
    mine = _turns_on_tree(library, duel)
    played = 0
    if mine is None:
        played = len(candidates(duel.rules, duel.mine))
        if played > min(most, MOST_LEFT):
            return None
        mine = good_player(duel.mine)
    return Chances.of(score(mine, computers_lengths(duel)), played)


def course(library: Library, duel: Duel) -> list[Chances | None]:
    """Return the chances at the start and after each turn of both.

    The last turns are computed first, because they take the least time.  Early turns are None if
    the visitor was off the trees with many codes left.
    """
    last = min(len(duel.guesses), len(duel.answers))
    most = MOST_OF_COURSE
    found = []
    for state in (duel, *(duel.before(turn) for turn in range(last, 0, -1))):
        found.append(known := chances(library, state, most))
        most -= known.played if known else 0
    return found[::-1]


def computers_lengths(duel: Duel) -> Lengths:
    """Return at which turns the computer finds the codes that the visitor may have."""
    if duel.node is None:
        return _at(len(duel.answers))
    if isinstance(duel.strategy, Forgetful):
        return duel.strategy.lengths_after(duel.answers)
    return duel.strategy.distribution_at(duel.strategy.walk(duel.answers))


def _turns_on_tree(library: Library, duel: Duel) -> Lengths | None:
    """Return the turns at which the visitor finds each fitting code, if a tree says so."""
    found = duel.found_by_visitor
    if found is not None:
        return _at(found)
    if duel.is_over:
        return _at(len(duel.guesses) + 1)
    tree = champion(library, duel.rules).tree
    image = find_image(tree, duel.mine)
    return None if image is None else tree.distribution_at(image.node)


def _at(turn: int) -> Lengths:
    return (*[0] * (turn - 1), 1)


@lru_cache(maxsize=256)
def good_player(history: History) -> Lengths:
    """Return the turns at which a good player off the trees finds each code that fits."""
    found: Counter[int] = Counter()
    waiting = [(len(history) + 1, candidates(history.rules, history))]
    while waiting:
        turn, left = waiting.pop()
        if len(left) <= 2:
            found.update(range(turn, turn + len(left)))
            continue
        for answer, part in _split(history.rules, left):
            if answer == history.rules.win:
                found[turn] += 1
            else:
                waiting.append((turn + 1, part))
    return tuple(found[turn] for turn in range(1, max(found) + 1))


def _split(rules: Rules, left: IndexArray) -> Iterator[tuple[AnswerIndex, IndexArray]]:
    """Return the parts of what is left, by the answers to the candidate that makes most of them."""
    looked = left[:: max(1, -(-len(left) // MOST), len(left) ** 2 // CELLS)]
    answers = responses_between(rules, left, looked)
    ordered = np.sort(answers, axis=0)
    best = int((ordered[1:] != ordered[:-1]).sum(axis=0).argmax())
    order = np.argsort(answers[:, best], kind="stable")
    starts = np.flatnonzero(np.diff(ordered[:, best], prepend=-1))
    parts = np.split(left[order], starts[1:])
    return zip(ordered[starts, best].tolist(), parts, strict=True)
