"""The known totals of all games, one row each in `tests/data/known_costs.csv`.

``objective`` is an objective of the search or the name of a strategy.  ``options`` are words:
``max_turns=M``, ``first=CODE``, and ``slow`` for what takes long.  ``total`` is the turns over all
secrets, ``depth`` the last turn at which one is guessed, and ``worst`` how many are guessed then; a
figure that the objective leaves open is empty, and ``none`` for a total says that no strategy
exists.  ``source`` is who published the figures, or ``ours`` for what only our search has proved.
"""

import csv
from dataclasses import dataclass
from functools import cache

from tests import ROOT

FILE = ROOT / "tests" / "data" / "known_costs.csv"


@dataclass(frozen=True)
class KnownCost:
    rules: str
    objective: str
    max_turns: int | None
    first: str | None
    is_slow: bool
    is_feasible: bool
    total: int | None
    depth: int | None
    worst: int | None
    source: str

    def __str__(self) -> str:
        within = "" if self.max_turns is None else f"-within-{self.max_turns}"
        first = "" if self.first is None else f"-{self.first}"
        return f"{self.rules}-{self.objective}{within}{first}"


@cache
def known_costs() -> tuple[KnownCost, ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_parse(row) for row in csv.DictReader(file, strict=True))


def known(rules: str, objective: str, max_turns: int | None = None) -> KnownCost:
    """Return the row of a game whose first guess is free."""
    key = (rules, objective, max_turns, None)
    rows = known_costs()
    (row,) = (one for one in rows if (one.rules, one.objective, one.max_turns, one.first) == key)
    return row


def known_total(rules: str, objective: str = "average", max_turns: int | None = None) -> int:
    """Return the turns over all secrets."""
    total = known(rules, objective, max_turns).total
    assert total is not None
    return total


def _parse(row: dict[str, str]) -> KnownCost:
    words = row["options"].split()
    options = dict(word.partition("=")[::2] for word in words)
    if unknown := options.keys() - {"max_turns", "first", "slow"}:
        raise ValueError(f"{FILE.name}: unknown options {sorted(unknown)} of {row}")
    is_feasible = row["total"] != "none"
    return KnownCost(
        rules=row["rules"],
        objective=row["objective"],
        max_turns=_number(options.get("max_turns", "")),
        first=options.get("first"),
        is_slow="slow" in options,
        is_feasible=is_feasible,
        total=_number(row["total"]) if is_feasible else None,
        depth=_number(row["depth"]),
        worst=_number(row["worst"]),
        source=row["source"],
    )


def _number(cell: str) -> int | None:
    return int(cell) if cell else None
