"""Beams: sound trees, the same every time, between the optimum and the rule that they widen."""

from __future__ import annotations

import pytest

from engine.beam import SOLVED, BeamSearch
from engine.heuristics import HEURISTICS, heuristic_tree
from engine.rules import Rules
from engine.search import solve
from engine.table import ResponseTable
from engine.verify import verify


@pytest.mark.parametrize("game", ["p4c7n", "p4c4r", "p3c8n"])
def test_a_beam_is_between_the_optimum_and_its_rule(game: str) -> None:
    rules = Rules.parse(game)
    assert rules.size > SOLVED
    best = solve(ResponseTable.of(rules), "average").upper
    assert best is not None
    totals = []
    for width in (1, 3):
        tree = BeamSearch(rules, width).tree()
        assert verify(tree).ok
        totals.append(tree.total)
    followed = heuristic_tree(rules, HEURISTICS["larmouth"]).total
    assert best <= totals[1] <= totals[0] <= followed


def test_what_can_be_solved_is_solved() -> None:
    rules = Rules.parse("p3c5n")
    assert rules.size <= SOLVED
    optimal = solve(ResponseTable.of(rules), "average").tree()
    assert BeamSearch(rules, 1).tree() == optimal


def test_a_beam_gives_the_same_tree_again() -> None:
    rules = Rules.parse("p4c7n")
    assert BeamSearch(rules, 2).tree() == BeamSearch(rules, 2).tree()
