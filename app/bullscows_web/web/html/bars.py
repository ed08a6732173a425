"""Bars beside numbers: how long each is, and what it is a share of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """One of several counts."""

    count: int
    """The count."""
    share: float
    """Which share of their sum it is."""
    length: float
    """Its bar's, as a share of the longest."""


def bars(counts: Sequence[int]) -> list[Bar]:
    """Return counts with their bars."""
    total, largest = sum(counts), max(counts)
    return [Bar(count, count / total, count / largest) for count in counts]


def coordinate(number: float) -> str:
    """Return where something stands in a picture, as precisely as it shows."""
    return f"{number:.1f}"


def width(share: float) -> str:
    """Return a share as the width of a bar, as in ``41.7%``."""
    return f"{100 * share:.1f}%"
