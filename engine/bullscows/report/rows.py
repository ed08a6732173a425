"""A figure beside what others published of it, and tables of such figures.

What others published is read from ``published.json`` only to be compared: no figure of theirs
enters a search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from bullscows.search.solution import Solution

BULLS_COWS, MASTERMIND = "p4c10n", "p4c6r"
IMPOSSIBLE = "-"
"""How the paper writes that there is no strategy."""

Verdict: TypeAlias = Literal["", "agrees", "explained", "unexplained", "differs"]
"""Nothing to compare; equal, or within a published bound; other, for a reason that was verified;
other, and known to be so though nobody knows why; other, which fails the report."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    label: str
    """What it is of."""
    published: str
    """What the documents say, empty where they say nothing."""
    ours: str
    """What our search proved; `IMPOSSIBLE` where it proved that there is no strategy."""
    why: str = ""
    """Where the figures differ: the reason, verified by a search or a count of ours; with
    `unexplained`, what was tried."""
    depends: bool = False
    """Does the figure depend on which of several optimal trees one takes?  Then nothing follows
    from a difference."""
    unexplained: bool = False
    """Is it known that the figures differ, and not known why?"""

    @property
    def verdict(self) -> Verdict:
        """How the two figures stand to each other; ``>=n`` and ``<=n`` are published bounds."""
        if self.depends or not self.published:
            return ""
        if self._is_within():
            return "agrees"
        if self.unexplained:
            return "unexplained"
        return "explained" if self.why else "differs"

    @property
    def remark(self) -> str:
        """The verdict, with the reason of a difference."""
        is_other = self.verdict in ("explained", "unexplained")
        return f"{self.verdict}: {self.why}" if is_other and self.why else self.verdict

    def _is_within(self) -> bool:
        if self.published.startswith(">="):
            return int(self.ours) >= int(self.published[2:])
        if self.published.startswith("<="):
            return int(self.ours) <= int(self.published[2:])
        return self.published == self.ours


@dataclass(frozen=True)
class Section:
    """How one table of the report is made."""

    title: str
    source: str
    """Where the published figures stand."""
    rows: Callable[[int], Iterator[Row]]
    """Makes the rows, with a number of threads."""
    is_quick: bool = False
    """Whether it takes seconds, so that ``report --quick`` and the inner tests make it again."""


@cache
def published() -> dict[str, Any]:
    """Return the published figures."""
    path = Path(__file__).with_name("published.json")
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return figures


def figure(solution: Solution) -> str:
    """Return the value of a solution as the paper writes it.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C ended the search: that there is no strategy, nobody proved.
    """
    if solution.interrupted:
        raise KeyboardInterrupt
    return text(solution.value)


def text(value: object) -> str:
    """Return a figure as the paper writes it."""
    return IMPOSSIBLE if value is None else str(value)
