"""Beams: sound trees, the same every time, between the optimum and the rule that they widen."""

from typing import Any

import pytest

from bullscows.game.objective import Bounds
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.arrays.workspace import make_tables
from bullscows.search.search import Search
from bullscows.search.solver import solve
from bullscows.strategies.narrowed.beam import SOLVED, BeamSearch
from bullscows.strategies.rules.one_step import HEURISTICS, heuristic_tree
from bullscows.tree.verifier import verify


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


def test_a_beam_over_larger_solved_positions_is_no_worse() -> None:
    rules = Rules.parse("p4c7n")
    totals = [BeamSearch(rules, 2, solved).tree().total for solved in (20, 80, 300, rules.size)]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == solve(ResponseTable.of(rules), "average").upper


def test_a_beam_gives_the_same_tree_for_any_cache_and_any_threads() -> None:
    """Some of what is solved is large enough for threads to share it."""
    rules = Rules.parse("p4c8n")
    undisturbed = BeamSearch(rules, 2, 300).tree()
    for threads in (1, 2):
        tables = make_tables(18)
        first = BeamSearch(rules, 2, 300, threads=threads, known=tables).tree()
        again = BeamSearch(rules, 2, 300, threads=threads, known=tables).tree()
        assert first == again == undisturbed


def test_a_beam_that_is_stopped_makes_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    beam = BeamSearch(Rules.parse("p4c7n"), 2)
    value = Search.value

    def stopped(search: Search, *args: Any, **options: Any) -> Bounds:
        bounds = value(search, *args, **options)
        search.stopped = True
        return bounds

    monkeypatch.setattr(Search, "value", stopped)
    with pytest.raises(KeyboardInterrupt):
        beam.tree()
