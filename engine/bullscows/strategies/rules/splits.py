"""What guesses do to the candidates: into how many parts of which sizes each splits them.

That is all that a one-step rule sees (`bullscows.strategies.rules.one_step`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullscows.game.history import Turns
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex
from bullscows.game.symmetry import IndexArray, representatives

_RESPONSES_AT_ONCE = 1 << 21
_TURNS_WITH_SYMMETRY = 2
"""Later there are few candidates, and sorting out equal guesses costs more than counting them."""


@dataclass(frozen=True)
class Splits:
    """What each of some guesses does to the candidates."""

    guesses: IndexArray
    """(guesses,) int32, ascending."""
    sizes: NDArray[np.intp]
    """(guesses, answers): the sizes of the parts in descending order, then zeros."""
    is_candidate: NDArray[np.bool_]
    """(guesses,): whether the guess may be the secret."""

    def prefer(self, places: NDArray[np.intp]) -> CodeIndex:
        """Return the guess at the first of `places` that holds a candidate, or else the first."""
        candidates = places[self.is_candidate[places]]
        return int(self.guesses[candidates[0] if len(candidates) else places[0]])

    @property
    def tells(self) -> NDArray[np.bool_]:
        """(guesses,): whether the guess leaves another position than the same one a turn later."""
        return self.is_candidate | (self.sizes[:, 1:2] > 0).any(axis=1)

    def only(self, which: NDArray[np.bool_]) -> Splits:
        """Return what some of the guesses do, those where `which`, (guesses,), is true."""
        return Splits(self.guesses[which], self.sizes[which], self.is_candidate[which])

    @classmethod
    def joined(cls, first: Splits, second: Splits) -> Splits:
        """Return what the guesses of both do to the same candidates; the second's come later."""
        fields = ("guesses", "sizes", "is_candidate")
        return cls(
            *(np.concatenate([getattr(s, name) for s in (first, second)]) for name in fields)
        )


Rule: TypeAlias = Callable[[Splits], NDArray[np.intp]]
"""Returns the places, ascending, of all guesses that it likes equally and best."""


def split(table: ResponseTable, candidates: IndexArray, guesses: IndexArray) -> Splits:
    """Count the parts into which each guess splits the candidates.

    Parameters
    ----------
    table
        The answers of the game.
    candidates
        (n,) int32, ascending, n > 0.
    guesses
        (m,) int32, ascending.
    """
    every = len(guesses) == table.size
    rows = table.responses[candidates]
    rows = rows[:, : table.size] if every else rows[:, guesses]
    return Splits(guesses, part_sizes(rows, table.answers), np.isin(guesses, candidates))


def part_sizes(responses: NDArray[np.uint8], answers: int) -> NDArray[np.intp]:
    """Return (guesses, answers): the sizes of the parts in descending order, then zeros.

    `responses` is (candidates, guesses), neither of them 0.
    """
    step = max(1, _RESPONSES_AT_ONCE // len(responses))
    blocks = range(0, responses.shape[1], step)
    return np.concatenate(
        [_part_sizes(responses[:, start : start + step], answers) for start in blocks]
    )


def _part_sizes(responses: NDArray[np.uint8], answers: int) -> NDArray[np.intp]:
    guesses = responses.shape[1]
    cells = responses + np.arange(0, guesses * answers, answers)
    counts = np.bincount(cells.ravel(), minlength=guesses * answers).reshape(guesses, answers)
    return np.sort(counts, axis=1)[:, ::-1]


def distinct_guesses(table: ResponseTable, path: Turns) -> IndexArray:
    """Return the guesses to try: at most two turns into a game with rules, one of each class.

    Guesses that symmetry makes equal split alike and are candidates alike.  So the first of the
    best guesses is the first of its class, and a rule chooses the same as among all guesses.
    """
    if table.rules is not None and len(path) <= _TURNS_WITH_SYMMETRY:
        return representatives(table.rules, [guess for guess, _ in path])
    return np.arange(table.size, dtype=np.int32)


def least(places: NDArray[np.intp], score: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return those of some places whose score is least."""
    best: NDArray[np.intp] = places[score[places] == score[places].min()]
    return best
