"""Positions, and what is asked and told about them: the words of the exact search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from bullscows.errors import EngineError
from bullscows.game.history import HistoryError, InconsistentError, Turn
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import CodeIndex


class SearchError(EngineError, ValueError):
    """A question that no search can answer."""


class GuessError(SearchError):
    """A first guess that does not exist or tells nothing apart."""


@dataclass(frozen=True)
class Techniques:
    """Switches of the ways to leave work out; none of them changes a value or a tree."""

    size: bool = True
    """Bound a set by its size and the fan-out (paper, 2.5.2 and 2.5.3)."""
    parts: bool = True
    """Take guesses in waves of equal numbers of parts (Francis, Estimators)."""
    cap: bool = True
    """Cap the fan-out below a node by the largest number of parts seen at it."""
    members: bool = True
    """Settle small sets by their members alone (paper, 2.5.6)."""
    quick: bool = True
    """Bound all parts of a guess by a scan each before one is searched (paper, 2.5.7)."""
    table: bool = True
    """Keep values and bounds in a transposition table (paper, 2.5.9)."""
    canonical: bool = True
    """Key large sets by a relabelled image (paper, lemma 1)."""
    history: bool = True
    """Try one guess of each class that the history does not tell apart (paper, 2.3)."""
    symbols: bool = True
    """Try one guess of each class under swaps of symbols that fix the candidates."""
    order: bool = True
    """Try the most promising guess of a wave first (paper, 2.5.1)."""
    part_order: bool = True
    """Search the parts of a guess by size: which end first depends on the weights."""
    slack: bool = True
    """Leave a part as soon as its guess cannot be better than the best (paper, 2.5.4)."""
    answer_caps: bool = True
    """Cap the fan-out of a part by the answer that leads to it."""
    portions: bool = True
    """Ask the parts of a guess for a portion each of what the limit leaves, before one is asked
    for all of it."""

    @property
    def flags(self) -> int:
        """The switches as bits, in the order of the fields."""
        return sum(getattr(self, item.name) << bit for bit, item in enumerate(fields(self)))


@dataclass(frozen=True)
class Position:
    """What the search has to solve: candidates, and the turn of the next guess."""

    candidates: tuple[CodeIndex, ...]
    """The codes that are still possible secrets; ascending, at least one."""
    turn: int = 1
    """The number of the next guess."""
    guesses: tuple[CodeIndex, ...] | None = None
    """The guesses of a history that leaves just these candidates, for its symmetry; None if the
    candidates came from elsewhere."""

    @classmethod
    def after(cls, table: ResponseTable, history: Sequence[Turn]) -> Position:
        """Return the position after guesses and answers given by number.

        Raises
        ------
        HistoryError
            If a guess or an answer does not exist.
        InconsistentError
            If no code fits all answers.
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
    """How far a search is; told about ten times a second."""

    seconds: float
    nodes: int
    guess: CodeIndex | None
    """The guess under way at the root."""
    done: int
    """Guesses at the root that are settled."""
    best: int | None
    """The cost of the best strategy so far."""
    lower: int = 0
    """No strategy costs less."""


@dataclass(frozen=True)
class Counters:
    """What a search did, and which rule cut how often."""

    counts: dict[str, int] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        """The number of sets that were searched."""
        return self.counts.get("nodes", 0)

    @property
    def scans(self) -> int:
        """The number of sets for which all guesses were scanned."""
        return self.counts.get("scans", 0)


class HorizonError(SearchError):
    """An uncapped search looked further ahead than its weights go."""
