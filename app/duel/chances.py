"""The chances of a duel: how the turns that each side may still take are spread, and who is sooner.

All codes that still fit are taken to be equally likely, on both sides.  For the computer that is
exact: its strategy is a tree, which says at which turn it finds each of them.  For the visitor it
is what a good player would take from here: a tree of the library where it holds the position under
any names, and elsewhere a player who guesses the candidate that tells most of the next turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.duel.duel import Duel
from app.duel.levels import champion
from app.trees.library import Library
from engine.game.candidates import candidates
from engine.game.duel import Lengths, Score, score
from engine.game.history import History
from engine.game.responses import responses_between
from engine.tree.images import find_image

MOST = 24
"""So many candidates are compared by the player who stands for the visitor off the trees."""
CELLS = 60_000
"""So many answers are looked at for that at once, about: of many candidates fewer are compared."""


@dataclass(frozen=True)
class Chances:
    """How a duel may end for the visitor."""

    turn: int
    """After how many guesses of the visitor."""
    won: float
    """The chance to win."""
    drawn: float
    """The chance of a draw."""
    lost: float
    """The chance to lose."""
    on_tree: bool
    """Whether the visitor's turns are those of a tree, rather than of a rule."""


def chances(library: Library, duel: Duel) -> Chances:
    """Return how a duel may end."""
    mine, on_tree = visitors_lengths(library, duel)
    won, drawn, lost = _shares(score(mine, computers_lengths(duel)))
    return Chances(len(duel.guesses), won, drawn, lost, on_tree)


def course(library: Library, duel: Duel) -> list[Chances]:
    """Return the chances at the start and after each turn of both."""
    last = min(len(duel.guesses), len(duel.answers))
    return [chances(library, duel.before(turn)) for turn in range(1, last + 1)] + [
        chances(library, duel)
    ]


def computers_lengths(duel: Duel) -> Lengths:
    """Return at which turns the computer finds the codes that the visitor may have."""
    found = duel.found_by_computer
    if found is not None or duel.node is None:
        return _at(found or len(duel.answers))
    return duel.tree.turns(duel.node)


def visitors_lengths(library: Library, duel: Duel) -> tuple[Lengths, bool]:
    """Return at which turns the visitor finds the codes that fit, and whether a tree says so.

    A code is found by the next guess at the soonest, so no chance is told of one that is over.
    """
    found = duel.found_by_visitor
    if found is not None:
        return _at(found), True
    if duel.is_over:
        return _at(len(duel.guesses) + 1), True
    tree = champion(library, duel.rules).tree
    image = find_image(tree, duel.mine)
    if image is not None:
        return tree.turns(image.node), True
    return _good_player(duel.mine), False


def _at(turn: int) -> Lengths:
    return (*[0] * (turn - 1), 1)


def _shares(counted: Score) -> Sequence[float]:
    total = counted.won + counted.drawn + counted.lost
    return [number / total for number in (counted.won, counted.drawn, counted.lost)]


@lru_cache(maxsize=256)
def _good_player(history: History) -> Lengths:
    found: Counter[int] = Counter()
    waiting = [(len(history) + 1, candidates(history.rules, history))]
    while waiting:
        turn, left = waiting.pop()
        looked = left[:: max(1, -(-len(left) // MOST), len(left) ** 2 // CELLS)]
        answers = responses_between(history.rules, left, looked)
        ordered = np.sort(answers, axis=0)
        best = int((ordered[1:] != ordered[:-1]).sum(axis=0).argmax())
        for answer in np.unique(answers[:, best]):
            part = left[answers[:, best] == answer]
            if answer == history.rules.win:
                found[turn] += 1
            elif len(part) == 1:
                found[turn + 1] += 1
            else:
                waiting.append((turn + 1, part))
    return tuple(found[turn] for turn in range(1, max(found) + 1))
