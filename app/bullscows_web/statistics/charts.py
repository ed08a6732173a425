"""Where everything stands in the charts, in the units of their view boxes.

The templates draw what is placed here; the margins of the charts stand here and there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bullscows_web.statistics.figures import Row, Statistics

LEFT, RIGHT = 4.0, 356.0
"""Between which the columns stand."""
FLOOR, TALLEST = 188.0, 140.0
"""On what they stand, and how high the highest is."""
MEAN_FROM, MEAN_TO = 48.0, 312.0
"""Between which the words for the mean fit."""

LONGEST = 132.0
"""The longest bar of the answers."""
SCALE_FROM, SCALE_LENGTH = 218.0, 96.0
"""Where the scale of mean turns begins, at turn 1, and its length; its numbers stand beyond it."""
FIRST_BAR, BAR_STEP = 22, 18
"""Where the first bar stands, and how far it is to the next."""

SPARK_STEP, SPARK_TALLEST, SPARK_HEIGHT = 8, 22.0, 24.0
"""The same of the columns in a line of a table."""


@dataclass(frozen=True)
class TurnColumn:
    """The codes that are found at one turn."""

    count: int
    """How many."""
    x: float
    """The left edge."""
    y: float
    """The top."""
    width: float
    """How wide it is."""
    height: float
    """How high it is; no column vanishes."""
    middle: float
    """Where its words stand."""
    label: float
    """The height at which its count stands."""


@dataclass(frozen=True)
class TurnChart:
    """Codes by turn as columns, with the mean as a line across."""

    columns: Sequence[TurnColumn]
    """One per turn."""
    mean: float
    """Where the line stands."""
    mean_label: float
    """Where its words stand, which have to fit in."""

    @classmethod
    def of(cls, whole: Row) -> TurnChart:
        """Place the games of a tree."""
        step = (RIGHT - LEFT) / len(whole.turns)
        largest = max(whole.turns)
        mean = LEFT + step * (whole.average - 0.5)
        columns = [
            _turn_column(turn, count, TALLEST * count / largest, step)
            for turn, count in enumerate(whole.turns, start=1)
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
    """The codes that give one first answer."""

    row: Row
    """Their figures."""
    y: int
    """The top."""
    length: float
    """How long the bar is; none vanishes."""
    mean: float
    """Where the point stands on the scale of mean turns."""

    @property
    def label(self) -> float:
        """Where the number of codes stands."""
        return 38 + self.length


@dataclass(frozen=True)
class AnswerChart:
    """Codes by first answer as bars, each with the mean turn of its codes as a point."""

    bars: Sequence[AnswerBar]
    """One per answer."""

    @classmethod
    def of(cls, figures: Statistics) -> AnswerChart:
        """Place the games of a tree by their first answers."""
        span = max(len(figures.columns) - 1, 1)
        largest = max(row.secrets for row in figures.rows)

        def scaled(average: float) -> float:
            return SCALE_FROM + SCALE_LENGTH * (average - 1) / span

        bars = [
            AnswerBar(
                row=row,
                y=FIRST_BAR + BAR_STEP * place,
                length=max(LONGEST * row.secrets / largest, 1),
                mean=scaled(row.average),
            )
            for place, row in enumerate(figures.rows)
        ]
        return cls(bars)

    @property
    def height(self) -> int:
        """How high the chart is."""
        return FIRST_BAR + 8 + BAR_STEP * len(self.bars)


@dataclass(frozen=True)
class SparkColumn:
    """A column in a line of a table."""

    x: int
    """The left edge."""
    y: float
    """The top."""
    height: float
    """How high it is; no column vanishes."""


def spark(turns: Sequence[int]) -> list[SparkColumn]:
    """Place codes by turn in a line of a table."""
    heights = [SPARK_TALLEST * count / max(turns) for count in turns]
    return [
        SparkColumn(SPARK_STEP * place + 1, SPARK_HEIGHT - 1 - height, 1 + height)
        for place, height in enumerate(heights)
    ]
