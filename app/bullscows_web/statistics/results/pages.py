"""What the pages of results show: the story in pictures, and each table by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bullscows.game.rules import Rules
from bullscows.report.tables import Table
from bullscows_web.statistics.results.charts import (
    FrontChart,
    Heat,
    TotalsChart,
    WaysChart,
    heat_map,
)
from bullscows_web.statistics.results.diagrams import Columns, Diagram, columns_of, diagrams_of
from bullscows_web.statistics.results.figures import Player, Results
from bullscows_web.web.pictures.lengths import LengthsChart

DOCUMENTS = ("Slovesnov", "Francis", "Chen", "Goel")
"""The authors of the documents; a table belongs to the first that its source names."""

OWN = ""
"""What belongs to none of them."""

DRAWN = 5
"""How many strategies lie over each other in one picture."""


@dataclass(frozen=True)
class GamePictures:
    """The strategies of one game."""

    rules: Rules
    players: Sequence[Player]
    """By turns in all."""

    @cached_property
    def totals(self) -> TotalsChart:
        """All on one scale."""
        return TotalsChart.of(self.players)

    @cached_property
    def lengths(self) -> LengthsChart:
        """Some of them over each other: the best and the worst, and evenly between."""
        last = len(self.players) - 1
        chosen = sorted({round(last * place / (DRAWN - 1)) for place in range(DRAWN)})
        return LengthsChart.of(
            {self.players[place].name: self.players[place].turns for place in chosen}
        )

    @property
    def has_champion(self) -> bool:
        """Whether nobody beats the strategy that stands first."""
        return min(heat.net for heat in self.duels[0][1]) >= 0

    @cached_property
    def duels(self) -> list[tuple[Player, list[Heat]]]:
        """Everybody against everybody."""
        return heat_map(self.players)


@dataclass(frozen=True)
class ResultsPage:
    """The story, and the list of tables."""

    results: Results

    @cached_property
    def games(self) -> list[GamePictures]:
        """The games whose strategies are listed."""
        return [GamePictures(rules, players) for rules, players in self.results.players().items()]

    @cached_property
    def front(self) -> FrontChart | None:
        """Turns against late codes."""
        return FrontChart.of(self.results.front) if self.results.front else None

    @cached_property
    def ways(self) -> WaysChart | None:
        """Chen's branching."""
        table = self.results.tables.get("kwb")
        return WaysChart.of(table.rows) if table else None

    @property
    def documents(self) -> list[tuple[str, dict[str, Table]]]:
        """The tables of each document, and those of none."""
        groups: dict[str, dict[str, Table]] = {name: {} for name in (*DOCUMENTS, OWN)}
        for name, table in self.results.tables.items():
            groups[_document(table)][name] = table
        return [(document, tables) for document, tables in groups.items() if tables]

    @property
    def verdicts(self) -> Mapping[str, int]:
        """How many figures agree, are explained, and are not."""
        rows = (row for table in self.results.tables.values() for row in table.rows)
        return Counter(row.verdict for row in rows)


def _document(table: Table) -> str:
    named = [name for name in DOCUMENTS if name in table.source]
    return min(named, key=table.source.index, default=OWN)


@dataclass(frozen=True)
class TablePage:
    """One table."""

    name: str
    table: Table

    @cached_property
    def columns(self) -> list[Columns]:
        """Counts of this table, drawn."""
        return columns_of(self.table.rows)

    @cached_property
    def diagrams(self) -> list[Diagram]:
        """Cycles of second guesses, drawn."""
        return diagrams_of(self.table.rows)

    @property
    def verdicts(self) -> Mapping[str, int]:
        """How many of its figures agree, are explained, and are not."""
        return Counter(row.verdict for row in self.table.rows)
