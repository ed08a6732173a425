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
from bullscows.report.tables import Row
from bullscows_web.web.pictures.lengths import FLOOR, LEFT, RIGHT, TOP, Scale

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


@dataclass(frozen=True)
class FrontChart:
    """Pareto front of total and codes found at the last turn."""

    points: Sequence[tuple[ParetoPoint, Dot]]
    line: str
    """SVG path of the staircase below which no tree lies."""

    @classmethod
    def of(cls, front: Sequence[ParetoPoint]) -> FrontChart:
        """Lay out a front of at least one point, by ascending totals."""
        across = Scale(front[0].total, front[-1].total, LEFT, RIGHT)
        down = Scale(front[0].late, front[-1].late, TOP, FLOOR)
        dots = [(point, Dot(across.at(point.total), down.at(point.late))) for point in front]
        stairs = [f"M{dots[0][1].x:.1f} {dots[0][1].y:.1f}"]
        stairs += [f"H{dot.x:.1f}V{dot.y:.1f}" for _, dot in dots[1:]]
        return cls(dots, "".join(stairs))


@dataclass(frozen=True)
class WaysChart:
    """Total against the number k of branches in Chen's k-way branching, published and ours."""

    ways: Sequence[tuple[int, float]]
    """Each k with its position."""
    published: str
    """Points of the line of published totals."""
    ours: str
    """Points of the line of our totals."""
    low: int
    high: int

    @classmethod
    def of(cls, rows: Sequence[Row]) -> WaysChart | None:
        """Lay out the rows of some k that have both figures; None if there are none."""
        found = [(_BRANCHES.match(row.label), row) for row in rows]
        known = [
            (int(way[1]), row.published, row.ours)
            for way, row in found
            if way and isinstance(row.published, int) and isinstance(row.ours, int)
        ]
        if not known:
            return None
        low, high = min(min(row[1:]) for row in known), max(max(row[1:]) for row in known)
        across, up = Scale(0, len(known) - 1, LEFT, RIGHT), Scale(low, high, FLOOR, TOP)
        lines = [
            " ".join(f"{across.at(n):.1f},{up.at(row[which]):.1f}" for n, row in enumerate(known))
            for which in (1, 2)
        ]
        ways = [(row[0], across.at(place)) for place, row in enumerate(known)]
        return cls(ways, lines[0], lines[1], low, high)


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
    loops, x = [], MARGIN
    for cycle in cycles_of(CYCLES_GAME, CYCLES_FIRST, guess):
        count = len(cycle.places) + cycle.is_open
        loops.append(Loop([x + DOT_STEP * place for place in range(count)], cycle.is_open))
        x += DOT_STEP * count + MARGIN
    return Diagram(guess, loops, x)
