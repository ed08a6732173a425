"""The figures of the README are those of the trees that ship."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.pages.builds import seconds, shipped
from engine.game.objective import Objective
from engine.tree.files import read_tree
from tests import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())
PAPER = (
    "avg-bulls-cows",
    "crush-bulls-cows",
    "avg-mastermind",
    "avg-mastermind-5",
    "crush-mastermind",
)
MOST_LINES = 125
MOST_BYTES = 300_000


def names(cell: str) -> Iterator[str]:
    """Yield the trees of a cell; those that begin like the first are written from there on."""
    first, *others = re.findall(r"`([\w-]+)`", cell)
    yield first
    for other in others:
        stem = first
        while other.startswith("-") and not shipped(stem + other).is_file():
            stem = stem.rpartition("-")[0]
        yield stem + other if other.startswith("-") else other


ROWS = [
    ([*names(cells[0])], cells[2])
    for line in TEXT.splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
]


def record(tree: str) -> Any:
    """Return what a tree's file states; that it is true, the tests of trees see."""
    return SimpleNamespace(**json.loads(shipped(tree).read_text(encoding="ascii")))


def costs(tree: Any) -> Iterator[int]:
    """Yield what a tree costs by its criteria, strongest first."""
    by_turn = dict(enumerate(tree.turns, start=1))
    for criterion in Objective.parse(tree.objective).criteria:
        last = tree.max_turns or tree.depth
        if criterion == "average":
            yield tree.total
        elif criterion == "last":
            yield by_turn.get(last, 0)
        else:
            yield from (by_turn.get(turn, 0) for turn in range(last, 0, -1))


@pytest.mark.parametrize(("trees", "ours"), ROWS, ids=[trees[0] for trees, _ in ROWS])
def test_figures_are_those_of_the_trees(trees: list[str], ours: str) -> None:
    stated = [int(number) for number in ours.split(", ")]
    records = [record(tree) for tree in trees]
    assert {one.proof for one in records} == {"exact"}
    if len(records) > 1:
        assert stated == [one.total for one in records]
    else:
        assert stated == [*costs(records[0])][: len(stated)]


def test_every_proved_tree_has_its_line() -> None:
    found = {tree for trees, _ in ROWS for tree in trees}
    files = (ROOT / "trees").glob("*.json")
    proved = {file.stem for file in files if json.loads(file.read_text())["proof"] == "exact"}
    assert {tree for tree in proved if not tree.startswith("possibles-")} == found


def test_best_known_are_those_that_ship() -> None:
    best = [record(file.stem) for file in (ROOT / "trees").glob("best-*.json")]
    assert len(best) == 3
    for one in best:
        assert f"{one.total} " in WORDS
        assert re.search(rf"\b{one.lower}\b", WORDS)


def test_bytes_of_the_five_strings_are_counted() -> None:
    length = sum(len(record(tree).string) for tree in PAPER)
    assert f"five strings take {length} bytes" in WORDS


def test_it_is_one_screen_and_a_table_with_a_small_film() -> None:
    assert len(TEXT.splitlines()) <= MOST_LINES
    film = ROOT / "docs" / "research" / "game.webp"
    assert "(docs/research/game.webp)" in TEXT
    content = film.read_bytes()
    assert len(content) < MOST_BYTES
    assert b"ANIM" in content[:64]


@pytest.mark.slow
@pytest.mark.process
def test_a_tree_is_built_again_and_its_cost_measured() -> None:
    assert seconds("avg-mastermind-3x5") > 0
    assert read_tree("avg-mastermind-3x5").record.total == record("avg-mastermind-3x5").total
