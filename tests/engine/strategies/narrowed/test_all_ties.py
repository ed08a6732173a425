"""The best of all ties of a rule, against every tie-break tried."""

from functools import cache

import numpy as np
import pytest

from bullscows.game.rules import Rules
from bullscows.strategies.narrowed.search import best_of_ties, k_way
from bullscows.strategies.rules.one_step import HEURISTICS, RULES, Rule, Splits, heuristic_tree
from bullscows.tree.verifier import verify


def naive_best(rules: Rules, rule: Rule) -> int:
    every = np.arange(rules.size, dtype=np.int32)

    @cache
    def best(left: tuple[int, ...]) -> int:
        if len(left) == 1:
            return 1
        splits = Splits.of(rules, np.array(left, dtype=np.int32), every)
        return min(cost(guess, left) for guess in every[rule.best(splits)].tolist())

    def cost(guess: int, left: tuple[int, ...]) -> int:
        parts = rules.partition(guess, left)
        parts.pop(rules.win, None)
        return len(left) + sum(best(tuple(part)) for part in parts.values())

    return best(tuple(range(rules.size)))


@pytest.mark.parametrize("text", ["p2c4n", "p2c5r", "p3c4r", "p3c5n", "p4c4n", "p3c4z"])
def test_no_tie_break_does_better(text: str) -> None:
    rules = Rules.parse(text)
    tree = best_of_ties(rules, RULES["larmouth"]).tree()
    assert tree.total == naive_best(rules, RULES["larmouth"])
    assert verify(tree).ok


def test_some_ties_are_worth_something() -> None:
    """Otherwise the test above would pass for the first guess as well."""
    totals = [
        (
            best_of_ties(rules, RULES[name]).tree().total,
            heuristic_tree(rules, HEURISTICS[name]).total,
        )
        for rules in map(Rules.parse, ("p3c4r", "p3c6n", "p4c5r"))
        for name in ("larmouth", "crush")
    ]
    assert all(best <= first for best, first in totals)
    assert any(best < first for best, first in totals)


@pytest.mark.parametrize("text", ["p3c4r", "p3c6n", "p4c6r", "p4c6n"])
def test_one_way_is_crush(text: str):
    rules = Rules.parse(text)
    crush = heuristic_tree(rules, HEURISTICS["crush"])
    assert k_way(rules, 1).tree() == crush


@pytest.mark.parametrize("text", ["p3c4r", "p3c6n", "p4c5n"])
def test_more_ways_never_cost_more(text: str):
    totals = [k_way(Rules.parse(text), ways).tree().total for ways in (1, 2, 4, 8, 1000)]
    assert totals == sorted(totals, reverse=True)


@pytest.mark.slow
def test_bulls_and_cows_with_five_ways():
    # Chen et al., section 3, need at most 7 turns a secret too.
    assert k_way(Rules.parse("p4c10n"), 5).tree().distribution == (
        1, 6, 56, 620, 2451, 1828, 78,
    )  # fmt: skip
