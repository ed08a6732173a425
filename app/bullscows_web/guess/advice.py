"""The best guess that is known in a puzzle without a search: the tree's, or the most informative.

A game stands *on the tree* as long as its guesses are the tree's, up to symmetry.  Off the tree,
Larmouth's rule ranks all guesses (see `bullscows.strategies.one_step`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bullscows.game.history import History, candidates
from bullscows.game.objective import total_turns
from bullscows.game.rules import CodeIndex
from bullscows.strategies.ranking import rank
from bullscows.tree.lookup import find_image
from bullscows_web.guess.puzzle import Puzzle

MAX_COMPARED = 8000
"""The most codes of a game whose guesses are compared."""
MAX_ANSWERS = 2_000_000
"""The most answers of candidates to guesses that are worked out, where symmetry helps no more."""
SYMMETRIC_TURNS = 2
"""Number of different guesses up to which most guesses are equivalent to another."""
KEPT = 4096
"""For how many positions the best guess is kept: a few hundred bytes each."""


@dataclass(frozen=True)
class Advice:
    """The best guess known in a position."""

    guess: CodeIndex
    to_go: float | None
    """How many guesses the tree then needs on average, this one included; None off the tree, where
    the guess is the most informative one."""


def advice(puzzle: Puzzle, history: History) -> Advice | None:
    """Return the best guess known after some turns: the tree's, or the most informative one.

    None off the tree where comparing all guesses takes too long.
    """
    image = find_image(puzzle.tree.tree, history) if puzzle.tree else None
    if puzzle.tree and image:
        node = image.node
        to_go = total_turns(puzzle.tree.tree.distribution_at(node)[node.turn - 1 :]) / node.size
        return Advice(image.guess, to_go)
    guess = _most_informative(history)
    return None if guess is None else Advice(guess, None)


@lru_cache(maxsize=KEPT)
def _most_informative(history: History) -> CodeIndex | None:
    rules = history.rules
    if rules.size > MAX_COMPARED:
        return None
    left = candidates(rules, history)
    is_symmetric = len({guess for guess, _ in history}) <= SYMMETRIC_TURNS
    if not is_symmetric and len(left) * rules.size > MAX_ANSWERS:
        return None
    ranking = rank(history, left, "larmouth")
    return ranking.guesses[0] if ranking.complete else None
