"""Coordinates of the charts of a tree's statistics, in units of their view boxes.

The templates draw the charts; they repeat the margins defined here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bullscows_web.statistics.figures import Row, Statistics

LEFT, RIGHT = 4.0, 356.0
"""Horizontal range of the columns."""
FLOOR, TALLEST = 188.0, 140.0
"""Base line of the columns, and the height of the highest one."""
MEAN_FROM, MEAN_TO = 48.0, 312.0
"""Range of the centre of the label of the mean, so that the label fits."""

LONGEST = 132.0
"""Length of the longest bar of the answers."""
SCALE_FROM, SCALE_LENGTH = 218.0, 96.0
"""Position of turn 1 on the scale of means, and the length of the scale."""
FIRST_BAR, BAR_STEP = 22, 18
"""Top of the first bar, and the distance between bars."""

SPARK_STEP, SPARK_TALLEST, SPARK_HEIGHT = 8, 22.0, 24.0
"""Distance between columns, greatest height and total height of a sparkline."""


@dataclass(frozen=True)
class TurnColumn:
    """The codes found at one turn."""

    count: int
    x: float
    y: float
    """Top edge."""
    width: float
    height: float
    """At least 1, so that every column is visible."""
    middle: float
    """Centre of the labels."""
    label: float
    """Height of the count."""


@dataclass(frozen=True)
class TurnChart:
    """Column chart of codes by turn, with the mean."""

    columns: Sequence[TurnColumn]
    mean: float
    """Position of the mean."""
    mean_label: float
    """Centre of its label."""

    @classmethod
    def of(cls, whole: Row) -> TurnChart:
        """Lay out the games of a tree."""
        step = (RIGHT - LEFT) / len(whole.distribution)
        largest = max(whole.distribution)
        mean = LEFT + step * (whole.mean - 0.5)
        columns = [
            _turn_column(turn, count, TALLEST * count / largest, step)
            for turn, count in enumerate(whole.distribution, start=1)
        ]
        return cls(columns, mean, min(max(mean, MEAN_FROM), MEAN_TO))


def _turn_column(turn: int, count: int, height: float, step: float) -> TurnColumn:
    return TurnColumn(
        count=count,
        x=LEFT + step * (turn - 0.86),
        y=FLOOR - max(height, 1),
        width=step * 0.72,
        height=max(height, 1),
        middle=LEFT + step * (turn - 0.5),
        label=FLOOR - 6 - height,
    )


@dataclass(frozen=True)
class AnswerBar:
    """The codes with one first answer."""

    row: Row
    y: int
    """Top edge."""
    length: float
    """At least 1."""
    mean: float
    """Position of the mean on its scale."""

    @property
    def label(self) -> float:
        """Position of the number of codes."""
        return 38 + self.length


@dataclass(frozen=True)
class AnswerChart:
    """Bar chart of codes by first answer, with the mean turn of each."""

    bars: Sequence[AnswerBar]

    @classmethod
    def of(cls, figures: Statistics) -> AnswerChart:
        """Lay out the games of a tree by their first answers."""
        span = max(len(figures.columns) - 1, 1)
        largest = max(row.secrets for row in figures.rows)
        return cls(
            [
                AnswerBar(
                    row=row,
                    y=FIRST_BAR + BAR_STEP * place,
                    length=max(LONGEST * row.secrets / largest, 1),
                    mean=SCALE_FROM + SCALE_LENGTH * (row.mean - 1) / span,
                )
                for place, row in enumerate(figures.rows)
            ]
        )

    @property
    def height(self) -> int:
        """Height of the chart."""
        return FIRST_BAR + 8 + BAR_STEP * len(self.bars)


@dataclass(frozen=True)
class SparkColumn:
    """A column of a sparkline."""

    x: int
    y: float
    """Top edge."""
    height: float
    """At least 1."""


def spark(distribution: Sequence[int]) -> list[SparkColumn]:
    """Lay out codes by turn as a sparkline."""
    heights = [SPARK_TALLEST * count / max(distribution) for count in distribution]
    return [
        SparkColumn(SPARK_STEP * place + 1, SPARK_HEIGHT - 1 - height, 1 + height)
        for place, height in enumerate(heights)
    ]
