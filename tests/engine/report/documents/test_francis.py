"""Francis' tables: what agrees, what differs and why, and counts by another way."""

from __future__ import annotations

import pytest

from bullscows.game.rules import Rules
from bullscows.game.symmetry import representatives
from bullscows.report.documents.francis import decisions, limit_row, orbits
from bullscows.report.rows import Row, Verdict
from bullscows.report.tables import read_tables, tables_file
from bullscows.tree.strategy_tree import StrategyTree
from tests import ROOT

SHIPPED = read_tables(tables_file(ROOT / "trees"))


def rows(name: str) -> tuple[Row, ...]:
    """Return the rows that ship: `test_report` makes each table again and holds it against them."""
    return SHIPPED[name].rows


def differing(name: str) -> list[tuple[str, str, str]]:
    found = [row for row in rows(name) if row.verdict not in ("", "agrees")]
    assert {row.verdict for row in found} <= {"explained"}
    return [(row.label, row.published, row.ours) for row in found]


def test_two_of_his_counts_of_third_guesses_are_other() -> None:
    assert differing("francis-classes") == [
        ("0456, third guesses", "373", "363"),
        ("4567, third guesses", "218", "180"),
    ]


def test_his_lower_bound_is_ours_in_every_column() -> None:
    assert differing("francis-estimator") == []
    found = {row.label: row.ours for row in rows("francis-estimator")}
    assert found["bound from the number of answers alone"] == "22622"
    turns = [found[f"total, turn {turn}"] for turn in range(1, 7)]
    assert [*turns, found["total, turns"]] == ["1", "13", "111", "694", "2657", "1564", "25805"]


def test_more_secrets_can_be_found_by_turns_3_and_4_than_his_limits() -> None:
    totals = [row for row in differing("francis-limits") if row[0].startswith("total")]
    assert totals == [
        ("total, by turn 3", "125", "127"),
        ("total, by turn 4", "819", "864"),
        ("total, by turn 5", "3476", "3289"),
    ]


@pytest.mark.parametrize(
    ("most", "inside", "is_bound", "verdict"),
    [
        (7, 4, False, "explained"),
        (7, 6, False, "explained"),
        (7, 7, False, "unexplained"),
        (6, None, False, "agrees"),
        (5, None, True, "explained"),
        (5, None, False, "differs"),
    ],
)
def test_his_limit_is_explained_only_if_candidates_alone_stay_within_it(
    most: int, inside: int | None, is_bound: bool, verdict: Verdict
) -> None:
    assert limit_row("3.0, by turn 3", 6, most, inside, is_bound=is_bound).verdict == verdict


def test_the_fan_out_example_is_his() -> None:
    assert differing("francis-fan-out") == []
    assert len(rows("francis-fan-out")) == 19


def test_possibles_only_has_no_probes() -> None:
    probes = [row for row in rows("francis-nodes") if row.published == "0"]
    assert [row.ours for row in probes] == ["0"]


@pytest.mark.parametrize(
    ("game", "guesses"),
    [
        ("p3c4n", ()),
        ("p4c7n", ("0123",)),
        ("p4c10n", ("0123", "0456")),
        ("p4c10n", ("0123", "4567")),
        ("p4c10n", ("0123", "1435")),
        ("p3c6r", ("001",)),
        ("p3c5z", ("102",)),
    ],
)
def test_burnside_counts_the_classes(game: str, guesses: tuple[str, ...]) -> None:
    rules = Rules.parse(game)
    numbers = rules.numbers(guesses)
    assert orbits(rules, numbers) == len(representatives(rules, numbers))


def test_nodes_are_choices_and_probes_cannot_win() -> None:
    rules = Rules.parse("p2c3n")
    tree = StrategyTree.grow(rules, lambda candidates, _: candidates[0])
    choices = [node for node in tree.nodes if node.size > 1]
    assert decisions(tree) == (len(choices), 0)
    probing = StrategyTree.grow(
        rules, lambda candidates, path: 0 if not path else _outside(candidates)
    )
    assert decisions(probing)[1] > 0


def _outside(candidates: tuple[int, ...]) -> int:
    """Guess what is no candidate but tells two apart, if anything does."""
    rules = Rules.parse("p2c3n")
    for guess in range(rules.size):
        if guess not in candidates and rules.splits(guess, candidates):
            return guess
    return candidates[0]
