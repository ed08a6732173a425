"""Bounds proved with one vector of weights, of the whole and of single positions.

Positions are rows of numbers as the kernels log them (`bullscows.kernels.log`), because there
are many.  A row has the transposition key of the position, its bounds, the number of guesses that
its search tried, and the steps that lead to it.  Rows with the same key are merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bullscows.errors import EngineError
from bullscows.game.objective import Bounds, Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Turns
from bullscows.kernels import log
from bullscows.kernels.compiling.jit import Numbers

MOST_ROWS, MOST_FRESH = 100_000, 50_000
"""Limits on rows that are kept, and on rows that wait to be merged with them."""

LEAST_EFFORT = 10
"""The initial limit on guesses tried below which the search of a position is not logged."""


class CheckpointError(EngineError, ValueError):
    """A file that is no checkpoint of the question, or whose bounds contradict a search."""


def no_rows() -> Numbers:
    """Return an empty array of rows."""
    return np.zeros((0, log.CHECKSUM), dtype=np.int64)


@dataclass
class ProvenBounds:
    """Bounds of the whole question, and of positions below it."""

    weights: tuple[int, ...]
    """The weight of turn 1, 2, ..."""
    capped: bool
    """Whether the last weight is that of the last allowed turn."""
    first_turn: int
    """The turn of the question's next guess; steps begin there."""
    bounds: Bounds = field(default_factory=Bounds)
    """Bounds of the whole question."""
    guess: CodeIndex | None = None
    """The first guess of the strategy that costs the upper bound, if it is known."""
    nodes: int = 0
    """Nodes of all runs."""
    read: Numbers = field(default_factory=no_rows)
    """Rows of a file, without keys, that no search has taken over yet."""
    least_effort: int = LEAST_EFFORT
    """Positions that took less effort are not logged."""
    earlier_seconds: float = 0.0
    """Time that earlier runs took."""
    _merged: Numbers = field(default_factory=no_rows)
    _fresh: list[Numbers] = field(default_factory=list)
    _waiting: int = 0

    def learn(self, bounds: Bounds, guess: CodeIndex | None = None) -> None:
        """Tighten the bounds of the whole question; `guess` attains the upper one."""
        before = self.bounds.upper
        self.bounds = self.bounds.tightened(bounds)
        if self.bounds.upper != before:
            self.guess = None
        if guess is not None and bounds.upper is not None and self.bounds.upper == bounds.upper:
            self.guess = guess

    def add(self, rows: Numbers) -> None:
        """Add rows with keys, (n, log.CHECKSUM) int64; the guesses of their steps are codes."""
        if len(rows) == 0:
            return
        self._fresh.append(rows)
        self._waiting += len(rows)
        if self._waiting > MOST_FRESH:
            self.merge()

    def take(self) -> Numbers:
        """Return the rows that were added, one for each key, and forget them."""
        self.merge()
        rows = self._merged
        self._merged = no_rows()
        return rows

    def rows(self) -> Numbers:
        """Return all rows, one for each key, most important first."""
        self.merge()
        return np.concatenate([self._merged, self.read])

    def find(self, key: tuple[int, int]) -> list[int] | None:
        """Return the row with a key, as of the last `merge`."""
        place, check = np.array(key, dtype=np.uint64).view(np.int64)
        found = (self._merged[:, log.PLACE] == place) & (self._merged[:, log.CHECK] == check)
        return next(iter(self._merged[found].tolist()), None)

    def merge(self) -> None:
        """Merge rows with the same key, and keep the best `MOST_ROWS`.

        The steps are those of the row with the least upper bound, because its guess is one there.
        """
        if not self._fresh:
            return
        rows = np.concatenate([self._merged, *self._fresh])
        self._fresh = []
        self._waiting = 0
        columns = rows[:, log.GUESS] == 0, *rows[:, [log.UPPER, log.CHECK, log.PLACE]].T
        rows = rows[np.lexsort(columns)]
        keys = rows[:, [log.PLACE, log.CHECK]]
        starts = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(axis=1)])
        merged = rows[starts]
        merged[:, log.LOWER] = np.maximum.reduceat(rows[:, log.LOWER], starts)
        merged[:, log.EFFORT] = np.add.reduceat(rows[:, log.EFFORT], starts)
        self._merged = self._kept(merged)

    def _kept(self, rows: Numbers) -> Numbers:
        """Return the rows by importance, at most `MOST_ROWS`.

        The parts of a first guess come first, because their bounds make up those of the whole, and
        the positions of the best strategy; positions after a solved one last, because a search
        needs only equivalents of them.  The others are ordered by effort: as little as that of a
        dropped row is no longer logged.
        """
        is_later = rows[:, log.TURN] > self.first_turn + 1
        is_settled, is_played = self._places(rows)
        order = np.lexsort((-rows[:, log.EFFORT], is_settled, is_later & ~is_played))
        dropped = order[MOST_ROWS:]
        efforts = rows[dropped[~is_settled[dropped]], log.EFFORT]
        self.least_effort = int(efforts.max(initial=self.least_effort))
        return rows[order[:MOST_ROWS]]

    def _places(self, rows: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return, (n,) bool, which rows are of positions after one that is solved.

        And which are of positions of the strategy with the best guess of each.
        """
        lengths = rows[:, log.TURN] - self.first_turn
        is_solved = rows[:, log.LOWER] == rows[:, log.UPPER]
        settled = np.zeros(len(rows), dtype=np.bool_)
        played = rows[:, log.STEPS] // log.ANSWERS == (-1 if self.guess is None else self.guess)
        path = np.zeros(len(rows), dtype=np.uint64)
        for length in range(1, int(lengths.max(initial=0))):
            path = (path + rows[:, log.STEPS + length - 1].view(np.uint64)) * np.uint64(log.FACTOR)
            is_here = lengths == length
            is_later = lengths > length
            settled |= is_later & np.isin(path, path[is_solved & is_here])
            best = path + rows[:, log.GUESS].view(np.uint64)
            following = path + (rows[:, log.STEPS + length] // log.ANSWERS + 1).view(np.uint64)
            played &= ~is_later | np.isin(following, best[is_here & (rows[:, log.GUESS] > 0)])
        return settled, played


class BoundsMemory:
    """The bounds proved with each vector of weights; `first_turn` is that of the question.

    `bullscows.search.checkpoint.Checkpoint` keeps them in a file.
    """

    def __init__(self, first_turn: int) -> None:
        self.proofs: dict[tuple[tuple[int, ...], bool], ProvenBounds] = {}
        """Bounds by the weights, and whether the last of them is that of the last allowed turn."""
        self._first_turn = first_turn

    def proven(self, weights: Weights) -> ProvenBounds:
        """Return what is proved with weights; bounds with other weights say nothing about these."""
        key = (weights.values, weights.capped)
        return self.proofs.setdefault(key, ProvenBounds(*key, self._first_turn))

    def save_if_due(self) -> None:
        """Save, if there is a file and its last save is long enough ago."""


def bounds_of(row: list[int]) -> Bounds:
    """Return the bounds of a row."""
    return Bounds(row[log.LOWER], None if row[log.UPPER] == log.NONE else row[log.UPPER])


def turns_of(row: Sequence[int], first_turn: int) -> Turns:
    """Return the turns from the question on that lead to the position of a row."""
    steps = row[log.STEPS : log.STEPS + row[log.TURN] - first_turn]
    return tuple(divmod(step, log.ANSWERS) for step in steps)


def row_of(
    turn: int, bounds: Bounds, effort: int, guess: CodeIndex | None, turns: Turns
) -> list[int]:
    """Return a row without a key; `guess` attains the upper bound, if it is known."""
    row = [0] * log.CHECKSUM
    row[log.TURN] = turn
    row[log.EFFORT] = effort
    row[log.LOWER] = bounds.lower
    row[log.UPPER] = log.NONE if bounds.upper is None else bounds.upper
    row[log.GUESS] = 0 if guess is None else guess + 1
    row[log.STEPS : log.STEPS + len(turns)] = [
        guess_made * log.ANSWERS + answer for guess_made, answer in turns
    ]
    return row


def candidates_of(
    table: ResponseTable, left: NDArray[np.intp], rows: Numbers, first_turn: int
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield the numbers of rows with the candidates of their positions.

    `left` are those of the question.  Raises `CheckpointError` if a position has too few.
    """

    # In the order of the turns most positions have the same beginning as the one before.
    @lru_cache(maxsize=1000)
    def after(turns: Turns) -> NDArray[np.intp]:
        if not turns:
            return left
        guess, answer = turns[-1]
        before = after(turns[:-1])
        found: NDArray[np.intp] = before[table.responses[before, table.number(guess)] == answer]
        return found

    for number in np.lexsort(rows[:, : log.STEPS - 1 : -1].T).tolist():
        candidates = after(turns_of(rows[number].tolist(), first_turn))
        if len(candidates) <= 2:
            raise CheckpointError(f"a position has {len(candidates)} candidates: none is searched")
        yield number, candidates
