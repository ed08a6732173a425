"""Building: shipped trees come out byte for byte, and names lead to the right strategy."""

from __future__ import annotations

import pytest

from app.library import Library
from engine import treefile
from engine.build import build_record, strategy_tree
from engine.catalogue import (
    CATALOGUE,
    TreeSpec,
    UnknownStrategyError,
    UnknownTreeError,
    spec,
)
from engine.rules import Rules
from engine.treefile import default_folder

QUICK = [
    "avg-bulls-cows",
    "avg-mastermind",
    "avg-mastermind-5",
    "crush-mastermind",
    "avg-mastermind-3x6",
    "larmouth-rule-bulls-cows",
]


@pytest.mark.parametrize(
    "name",
    [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in CATALOGUE if n not in QUICK)],
)
def test_a_shipped_tree_is_rebuilt_byte_for_byte(name: str) -> None:
    record = build_record(spec(name))
    assert record is not None
    shipped = (default_folder() / f"{name}.json").read_text(encoding="ascii")
    assert treefile.dump(record) == shipped


def test_the_catalogue_and_the_shelf_agree(shipped_library: Library) -> None:
    assert {path.stem for path in default_folder().glob("*.json")} == set(CATALOGUE)
    for entry in CATALOGUE.values():
        record = shipped_library.tree(entry.name).record
        assert (record.rules, record.objective) == (entry.rules, entry.objective)
        assert (record.max_turns, record.proof) == (entry.max_turns, entry.proof)


def test_an_impossible_cap_makes_no_record() -> None:
    """Within four turns Mastermind has no strategy, so there is nothing to ship."""
    impossible = TreeSpec("none", "p4c6r", "average", 4, "exact")
    assert build_record(impossible) is None


@pytest.mark.parametrize("name", ["crush", "possible-parts", "kwb-2"])
def test_every_kind_of_strategy_has_a_name(name: str) -> None:
    tree = strategy_tree(Rules.parse("p2c4r"), name)
    assert sum(tree.histogram) == 16


@pytest.mark.parametrize("name", ["", "kwb-0", "kwb-99999", "Crush", "crush "])
def test_an_unknown_strategy_is_refused(name: str) -> None:
    with pytest.raises(UnknownStrategyError, match="known are"):
        strategy_tree(Rules.parse("p2c4r"), name)


def test_an_unknown_tree_is_refused() -> None:
    with pytest.raises(UnknownTreeError, match="known are"):
        spec("no-such-tree")
