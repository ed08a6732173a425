"""The figures that the pages of results show: finished tables, and a front's trees.

The engine makes them (`bullscows report --write`, `bullscows pareto --trees`) and they ship beside
the trees; nothing is searched here.
"""

from __future__ import annotations

import csv
import io
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from bullscows.game.cost import turns_in_all
from bullscows.game.rules import Rules
from bullscows.report.rows import Row
from bullscows.report.tables import Table, TablesFileError, read_tables, tables_file
from bullscows.tree.folder import PARETO

logger = logging.getLogger(__name__)

_PARETO_TREE = re.compile(r"pareto-p4c10n-(\d+)-(\d+)\.json")
_PLAYER = re.compile(r"(\S+) (\S+)")
_LENGTHS = re.compile(r"\d+: (\d+(?:/\d+)*)")


@dataclass(frozen=True)
class FrontPoint:
    """A tree that none betters both in turns and in late codes."""

    total: int
    """Turns over all codes."""
    late: int
    """Codes found at the last turn."""
    name: str
    """The name of the tree file."""
    content: bytes = field(repr=False)
    """What it holds."""


@dataclass(frozen=True)
class Player:
    """A strategy, as the duel sees it."""

    name: str
    """The strategy or the tree."""
    turns: tuple[int, ...]
    """Codes found at turn 1, 2, ..."""

    @property
    def total(self) -> int:
        """Turns over all codes."""
        return turns_in_all(self.turns)

    @property
    def average(self) -> float:
        """Turns on average."""
        return self.total / sum(self.turns)


@dataclass(frozen=True)
class Results:
    """All that ships of the report."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    """By name, in the order of the report."""
    front: Sequence[FrontPoint] = ()
    """The front of Bulls & Cows, by turns."""

    @classmethod
    def open(cls, folder: Path) -> Results:
        """Read what lies beside the trees; what can't be read is told to the log and left out."""
        place = tables_file(folder)
        try:
            tables = read_tables(place) if place.exists() else {}
        except (TablesFileError, OSError) as error:
            logger.error("no results: %s", error)
            tables = {}
        return cls(tables, _front(folder / PARETO))

    @cached_property
    def version(self) -> str:
        """Changes with what pages show of the results."""
        trees = b"".join(point.content for point in self.front)
        return sha256(repr(self.tables).encode() + trees).hexdigest()[:16]

    def players(self) -> dict[Rules, list[Player]]:
        """Return the strategies of each game whose lengths the report lists, by turns in all."""
        found: dict[Rules, list[Player]] = {}
        for row in self.tables["lengths"].rows if "lengths" in self.tables else ():
            named, lengths = _PLAYER.fullmatch(row.label), _LENGTHS.fullmatch(row.ours)
            if named and lengths:
                turns = tuple(map(int, lengths[1].split("/")))
                found.setdefault(Rules.parse(named[1]), []).append(Player(named[2], turns))
        return found


def _front(folder: Path) -> Sequence[FrontPoint]:
    names = (_PARETO_TREE.fullmatch(path.name) for path in folder.glob("*.json"))
    points = [
        FrontPoint(int(name[1]), int(name[2]), name[0], (folder / name[0]).read_bytes())
        for name in names
        if name
    ]
    return tuple(sorted(points, key=lambda point: point.total))


def to_csv(table: Table) -> bytes:
    """Return a table (RFC 4180): a line of names, and one for each figure."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["label", "published", "ours", "verdict", "why"])
    for row in table.rows:
        writer.writerow([row.label, row.published, row.ours, row.verdict, row.why])
    return text.getvalue().encode()


def to_json(table: Table) -> bytes:
    """Return a table as one JSON object."""
    return (json.dumps(stated(table), ensure_ascii=False) + "\n").encode()


def stated(table: Table) -> dict[str, object]:
    """Return what a table says, for JSON."""
    return {"title": table.title, "source": table.source, "rows": [_stated(r) for r in table.rows]}


def _stated(row: Row) -> dict[str, object]:
    return {**asdict(row), "verdict": row.verdict}
