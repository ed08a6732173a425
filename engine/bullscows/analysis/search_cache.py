"""The searches of the last games, kept in memory within a limit.

A game is its response table and its searches, one for each objective.  Of a large game, and of one
that does not fit, the table has rows for the candidates of one position only, so each position
counts as a game of its own.  The size is known before anything is allocated
(`bullscows.kernels.workspace.search_bytes`).  The least recently used games are dropped
until it fits together with a second search, a beam or one for another last turn, that a question
needs for a while.  If nothing is left to drop, the transposition table is made smaller; if the
smallest does not fit, the game is not searched.

Whenever something is allocated, the memory of the rest of the process is measured: the resident
memory minus the arrays kept here.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TypeAlias

from bullscows.analysis.memory import MEGABYTE, TooLittleMemoryError, forget, give_back, resident
from bullscows.game.history import WHOLE_TABLE_CODES, History, table_after
from bullscows.game.objective import Objective
from bullscows.game.question import Question
from bullscows.game.response_table import ResponseTable, table_bytes
from bullscows.game.timer import UNLIMITED, Timer
from bullscows.kernels.workspace import search_bytes
from bullscows.search.position_search import Search, table_bits_of

HORIZON = 48
"""Turns looked ahead without a last turn."""

LARGE_HORIZON = 14
"""The same in a large game, after the turns played: each takes 28 bytes per code."""

AT_ONCE = 2
"""The most searches of a game during a question about one of them."""

LEAST_BITS = 16
"""The smallest transposition table has ``2**LEAST_BITS`` entries, 1 MB."""

MOST_BITS = 19
"""The largest has ``2**MOST_BITS`` entries, 8 MB: questions are answered in seconds, and Bulls &
Cows with 150 positions after it fills 61,000."""

RESERVE = 130 * MEGABYTE
"""Left for temporary memory while a question is answered; with 64 MB a worker exceeded its limit by
3, later with 110 by 6."""

LITTLE = 32 * MEGABYTE
"""Games that take no more are dropped whenever another does not fit: the rest is known then."""

UNMEASURED = 300 * MEGABYTE
"""Assumed memory of the rest of the process if the system does not report it."""


@dataclass(frozen=True)
class Scope:
    """The extent of a table: a whole game, or one position of a large one."""

    history: History
    """The turns to the position; none for a whole game."""
    rows: int
    """The number of candidates there."""

    @classmethod
    def of(cls, question: Question) -> list[Scope]:
        """Return the extents for a question, the position alone as the last.

        The whole of a small game comes first, because it also serves later questions.
        """
        rules = question.rules
        position = cls(question.history, len(question.candidates))
        if rules.size > WHOLE_TABLE_CODES:
            return [position]
        return [cls(History(rules), rules.size), position]

    @property
    def horizon(self) -> int:
        """Turns looked ahead without a last turn."""
        is_whole = not self.history and self.history.rules.size <= WHOLE_TABLE_CODES
        return HORIZON if is_whole else min(HORIZON, len(self.history) + LARGE_HORIZON)

    def search_bytes(self, bits: int) -> int:
        """Return the size of a search whose transposition table has ``2**bits`` entries."""
        return search_bytes(self.history.rules, self.horizon, bits)

    def bytes(self, bits: int = LEAST_BITS) -> int:
        """Return the size of a game during a question with such tables."""
        return table_bytes(self.history.rules, self.rows) + AT_ONCE * self.search_bytes(bits)

    def __str__(self) -> str:
        rules = self.history.rules
        return f"{self.rows} candidates of {rules}" if self.history else str(rules)


_Aim: TypeAlias = tuple[Objective, int | None, bool]
"""The objective, the last turn, and whether only candidates may be guessed."""


@dataclass
class _Game:
    table: ResponseTable
    searches: OrderedDict[_Aim, tuple[Search, int]] = field(default_factory=OrderedDict)
    """The searches with the bytes of each, the most recently used last."""

    @property
    def bytes(self) -> int:
        return self.table.responses.nbytes + sum(size for _, size in self.searches.values())


class SearchCache:
    """LRU cache of tables and searches for one thread; the process has at most `memory` bytes."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._others = 0
        """The memory of the rest of the process, as far as it is known with games in memory."""
        self._known_others = 0
        """The same, last measured without games."""
        self._games: OrderedDict[Scope, _Game] = OrderedDict()

    @property
    def bytes(self) -> int:
        """The size of the arrays kept."""
        return sum(game.bytes for game in self._games.values())

    def search(self, question: Question, timer: Timer = UNLIMITED) -> Search:
        """Return the search for a question, warm if its objective was asked before.

        Raises `TooLittleMemoryError` if it, `ObjectiveError` if the objective does not fit, and
        `OutOfTimeError` if there is too little time to begin it.
        """
        aim = (question.objective, question.turns_allowed, question.candidates_only)
        for scope in Scope.of(question):
            game = self._games.get(scope)
            if game is not None and aim in game.searches:
                self._games.move_to_end(scope)
                game.searches.move_to_end(aim)
                return game.searches[aim][0]
        scope, bits = self._fitting(question, timer)
        game = self._games[scope]
        search = Search(
            game.table,
            question.weights(scope.horizon),
            table_bits=bits,
            candidates_only=question.candidates_only,
            timer=timer,
        )
        game.searches[aim] = search, scope.search_bytes(bits)
        return search

    def table(self, question: Question, timer: Timer = UNLIMITED) -> tuple[ResponseTable, int]:
        """Return a question's table and the bits of a new search; errors as of `search`."""
        scope, bits = self._fitting(question, timer)
        return self._games[scope].table, bits

    def _fitting(self, question: Question, timer: Timer) -> tuple[Scope, int]:
        """Keep a game with space for two more searches; return it and the bits of their tables.

        If a whole game does not fit, its position may, because it has fewer rows.  Raises
        `OutOfTimeError` if a new table would take half of the time.
        """
        room = self._room()
        for scope in Scope.of(question):
            if scope.bytes() > room and self._may_fit(scope):
                room = self._cleared_room()
            if scope.bytes() <= room:
                break
        else:
            raise TooLittleMemoryError(str(scope), scope.bytes(), room)
        bits = min(table_bits_of(scope.rows), MOST_BITS)
        while scope.bytes(bits) > room:
            bits -= 1
        self._free(scope, room - AT_ONCE * scope.search_bytes(bits))
        if scope not in self._games:
            played = scope.history
            table = table_after(played, only_candidates=bool(played), timer=timer)
            self._games[scope] = _Game(table)
        self._games.move_to_end(scope)
        return scope, bits

    def _room(self) -> int:
        """Return the bytes left for arrays by the rest of the process."""
        used = resident()
        others = UNMEASURED if used is None else used - self.bytes
        self._others = max(self._others, others)
        if not self._games:
            self._known_others = others
        return self._memory - self._others - RESERVE

    def _may_fit(self, scope: Scope) -> bool:
        """Return whether a game may fit without all others, or these are fast to make again.

        The rest of the process mostly grows: its size without games shows what is in vain.
        """
        room = self._memory - RESERVE
        if self.bytes > LITTLE:
            room -= self._known_others
        return scope.bytes() <= room

    def _cleared_room(self) -> int:
        """Return the bytes left after all games, and caches of large games elsewhere, are dropped.

        Estimated and real sizes may differ, and much that was free may be released.
        """
        self._games.clear()
        forget()
        self._others = 0
        return self._room()

    def _free(self, scope: Scope, most: int) -> None:
        """Drop the least recently used games, then this game's searches, down to `most` bytes."""
        missing = 0
        own = self._games.get(scope)
        before = self.bytes
        if own is None:
            missing = table_bytes(scope.history.rules, scope.rows)
        for other in [other for other in self._games if other != scope]:
            if self.bytes + missing > most:
                del self._games[other]
        while own is not None and own.searches and self.bytes > most:
            own.searches.popitem(last=False)
        if self.bytes < before:
            give_back()
