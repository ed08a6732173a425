"""The figures of docs/reference/trees.md are those of the shipped trees and of the publications."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.pages.builds import seconds, shipped
from bullscows.build.catalogue import spec
from bullscows.game.objective import Objective
from bullscows.report.sections import published
from tests import ROOT
from tests.support.known import known, known_costs

TEXT = (ROOT / "docs" / "reference" / "trees.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())
PAPER = (
    "avg-bulls-cows",
    "crush-bulls-cows",
    "avg-mastermind",
    "avg-mastermind-5",
    "crush-mastermind",
)
FACTOR = 4


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
    ([*names(cells[0])], cells[2], cells[3], cells[4])
    for line in TEXT.splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
]


FIRST = [trees[0] for trees, *_ in ROWS]


def record(tree: str) -> Any:
    """Return what a tree's file states; that it is true, the tests of trees see."""
    return SimpleNamespace(**json.loads(shipped(tree).read_text(encoding="ascii")))


def costs(tree: Any) -> Iterator[int]:
    """Yield what a tree costs by its criteria, strongest first."""
    by_turn = dict(enumerate(tree.distribution, start=1))
    for criterion in Objective.parse(tree.objective).criteria:
        last = tree.max_turns or tree.depth
        if criterion == "average":
            yield tree.total
        elif criterion == "last":
            yield by_turn.get(last, 0)
        else:
            yield from (by_turn.get(turn, 0) for turn in range(last, 0, -1))


@pytest.mark.parametrize(("trees", "ours"), [row[:2] for row in ROWS], ids=FIRST)
def test_figures_are_those_of_the_trees(trees: list[str], ours: str) -> None:
    stated = [int(number) for number in ours.split(", ")]
    records = [record(tree) for tree in trees]
    assert {one.proof for one in records} == {"exact"}
    if len(records) > 1:
        assert stated == [one.total for one in records]
    else:
        assert stated == [*costs(records[0])][: len(stated)]


def slovesnov(what: str) -> int:
    """Return what Slovesnov's trees take, as docs/results.md has it from his strings."""
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"\| {what} \| [^|]+ \| (\d+) \(Slovesnov's tree\) \|", results)
    return int(found)


def others(tree: str) -> list[int]:
    """Return what others published of a tree's game and aim, in the order of the table."""
    said = published()
    tanaka = said["strategies"]["p4c10n"]["Tanaka (optimal)"]
    turns, movers = said["total_turns"], said["k_movers"]
    most = movers["p4c10n_7_movers_by_first_response"]["exact"]["total"]
    fives = movers["p4c6r_5_movers_0012_by_response"]["exact"]["total"]
    last = known("p4c6r", "average,last", 6)
    assert last.source == "Koyama and Lai 1993"
    fewest = "fewest turns among all trees with"
    printed = {
        "avg-bulls-cows": [tanaka["total"], tanaka["turns"][-1]],
        "crush-bulls-cows": [most, slovesnov("fewest 6-movers among all trees with 50 7-movers")],
        "crush-avg-bulls-cows": [most, slovesnov(f"{fewest} 50 7-movers")],
        "avg-mastermind": [turns["p4c6r_any_number_of_turns"]["exact"], last.worst],
        "avg-mastermind-5": [turns["p4c6r_at_most_5_turns_by_first_guess"]["exact"]["0012"]],
        "crush-mastermind": [fives],
        "crush-avg-mastermind": [
            fives,
            slovesnov(f"{fewest} 539 5-movers"),
        ],
    }
    return printed[tree] if tree in printed else first_published(tree)


def first_published(tree: str) -> list[int]:
    """Return the fewest turns of a game, if it was not ours to publish them first."""
    entry = spec(tree)
    if not entry.objective.startswith("average"):
        return []
    rows = [row for row in known_costs() if (row.rules, row.objective) == (entry.rules, "average")]
    return [row.total for row in rows if row.total and not row.source.startswith("ours")]


@pytest.mark.parametrize(("trees", "cell"), [row[:3:2] for row in ROWS], ids=FIRST)
def test_published_figures_are_those_of_the_sources(trees: list[str], cell: str) -> None:
    stated = [[int(figure)] if figure != "-" else [] for figure in cell.split(", ")]
    if len(trees) == 1:
        stated = [[*chain.from_iterable(stated)]]
    elif stated == [[]]:
        stated *= len(trees)
    assert stated == [others(tree) for tree in trees]


def test_every_proved_tree_has_its_line() -> None:
    found = {tree for trees, *_ in ROWS for tree in trees}
    files = (ROOT / "trees").glob("*.json")
    proved = {file.stem for file in files if json.loads(file.read_text())["proof"] == "exact"}
    named = {tree for tree in proved if not tree.startswith("possibles-")}
    assert named == found, "docs/reference/trees.md lacks a proved tree, or has one that isn't"


def test_best_known_are_those_that_ship() -> None:
    best = [record(file.stem) for file in (ROOT / "trees").glob("best-*.json")]
    assert len(best) == 4
    for one in best:
        assert f"{one.total} " in WORDS
        assert re.search(rf"\b{one.lower}\b", WORDS)


def test_bytes_of_the_five_strings_are_counted() -> None:
    length = sum(len(record(tree).string) for tree in PAPER)
    assert f"five strings take {length} bytes" in WORDS


@pytest.mark.slow
@pytest.mark.process
def test_a_proof_costs_what_is_said_within_a_factor() -> None:
    """Processor seconds of another machine; the first build may have to compile."""
    (cost,) = (cost for trees, *_, cost in ROWS if trees[0] == "avg-mastermind-3x5")
    said = int(cost.split(", ")[0])
    took = min(seconds("avg-mastermind-3x5") for _ in range(2))
    assert said / FACTOR <= took <= said * FACTOR
