"""The games that are searched, kept warm within a memory budget.

A game is its response table and the searches of it, one for each objective.  Before anything is
made, its size is known (`engine.kernels.workspace.search_bytes`), and games that were not asked
about for longest go whole until it fits beside what is kept and beside a second search, a beam or
one for another last turn, which comes and goes during a question.  If nothing is left to go, the
transposition table is made smaller; if the smallest does not fit, the game is not searched.

What all else in the process takes is measured, whenever something is made, as what is resident
beyond the arrays kept here.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from engine.analysis.memory import MEGABYTE, TooLittleMemoryError, give_back, resident
from engine.game.objective import Objective, combine
from engine.game.responses import ResponseTable, table_bytes
from engine.game.rules import Rules
from engine.kernels.workspace import search_bytes
from engine.search.search import Search, table_bits_of

HORIZON = 48
"""Turns looked ahead when nothing caps them."""

AT_ONCE = 2
"""How many searches of a game there are at most during a question about one of them."""

LEAST_BITS = 16
"""The smallest transposition table that is searched with has ``2**LEAST_BITS`` entries, 1 MB."""

RESERVE = 40 * MEGABYTE
"""Left for what else comes and goes while a question is answered."""

UNMEASURED = 300 * MEGABYTE
"""What all else in the process is taken to use where the system doesn't tell."""


@dataclass
class _Game:
    """A game in memory."""

    table: ResponseTable
    searches: OrderedDict[tuple[Objective, int | None], tuple[Search, int]] = field(
        default_factory=OrderedDict
    )
    """The searches with the bytes of each, that asked for last at the end."""

    @property
    def bytes(self) -> int:
        return self.table.responses.nbytes + sum(size for _, size in self.searches.values())


class WarmGames:
    """Tables and searches of the games asked about last, for one thread.

    Parameters
    ----------
    memory
        The bytes that the whole process may use.
    """

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._others = 0
        """What all else takes, as far as that can be told while games are in memory."""
        self._known_others = 0
        """The same, measured when there was none last."""
        self._games: OrderedDict[Rules, _Game] = OrderedDict()

    @property
    def bytes(self) -> int:
        """What the arrays kept take."""
        return sum(game.bytes for game in self._games.values())

    @property
    def rules(self) -> list[Rules]:
        """The games in memory, that asked about last at the end."""
        return list(self._games)

    def search(self, rules: Rules, objective: Objective, turns: int | None) -> Search:
        """Return the search for an objective, warm if it was asked before.

        Raises
        ------
        TooLittleMemoryError
            If it does not fit.
        ObjectiveError
            If the objective does not fit into 64-bit integers.
        """
        question = (objective, turns)
        game = self._games.get(rules)
        if game is None or question not in game.searches:
            answers = len(rules.answers)
            capped = turns is not None
            weights = combine(objective, turns or HORIZON, rules.size, answers, capped=capped)
            game, bits = self._fitting(rules)
            search = Search(game.table, weights, table_bits=bits)
            game.searches[question] = search, search_bytes(rules, HORIZON, bits)
        self._games.move_to_end(rules)
        game.searches.move_to_end(question)
        return game.searches[question][0]

    def table(self, rules: Rules) -> tuple[ResponseTable, int]:
        """Return a game's table, and the bits of the table of a search that is not kept.

        Raises
        ------
        TooLittleMemoryError
            If they do not fit.
        """
        game, bits = self._fitting(rules)
        return game.table, bits

    def _fitting(self, rules: Rules) -> tuple[_Game, int]:
        """Return a game with room for two more searches with tables of so many bits."""
        room = self._room()
        if _least_bytes(rules) > room:
            room = self._cleared_room(rules)
        bits = _largest_bits(rules, room)
        self._free(rules, room - AT_ONCE * search_bytes(rules, HORIZON, bits))
        game = self._games.setdefault(rules, _Game(ResponseTable.of(rules)))
        self._games.move_to_end(rules)
        return game, bits

    def _room(self) -> int:
        """Return the bytes that arrays may take: what is left by all else in the process."""
        used = resident()
        others = UNMEASURED if used is None else used - self.bytes
        self._others = max(self._others, others)
        if not self._games:
            self._known_others = others
        return self._memory - self._others - RESERVE

    def _cleared_room(self, rules: Rules) -> int:
        """Return the same after all games have gone, if a game may fit then.

        What they were taken to use and what they did may differ, and much of what was free within
        the process may go back to the system; all else only grows.
        """
        room = self._memory - self._known_others - RESERVE
        if _least_bytes(rules) > room:
            raise TooLittleMemoryError(str(rules), _least_bytes(rules), room)
        self._games.clear()
        give_back()
        self._others = 0
        return self._room()

    def _free(self, rules: Rules, most: int) -> None:
        """Drop what was not asked for longest until a game's table fits into so many bytes.

        Other games go whole; then the game's own searches.
        """
        missing = 0 if rules in self._games else table_bytes(rules)
        before = len(self._games)
        while self.bytes + missing > most and any(other != rules for other in self._games):
            self._games.pop(next(other for other in self._games if other != rules))
        own = self._games.get(rules)
        dropped = len(self._games) < before
        while own is not None and own.searches and self.bytes > most:
            own.searches.popitem(last=False)
            dropped = True
        if dropped:
            give_back()


def _bytes(rules: Rules, bits: int) -> int:
    """Return what a question about a game takes with such tables."""
    return table_bytes(rules) + AT_ONCE * search_bytes(rules, HORIZON, bits)


def _least_bytes(rules: Rules) -> int:
    return _bytes(rules, LEAST_BITS)


def _largest_bits(rules: Rules, room: int) -> int:
    """Return the largest transposition table with which a game fits, as a power of two."""
    for bits in range(table_bits_of(rules.size), LEAST_BITS - 1, -1):
        if _bytes(rules, bits) <= room:
            return bits
    raise TooLittleMemoryError(str(rules), _least_bytes(rules), room)
