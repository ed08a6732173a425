"""Charts of counts: bars next to numbers, and the lengths of games over each other as lines.

A chart of lines is 360 wide, with a line for each strategy or tree.  Pages show its numbers in a
table, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist


@dataclass(frozen=True)
class Bar:
    """One of several counts."""

    count: int
    share: float
    """Which share of their sum it is."""
    length: float
    """Its bar's, as a share of the longest."""


def bars(counts: Sequence[int]) -> list[Bar]:
    """Return counts with their bars."""
    total = sum(counts)
    largest = max(counts)
    return [Bar(count, count / total, count / largest) for count in counts]


def loss_bar(least: float, most: float) -> float:
    """Return the length of the bar of a loss in turns between two bounds: full if it is 0."""
    return 2 / (2 + 3 * (least + most))


LETTERS = "ABCDEFGH"
SHAPES = (
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0",
    "M-3-3H3V3H-3Z",
    "M0-4 3.8 2.8H-3.8Z",
    "M0-4.4 4.4 0 0 4.4-4.4 0Z",
    "M-1.3-4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4V-1.3H-1.3Z",
    "M0 4 3.8-2.8H-3.8Z",
)
"""Paths of the points of lines, so that lines differ without colours."""


def line_letter(number: int) -> str:
    """Return the letter of line 1, 2, ..."""
    return LETTERS[(number - 1) % len(LETTERS)]


def line_shape(number: int) -> str:
    """Return the path of the points of line 1, 2, ..."""
    return SHAPES[(number - 1) % len(SHAPES)]


def coordinate(number: float) -> str:
    """Return a coordinate in a picture, with one decimal place."""
    return f"{number:.1f}"


def width(share: float) -> str:
    """Return a share as the width of a bar, such as ``41.7%``."""
    return f"{100 * share:.1f}%"


LEFT, RIGHT = 36.0, 348.0
TOP, FLOOR = 16.0, 188.0
"""Between which points and lines stand."""
BASELINE = 4
"""How far the baseline of a letter is below its middle."""


@dataclass(frozen=True)
class Scale:
    """Maps numbers to a stretch of the picture."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Return where a number stands."""
        share = (value - self.low) / (self.high - self.low) if self.high != self.low else 0.5
        return self.begin + share * (self.end - self.begin)


@dataclass(frozen=True)
class Line:
    """One strategy in the picture."""

    points: Sequence[tuple[float, float]]
    """Its share at turn 1, 2, ..."""
    label: tuple[float, float]
    """Position of its letter."""

    @property
    def path(self) -> str:
        """The points as an attribute of a polyline."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True)
class LengthsChart:
    """Which share of the codes some strategies find at which turn."""

    lines: Mapping[str, Line]
    """By the name of each strategy."""
    turns: Sequence[float]
    """Coordinates of turn 1, 2, ..."""

    @classmethod
    def of(cls, games: Mapping[str, Sequence[int]]) -> LengthsChart:
        """Place the codes that some strategies of one game find at turn 1, 2, ..., by name."""
        longest = max(map(len, games.values()))
        most = max(max(turns) / sum(turns) for turns in games.values())
        across = Scale(1, max(longest, 2), LEFT, RIGHT)
        up = Scale(0, most, FLOOR, TOP)
        heights = [
            [up.at(count / sum(turns)) for count in (*turns, 0)][:longest]
            for turns in games.values()
        ]
        places = [across.at(turn) for turn in range(1, longest + 1)]
        points = [list(zip(places, line, strict=False)) for line in heights]
        labels = [(x, y + BASELINE) for x, y in _labels(points)]
        lines = map(Line, points, labels)
        return cls(dict(zip(games, lines, strict=True)), places)


def _labels(lines: Sequence[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return a place for the letter of each line: at the turn at which other lines are farthest."""
    found: list[tuple[float, float]] = []
    for line in lines:
        others = [other for other in lines if other is not line]
        apart = [
            min((_apart(line, other, turn) for other in others), default=0.0)
            for turn in range(len(line))
        ]
        x, y = line[max(range(len(line)), key=apart.__getitem__)]
        points = [point for other in others for point in other] + found
        spots = [(x, max(y + shift, 9.0)) for shift in (-14.0, 14.0)]
        found.append(max(spots, key=lambda spot: min((dist(spot, at) for at in points), default=0)))
    return found


def _apart(
    line: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]], turn: int
) -> float:
    """Return how far another line is at a turn; lines that have ended lie at the bottom."""
    height = other[turn][1] if turn < len(other) else FLOOR
    return abs(line[turn][1] - height)
