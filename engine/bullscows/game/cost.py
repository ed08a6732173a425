"""Totals and bounds of costs, and their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from bullscows.game.objective import INFINITE


def total_turns(counts: Sequence[int]) -> int:
    """Return the total of games of which counts[k - 1] end at turn k.

    >>> total_turns((1, 4, 7))
    30
    """
    return sum(turn * count for turn, count in enumerate(counts, start=1))


def distribution_text(counts: Sequence[int]) -> str:
    """Return how many games end at turn 1, 2, ... in a word, as everywhere: ``1/4/7``."""
    return "/".join(map(str, counts))


def costs_text(costs: Mapping[str, int], secrets: int) -> str:
    """Return the cost of each criterion in words, a total with its mean over `secrets` codes.

    >>> costs_text({"worst": 5, "total": 436}, 120)
    'worst 5, total 436 (mean 3.633)'
    """
    return ", ".join(f"{name} {cost_text(name, cost, secrets)}" for name, cost in costs.items())


def cost_text(name: str, cost: int, secrets: int) -> str:
    """Return the cost by one criterion in words, as `costs_text` does."""
    return f"{cost} (mean {cost / secrets:.3f})" if name == "total" else str(cost)


def html_table(caption: str, rows: Iterable[tuple[object, object]]) -> str:
    """Bounds of the least cost of a position, in the units of the objective.

    >>> Bounds(17).tightened(Bounds(16, 19))
    Bounds(lower=17, upper=19)
    """
    lines = (
        f'<tr><th scope="row">{escape(str(name))}</th><td>{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


class Bounds(NamedTuple):
    """Between what a least cost lies; the objective says what is counted.

    >>> Bounds(17).tightened(Bounds(16, 19))
    Bounds(lower=17, upper=19)
    """

    lower: int = 0
    """The cost of some strategy, if one is known."""
    upper: int | None = None
    """The cost of some strategy, if known."""

    @property
    def exact(self) -> bool:
        """Whether the value is known: what it costs, or that there is no strategy."""
        return self.lower >= (INFINITE if self.upper is None else self.upper)

    def tightened(self, other: Bounds) -> Bounds:
        """Return what both prove together."""
        uppers = [upper for upper in (self.upper, other.upper) if upper is not None]
        return Bounds(max(self.lower, other.lower), min(uppers, default=None))
