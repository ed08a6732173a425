"""Pictures beside single tables: columns of counts, and the cycles of second guesses.

Which rows are drawn together, their labels say: ``..., turn 3`` and ``..., digit 3, place 2`` are
one column each, and ``1045, cycles`` is a diagram.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bullscows.game.cycles import Cycle, cycles_of
from bullscows.report.tables import Row

_COLUMN = re.compile(r"(?P<of>.*), (?:turn|digit) (?P<at>\w+)(?:, (?P<place>any place|place \d))?")
_CYCLES = re.compile(r"(\d{4}), cycles")

GAME, FIRST_GUESS = "p4c10n", "0123"
"""Whose second guesses have cycles."""

STEP, TALLEST, FLOOR = 20.0, 60.0, 76.0
"""How far it is from one column to the next, how high the highest is, and where they stand."""

DOT_STEP, MARGIN = 16.0, 8.0
"""How far it is from one place of a cycle to the next, and from the edge."""


@dataclass(frozen=True)
class Column:
    """One count."""

    name: str
    count: int
    x: float
    y: float
    height: float


@dataclass(frozen=True)
class Columns:
    """Counts side by side, to one scale."""

    title: str
    columns: Sequence[Column]
    width: float


def columns_of(rows: Sequence[Row]) -> list[Columns]:
    """Return a picture for each group of rows that are columns."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for row in rows:
        found = _COLUMN.fullmatch(row.label)
        if found and isinstance(row.ours, int):
            title = ", ".join(part for part in (found["of"], found["place"]) if part)
            groups.setdefault(title, []).append((found["at"], row.ours))
    return [_columns(title, counts) for title, counts in groups.items() if len(counts) > 1]


def _columns(title: str, counts: Sequence[tuple[str, int]]) -> Columns:
    most = max(1, *(count for _, count in counts))
    heights = [TALLEST * count / most for _, count in counts]
    columns = [
        Column(name, count, STEP * place + 3, FLOOR - height, height)
        for place, ((name, count), height) in enumerate(zip(counts, heights, strict=True))
    ]
    return Columns(title, columns, STEP * len(counts))


@dataclass(frozen=True)
class Loop:
    """One cycle or chain: its dots in a row, the last of a chain hollow."""

    dots: Sequence[float]
    """Where each stands."""
    is_open: bool


@dataclass(frozen=True)
class Diagram:
    """The cycles of one second guess."""

    guess: str
    loops: Sequence[Loop]
    width: float


def diagrams_of(rows: Sequence[Row]) -> list[Diagram]:
    """Return the diagram of each second guess that the rows list."""
    guesses = (_CYCLES.fullmatch(row.label) for row in rows)
    return [_diagram(guess[1]) for guess in guesses if guess]


def _diagram(guess: str) -> Diagram:
    loops, x = [], MARGIN
    for cycle in cycles_of(GAME, FIRST_GUESS, guess):
        count = _dots(cycle)
        loops.append(Loop([x + DOT_STEP * place for place in range(count)], cycle.is_open))
        x += DOT_STEP * count + MARGIN
    return Diagram(guess, loops, x)


def _dots(cycle: Cycle) -> int:
    return len(cycle.places) + cycle.is_open
