"""What all visitors share, made before the first one comes."""

from __future__ import annotations

from app.insight import Insight
from app.library import Library
from app.position import Position
from app.statistics import statistics


def prepare(library: Library) -> None:
    """Make what the pages of every tree need and keep: a second or two, and some megabytes.

    Else the first visitor of each tree would wait for it, and all the others with him.
    """
    for entry in library:
        statistics(entry)
        _ = entry.texts, Insight(Position.start(entry, shuffle=False)).rivals
