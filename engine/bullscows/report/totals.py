"""All least totals and best worst cases in one table, with who published each first."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from bullscows.report.tables import read_tables, tables_file
from bullscows.shipping.atlas import SEARCHED, atlas_path, read_atlas
from bullscows.shipping.catalogue import CATALOGUE, TreeSpec
from bullscows.tree.files import read_tree
from bullscows.tree.storage import tree_path


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
    """Who published the value first; empty: we found nobody."""
    command: str
    """Repeats the search."""


def totals(folder: Path) -> Iterator[Total]:
    """Yield the values of the atlas, then those of the shipped trees, from a folder of trees."""
    tables = read_tables(tables_file(folder)).values()
    first = {(row.rules, row.objective): row.by for table in tables for row in table.rows}
    for rules, entry in read_atlas(atlas_path(folder)).games.items():
        if entry.secrets > SEARCHED:
            continue
        values = {"average": (entry.lower, entry.upper), "worst": (entry.worst, entry.worst)}
        for objective, (lower, value) in values.items():
            if value is not None:
                status = "proved" if lower == value else "bounded"
                command = f"bullscows solve {rules} --objective {objective}"
                by = first.get((rules, objective), "")
                yield Total(rules, objective, None, lower, value, status, by, command)
    for spec in CATALOGUE.values():
        if spec.is_optimal or spec.lower is not None:
            yield _of_tree(spec, folder)


def _of_tree(spec: TreeSpec, folder: Path) -> Total:
    record = read_tree(tree_path(spec.name, folder)).record
    return Total(
        record.rules,
        "average" if spec.lower is not None else record.objective,
        record.max_turns,
        record.lower,
        record.total,
        "proved" if spec.is_optimal else "bounded",
        "",
        f"bullscows build {spec.name}",
    )


def to_csv(values: Iterable[Total]) -> str:
    """Return a header and a row for each value."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [one.name for one in fields(Total)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, values))
    return text.getvalue()
