"""The lengths of games over each other: one line for each strategy or tree.

The picture is 360 wide.  Pages show its numbers in a table, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEFT, RIGHT = 36.0, 348.0
TOP, FLOOR = 16.0, 188.0
"""Between which points and lines stand."""


@dataclass(frozen=True)
class Scale:
    """Maps numbers to a stretch of the picture."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Return where a number stands."""
        share = (value - self.low) / (self.high - self.low) if self.high != self.low else 0.5
        return self.begin + share * (self.end - self.begin)


@dataclass(frozen=True)
class LengthsChart:
    """Which share of the codes some strategies find at which turn."""

    lines: Mapping[str, str]
    """By the name of each strategy: its line."""
    turns: Sequence[float]
    """Coordinates of turn 1, 2, ..."""

    @classmethod
    def of(cls, games: Mapping[str, Sequence[int]]) -> LengthsChart:
        """Place the codes that some strategies of one game find at turn 1, 2, ..., by name."""
        longest = max(map(len, games.values()))
        most = max(max(turns) / sum(turns) for turns in games.values())
        across = Scale(1, max(longest, 2), LEFT, RIGHT)
        up = Scale(0, most, FLOOR, TOP)
        lines = {}
        for name, turns in games.items():
            codes = sum(turns)
            shares = [count / codes for count in turns] + [0.0]
            lines[name] = " ".join(
                f"{across.at(turn):.1f},{up.at(share):.1f}"
                for turn, share in enumerate(shares[:longest], start=1)
            )
        return cls(lines, [across.at(turn) for turn in range(1, longest + 1)])
