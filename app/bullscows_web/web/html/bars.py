"""Bars next to numbers: their lengths and shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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


def coordinate(number: float) -> str:
    """Return a coordinate in a picture, with one decimal place."""
    return f"{number:.1f}"


def width(share: float) -> str:
    """Return a share as the width of a bar, such as ``41.7%``."""
    return f"{100 * share:.1f}%"
