"""Where everything stands in the pictures of the results, in the units of their view boxes.

Every picture is 360 wide; what it shows stands in a table beside it too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bullscows.game.duel import score
from bullscows.report.tables import Row
from bullscows_web.statistics.results.figures import FrontPoint, Player
from bullscows_web.web.pictures.lengths import FLOOR, LEFT, RIGHT, TOP, Scale

NAMES_TO, SCALE_FROM = 150.0, 158.0
"""Where the names of strategies end, and their scale begins."""
FIRST, STEP = 26.0, 18.0
"""Where the first strategy of a scale stands, and how far it is to the next."""

HEATS = 4
"""How many colours tell wins apart, and as many losses."""
COLDEST = 25.0
"""Net wins in a thousand duels up to which the first colour goes; each next goes four times on."""

_WAYS = re.compile(r"(?:.* )?k=(\d+)")


@dataclass(frozen=True)
class Dot:
    """A point of a picture."""

    x: float
    y: float


@dataclass(frozen=True)
class FrontChart:
    """Turns against late codes."""

    points: Sequence[tuple[FrontPoint, Dot]]
    """Each point of the front with its place."""
    line: str
    """The stairs from one to the next: what lies below them no tree attains."""

    @classmethod
    def of(cls, front: Sequence[FrontPoint]) -> FrontChart:
        """Place a front of one point at least, by ascending turns."""
        across = Scale(front[0].total, front[-1].total, LEFT, RIGHT)
        down = Scale(front[0].late, front[-1].late, TOP, FLOOR)
        dots = [(point, Dot(across.at(point.total), down.at(point.late))) for point in front]
        stairs = [f"M{dots[0][1].x:.1f} {dots[0][1].y:.1f}"]
        stairs += [f"H{dot.x:.1f}V{dot.y:.1f}" for _, dot in dots[1:]]
        return cls(dots, "".join(stairs))


@dataclass(frozen=True)
class TotalsChart:
    """All strategies of a game on one scale of turns on average, the best first."""

    dots: Sequence[tuple[Player, Dot]]
    """Each strategy with the place of its average."""
    height: float
    """The height of the picture."""

    @classmethod
    def of(cls, players: Sequence[Player]) -> TotalsChart:
        """Place the strategies of one game, one at least."""
        across = Scale(players[0].average, players[-1].average, SCALE_FROM, RIGHT - 34)
        dots = [
            (player, Dot(across.at(player.average), FIRST + STEP * place))
            for place, player in enumerate(players)
        ]
        return cls(dots, FIRST + STEP * len(players))


@dataclass(frozen=True)
class WaysChart:
    """Chen's branching: turns in all against the ways that are followed, published and ours."""

    ways: Sequence[tuple[int, float]]
    """Each k with its place."""
    published: str
    """The published figures as a line."""
    ours: str
    """Ours."""
    low: int
    """The least number of turns."""
    high: int
    """The largest one."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> WaysChart | None:
        """Place the rows that are of some k and have both figures; None if there are none."""
        found = [(_WAYS.match(row.label), row) for row in rows]
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
    """How the duels of two strategies end."""

    net: float
    """Wins minus losses of the row's strategy, in a thousand duels."""
    step: int
    """From ``-HEATS`` to ``HEATS``, 0 if nobody is better."""

    @property
    def rounded(self) -> int:
        """The same in whole duels."""
        return round(self.net)

    @classmethod
    def of(cls, mine: Player, theirs: Player) -> Heat:
        """Count the duels of one strategy against another."""
        net = float(1000 * score(mine.turns, theirs.turns).net)
        steps = sum(abs(net) > COLDEST * 4**n for n in range(HEATS - 1)) + 1 if net else 0
        return cls(net, steps if net > 0 else -steps)


def heat_map(players: Sequence[Player]) -> list[tuple[Player, list[Heat]]]:
    """Return each strategy with its duels against all, those who win most first."""
    heats = [[Heat.of(mine, other) for other in players] for mine in players]
    order = sorted(range(len(players)), key=lambda place: -sum(heat.net for heat in heats[place]))
    return [(players[mine], [heats[mine][other] for other in order]) for mine in order]
