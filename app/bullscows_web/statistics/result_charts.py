"""Coordinates of the charts of the results, in units of their view boxes.

All charts of the overview are 360 wide.  Every chart repeats figures of a table on the same page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bullscows.game.cycles import cycles_of
from bullscows.game.duel import score
from bullscows.game.objective import total_turns
from bullscows_web.statistics.tables import Row

HEATS = 4
"""Number of colours for wins, and for losses."""
COLDEST = 25.0
"""Net wins per thousand duels up to which the first colour goes; each next one goes four times as
far."""

DOT_STEP, MARGIN = 16.0, 8.0
"""Distance between the places of a cycle, and from the edge."""

CYCLES_GAME, CYCLES_FIRST = "p4c10n", "0123"
"""The game and the first guess whose second guesses have cycles."""

_BRANCHES = re.compile(r"(?:.* )?k=(\d+)")
_COLUMN = re.compile(r"(?P<of>.*), (?:turn|digit) (?P<at>\w+)(?:, (?P<place>any place|place \d))?")
_CYCLES = re.compile(r"(\d{4}), cycles")


@dataclass(frozen=True)
class ParetoPoint:
    """A tree of the Pareto front of total and codes found at the last turn."""

    total: int
    """Turns summed over all codes."""
    late: int
    """Codes found at the last turn."""
    name: str
    """File name of the tree."""
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Player:
    """A strategy as a player of duels."""

    name: str
    distribution: tuple[int, ...]
    """Codes found at turn 1, 2, ..."""

    @property
    def total(self) -> int:
        """Turns summed over all codes."""
        return total_turns(self.distribution)

    @property
    def mean(self) -> float:
        """Turns per code."""
        return self.total / sum(self.distribution)


@dataclass(frozen=True)
class Dot:
    """A point of a chart."""

    x: float
    y: float


def ways_of(rows: Sequence[Row]) -> list[tuple[int, int, int]]:
    """Return k, the published total and ours for each k of Chen's k-way branching with both."""
    found = [(_BRANCHES.match(row.label), row.published, row.ours) for row in rows]
    return [
        (int(way[1]), published, ours)
        for way, published, ours in found
        if way and isinstance(published, int) and isinstance(ours, int)
    ]


@dataclass(frozen=True)
class Heat:
    """Result of the duels of two strategies."""

    net: float
    """Wins minus losses of the row's strategy per thousand duels."""
    step: int
    """Colour from ``-HEATS`` to ``HEATS``; 0 if neither is better."""

    @classmethod
    def of(cls, mine: Player, theirs: Player) -> Heat:
        """Count the duels of one strategy against another."""
        net = float(1000 * score(mine.distribution, theirs.distribution).net)
        steps = sum(abs(net) > COLDEST * 4**n for n in range(HEATS - 1)) + 1 if net else 0
        return cls(net, steps if net > 0 else -steps)


def heat_map(players: Sequence[Player]) -> list[tuple[Player, list[Heat]]]:
    """Return the duels of each strategy against all, most net wins first."""
    heats = [[Heat.of(mine, other) for other in players] for mine in players]
    order = sorted(range(len(players)), key=lambda place: -sum(heat.net for heat in heats[place]))
    return [(players[mine], [heats[mine][other] for other in order]) for mine in order]


def columns_of(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Return the counts of each group of rows with labels ``..., turn 3`` or ``..., digit 3``."""
    groups: dict[str, dict[str, int]] = {}
    for row in rows:
        found = _COLUMN.fullmatch(row.label)
        if found and isinstance(row.ours, int):
            title = ", ".join(part for part in (found["of"], found["place"]) if part)
            groups.setdefault(title, {})[found["at"]] = row.ours
    return {title: counts for title, counts in groups.items() if len(counts) > 1}


@dataclass(frozen=True)
class Loop:
    """One cycle or chain as a row of dots; the last dot of a chain is hollow."""

    dots: Sequence[float]
    is_open: bool


@dataclass(frozen=True)
class Diagram:
    """The cycles of one second guess."""

    guess: str
    loops: Sequence[Loop]
    width: float


def diagrams_of(rows: Sequence[Row]) -> list[Diagram]:
    """Return a diagram for each row with a label ``1045, cycles``."""
    guesses = (_CYCLES.fullmatch(row.label) for row in rows)
    return [_diagram(guess[1]) for guess in guesses if guess]


def _diagram(guess: str) -> Diagram:
    loops = []
    x = MARGIN
    for cycle in cycles_of(CYCLES_GAME, CYCLES_FIRST, guess):
        count = len(cycle.places) + cycle.is_open
        loops.append(Loop([x + DOT_STEP * place for place in range(count)], cycle.is_open))
        x += DOT_STEP * count + MARGIN
    return Diagram(guess, loops, x)
