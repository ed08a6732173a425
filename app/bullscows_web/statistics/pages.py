"""What the pages of the statistics show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bullscows.game.rules import Rules
from bullscows_web.language.words import has_pegs
from bullscows_web.statistics.charts import SPARK_STEP, AnswerChart, SparkColumn, TurnChart, spark
from bullscows_web.statistics.figures import Column, Row, Statistics
from bullscows_web.trees.library import Entry
from bullscows_web.trees.pages import OfTree


@dataclass(frozen=True)
class GameStatistics:
    """Trees side by side: all of one game, or those of the games that have but one."""

    rules: Rules | None
    """The game; None for several."""
    figures: Sequence[Statistics]
    """Of each tree."""

    @property
    def depth(self) -> int:
        """The longest game of any of the trees."""
        return max(len(figures.columns) for figures in self.figures)

    @property
    def sparks(self) -> list[tuple[Statistics, list[SparkColumn]]]:
        """Of each tree the figures, with codes by turn as columns."""
        return [(figures, spark(figures.whole.turns)) for figures in self.figures]

    @property
    def spark_width(self) -> int:
        """How wide these are."""
        return SPARK_STEP * self.depth


@dataclass(frozen=True)
class StatisticsIndex:
    """The trees of all games."""

    tables: Sequence[GameStatistics]
    """One for each game with several trees, and one for all the others."""


@dataclass(frozen=True)
class StatisticsPage(OfTree):
    """The figures of one tree."""

    figures: Statistics
    """The figures."""
    others: Sequence[Entry]
    """The other trees of its game."""

    @property
    def entry(self) -> Entry:
        """The tree."""
        return self.figures.entry

    @cached_property
    def by_turn(self) -> TurnChart:
        """Codes by turn."""
        return TurnChart.of(self.figures.whole)

    @cached_property
    def by_answer(self) -> AnswerChart:
        """Codes by first answer."""
        return AnswerChart.of(self.figures)


@dataclass(frozen=True)
class ColumnsPage:
    """What the columns mean, by the example of one tree, if there is any."""

    figures: Statistics | None
    """The tree's figures."""

    @property
    def row(self) -> Row | None:
        """The first answer that serves as the example: the one that most codes give."""
        return max(self.figures.rows, key=lambda row: row.secrets) if self.figures else None

    @property
    def last(self) -> Column | None:
        """The last turn, as an example."""
        return self.figures.columns[-1] if self.figures else None

    @property
    def middle(self) -> Column | None:
        """A turn halfway, as an example."""
        return self.figures.columns[len(self.figures.columns) // 2] if self.figures else None

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return self.figures is not None and has_pegs(self.figures.entry.rules)
