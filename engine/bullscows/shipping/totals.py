"""All least totals and best worst cases in one table, with who published each first.

``published.csv``, next to this module, is the only list of published values: a row for each value,
with its author, year and source.  No search reads it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

from bullscows.shipping.atlas import SEARCHED, atlas_path, read_atlas
from bullscows.shipping.catalogue import CATALOGUE
from bullscows.tree.files import TreeRecord, read_tree
from bullscows.tree.storage import tree_path

NOBODY = "nobody found"
"""Instead of a name: a search for an earlier publication found none."""


@dataclass(frozen=True)
class Published:
    """A value, and who published it first as far as we found."""

    rules: str
    objective: str
    last_turn: int | None
    """The last turn that is allowed; None: any number of turns."""
    value: str
    """The value of each criterion; empty: in the source, which we know by its abstract only."""
    by: str
    year: int
    source: str

    @property
    def credit(self) -> str:
        """Name and year."""
        return f"{self.by}, {self.year}"


@cache
def published() -> tuple[Published, ...]:
    """Return all published values."""
    place = Path(__file__).with_name("published.csv")
    with place.open(encoding="utf-8", newline="") as file:
        return tuple(
            Published(
                row["rules"],
                row["objective"],
                int(row["last_turn"]) if row["last_turn"] else None,
                row["value"],
                row["by"],
                int(row["year"]),
                row["source"],
            )
            for row in csv.DictReader(file)
        )


def credit(rules: str, objective: str, last_turn: int | None = None) -> str:
    """Return who published a value first, or `NOBODY`.

    >>> credit("p4c10n", "average"), credit("p4c10r", "average")
    ('T. Tanaka, 1996', 'nobody found')
    """
    asked = (rules, objective, last_turn)
    found = (one for one in published() if (one.rules, one.objective, one.last_turn) == asked)
    return next((one.credit for one in found), NOBODY)


@dataclass(frozen=True)
class Total:
    """One value, or its bounds, in the order of the columns."""

    rules: str
    objective: str
    last_turn: int | None
    """The last turn that is allowed; None: any number of turns."""
    lower: int | None
    """No strategy has less; None: not the subject of the objective."""
    value: int
    """Value of the best known strategy: turns over all secrets, or the last turn for ``worst``."""
    status: str
    """``proved`` or ``bounded``."""
    published_by: str
    """Author and year of the first publication, or `NOBODY`."""
    command: str
    """Repeats the search."""


def totals(folder: Path) -> Iterator[Total]:
    """Yield the values of the atlas, then those of the shipped trees, from a folder of trees."""
    for rules, entry in read_atlas(atlas_path(folder)).games.items():
        if entry.secrets > SEARCHED:
            continue
        values = {"average": (entry.lower, entry.upper), "worst": (entry.worst, entry.worst)}
        for objective, (lower, value) in values.items():
            if value is not None:
                status = "proved" if lower == value else "bounded"
                command = f"bullscows solve {rules} --objective {objective}"
                by = credit(rules, objective)
                yield Total(rules, objective, None, lower, value, status, by, command)
    for spec in CATALOGUE.values():
        if spec.is_optimal or spec.lower is not None:
            record = read_tree(tree_path(spec.name, folder)).record
            yield Total(
                record.rules,
                "average" if spec.lower is not None else record.objective,
                record.max_turns,
                record.lower,
                record.total,
                "proved" if spec.is_optimal else "bounded",
                published_first(record),
                f"bullscows build {spec.name}",
            )


def published_first(record: TreeRecord) -> str:
    """Return who published the value of a tree's objective, or its least total, first."""
    by = credit(record.rules, record.objective, record.max_turns)
    if by == NOBODY and record.objective.startswith("average,"):
        return credit(record.rules, "average")
    return by


def to_csv(values: Iterable[Total]) -> str:
    """Return a header and a row for each value."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [one.name for one in fields(Total)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, values))
    return text.getvalue()
