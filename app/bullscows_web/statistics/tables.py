"""Tables of results, and what the charts of their figures show.

A table of ``results/report.json`` has figures of the papers next to ours.  Coordinates of charts
are in units of their view boxes: all charts of the overview are 360 wide.  Every chart repeats
figures of a table on the same page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bullscows.game.cycles import cycles_of
from bullscows.game.duel import score
from bullscows.game.objective import figure_text, mean_turns, total_turns
from bullscows.tree.storage import RecordError

FORMAT = "bulls-cows-report/3"

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
class Row:
    """One figure, published and ours; fields of the file that no page shows are left out."""

    label: str
    published: Any
    """A number, a text, a distribution or named figures; None: no strategy exists."""
    ours: Any
    verdict: str = ""
    """How they compare; empty: nothing is published."""
    why: str = ""
    bound: str = ""
    """``<=`` or ``>=`` if the published figure is a bound."""

    @property
    def published_text(self) -> str:
        """The published figure in words."""
        return self.bound + figure_text(self.published)

    @property
    def ours_text(self) -> str:
        """Our figure in words."""
        return figure_text(self.ours)


@dataclass(frozen=True)
class Table:
    """One table, as the file states it."""

    title: str
    source: str
    """The source of the published figures."""
    rows: Sequence[Row]
    document: Mapping[str, Any]
    """All fields of the table as JSON."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Table:
        """Read a table."""
        rows = TypeAdapter(list[Row]).validate_python(document["rows"])
        return cls(document["title"], document["source"], rows, document)

    def lines(self) -> Iterator[Sequence[str]]:
        """Yield a header and a row for each figure."""
        yield "label", "published", "ours", "verdict", "why"
        for row in self.rows:
            yield row.label, row.published_text, row.ours_text, row.verdict, row.why


def tables_file(trees: Path) -> Path:
    """Return the file of the tables in a folder of trees."""
    return trees / "results" / "report.json"


def read_tables(path: Path) -> dict[str, Table]:
    """Return the tables of a file by name, in the file's order.

    Raises `RecordError` if the file has other contents. Raises `OSError` if it cannot be read.
    """
    try:
        stated = json.loads(path.read_text(encoding="utf-8"))
        if stated["format"] != FORMAT:
            raise ValueError(f"format {stated['format']!r} is not {FORMAT!r}")
        return {name: Table.of(fields) for name, fields in stated["tables"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RecordError(f"{path.name}: no tables of results: {error}") from error


# -- charts ------------------------------------------------------------------------------------


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
        return mean_turns(self.distribution)


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
