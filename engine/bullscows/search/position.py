"""Positions, and the values that the modules of the search exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bullscows.errors import EngineError
from bullscows.game.history import HistoryError, InconsistentError
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import CodeIndex, Turn, Turns


class SearchError(EngineError, ValueError):
    """A question that no search can answer."""


@dataclass(frozen=True)
class Position:
    """Candidates, and the turn of the next guess."""

    candidates: tuple[CodeIndex, ...]
    """The candidates; ascending, at least one."""
    turn: int = 1
    """The turn of the next guess."""
    guesses: tuple[CodeIndex, ...] | None = None
    """The guesses of a history that leaves these candidates, for its symmetry; None: unknown."""

    @classmethod
    def reached(cls, candidates: tuple[CodeIndex, ...], path: Turns) -> Position:
        """Return the position of the candidates that the turns of a path leave, by number."""
        return cls(candidates, len(path) + 1, tuple(guess for guess, _ in path))

    @classmethod
    def after(cls, table: ResponseTable, history: Sequence[Turn]) -> Position:
        """Return the position after guesses and answers given by number.

        Raises `HistoryError` if one does not exist, `InconsistentError` if no code fits them.
        """
        left = np.arange(table.rows)
        for guess, answer in history:
            if not (0 <= guess < table.size and 0 <= answer < table.answers):
                raise HistoryError(f"no guess {guess} with answer {answer} in this game")
            left = left[table.responses[left, table.number(guess)] == answer]
        if len(left) == 0:
            raise InconsistentError(history, table.rules)
        guesses = tuple(table.number(guess) for guess, _ in history)
        return cls(tuple(left.tolist()), len(history) + 1, guesses)


@dataclass(frozen=True)
class Progress:
    """Progress of a search, reported about ten times a second."""

    seconds: float
    """The time since the start."""
    nodes: int
    """The number of nodes searched."""
    guess: CodeIndex | None
    """The guess under search at the root."""
    done: int
    """The number of guesses at the root that are settled."""
    best: int | None
    """The cost of the best strategy so far."""
    lower: int = 0
    """Lower bound on the cost of all strategies."""


ReportProgress: TypeAlias = Callable[[Progress], None]
"""Function that is called with the progress of a search."""


class HorizonError(SearchError):
    """An uncapped search looked further ahead than its weights go."""
