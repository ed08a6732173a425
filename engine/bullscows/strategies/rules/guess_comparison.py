"""How finely a guess splits the candidates, held against every other guess of the game.

This looks one turn ahead and proves nothing.  It says in what the guess of a tree excels at first
sight, and where the tree gives that up for what comes later.  It needs numpy only, and no table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bullscows.game.history import Turns
from bullscows.game.rules import CodeIndex, Rules
from bullscows.game.symmetry import IndexArray, equivalence_classes
from bullscows.strategies.rules.part_sizes import sizes_between
from bullscows.tree.nodes import Candidates

_TURNS_WITH_CLASSES = 2
"""Later there are so many classes that sorting guesses into them takes longer than it saves."""


@dataclass(frozen=True)
class GuessComparison:
    """A guess among all guesses of its game, in one position."""

    guesses: int
    """How many guesses there are, this one included."""
    parts: int
    """Into how many parts it splits the candidates."""
    most_parts: int
    """The most parts that any guess makes."""
    with_most_parts: int
    """How many guesses make so many."""
    largest: int
    """How many candidates its largest part has."""
    least_largest: int
    """The smallest that the largest part of any guess is."""
    with_least_largest: int
    """How many guesses leave so small a largest part."""
    equal: int
    """How many other guesses make parts of just the same sizes."""


def compare_guess(
    rules: Rules, path: Turns, candidates: Candidates, guess: CodeIndex
) -> GuessComparison:
    """Compare a guess with all others in the position after `path`, which left the candidates."""
    secrets = np.array(candidates, dtype=np.int32)
    guesses, weights = _guesses(rules, path)
    sizes = sizes_between(rules, secrets, guesses)
    (own,) = sizes_between(rules, secrets, np.array([guess], dtype=np.int32))
    parts, largest = (sizes > 0).sum(axis=1), sizes[:, 0]
    most, least = int(parts.max()), int(largest.min())
    return GuessComparison(
        guesses=rules.size,
        parts=int((own > 0).sum()),
        most_parts=most,
        with_most_parts=int(weights[parts == most].sum()),
        largest=int(own[0]),
        least_largest=least,
        with_least_largest=int(weights[largest == least].sum()),
        equal=int(weights[(sizes == own).all(axis=1)].sum()) - 1,
    )


def _guesses(rules: Rules, path: Turns) -> tuple[IndexArray, IndexArray]:
    """Return guesses that between them split as all do, and how many each of them stands for.

    Guesses that the guesses so far leave equal split alike: the transformations between them map
    the candidates onto themselves.
    """
    if len(path) <= _TURNS_WITH_CLASSES:
        classes = equivalence_classes(rules, [guess for guess, _ in path])
        return classes.representatives, classes.sizes
    return np.arange(rules.size, dtype=np.int32), np.ones(rules.size, dtype=np.int32)
