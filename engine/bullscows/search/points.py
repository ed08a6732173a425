"""Points: what strategies cost in two criteria, and which of them no other betters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Point(NamedTuple):
    """The costs of a strategy in the two criteria."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}/{self.second}"

    def plus(self, other: Point) -> Point:
        """Return the sum of both."""
        return Point(self.first + other.first, self.second + other.second)

    def bettered_by(self, other: Point) -> bool:
        """Return whether `other` is at most this in both criteria."""
        return other.first <= self.first and other.second <= self.second


def nondominated(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return the points that no other betters, by ascending first cost."""
    kept: list[Point] = []
    for point in sorted(points):
        if not kept or point.second < kept[-1].second:
            kept.append(point)
    return tuple(kept)


def sums_of(
    sums: dict[Point, tuple[Point, ...]], points: tuple[Point, ...]
) -> dict[Point, tuple[Point, ...]]:
    """Add a point to each sum in every way, and return what no other sum betters."""
    ways = {
        before.plus(point): (*chosen, point) for before, chosen in sums.items() for point in points
    }
    return {point: ways[point] for point in nondominated(ways)}


def is_bettered(point: Point, found: tuple[Point, ...]) -> bool:
    """Return whether one of `found` is at most this in both criteria."""
    return any(point.bettered_by(other) for other in found)


def gaps(found: Sequence[Point]) -> list[Point]:
    """Return the worst point that could still come between each two neighbours."""
    corners = (
        (left, Point(right.first - 1, left.second - 1), right) for left, right in pairwise(found)
    )
    return [
        corner
        for left, corner, right in corners
        if left.first < corner.first and right.second < corner.second
    ]
