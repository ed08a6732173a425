"""The figures of docs/reference/trees.md are those of the shipped trees."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from bullscows.game.objective import Objective
from bullscows.tree.storage import tree_files
from tests import ROOT

TEXT = (ROOT / "docs" / "reference" / "trees.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| `")
]


@pytest.fixture(scope="module")
def records() -> dict[str, Any]:
    """The records of all shipped trees, by name."""
    return {path.stem: json.loads(path.read_text()) for path in tree_files(ROOT / "trees")}


def names(cell: str, shipped: set[str]) -> Iterator[str]:
    """Yield the trees of a cell; a suffix is appended to a prefix of the first name."""
    first, *others = re.findall(r"`([\w-]+)`", cell)
    yield first
    for other in others:
        stem = first
        while other.startswith("-") and stem + other not in shipped:
            stem = stem.rpartition("-")[0]
        yield stem + other if other.startswith("-") else other


def costs(record: dict[str, Any]) -> Iterator[int]:
    """Yield the value of each criterion, strongest first."""
    by_turn = dict(enumerate(record["distribution"], start=1))
    last = record["max_turns"] or record["depth"]
    for criterion in Objective.parse(record["objective"]).criteria:
        if criterion == "average":
            yield record["total"]
        elif criterion == "last":
            yield by_turn.get(last, 0)
        else:
            yield from (by_turn.get(turn, 0) for turn in range(last, 0, -1))


def test_figures_are_those_of_the_trees(records: dict[str, Any]) -> None:
    for cell, _, ours, *_ in ROWS:
        stated = [int(number) for number in ours.split(", ")]
        trees = [records[name] for name in names(cell, set(records))]
        found = [tree["total"] for tree in trees] if len(trees) > 1 else costs(trees[0])
        assert stated == list(islice(found, len(stated))), cell
        assert len(stated) >= len(trees)
