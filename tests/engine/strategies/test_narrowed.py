"""The best of all ties of a rule, against every tie-break tried."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.library import solve
from bullscows.search.proven_bounds import BoundsMemory
from bullscows.shipping.named_trees import strategy_tree
from bullscows.strategies.beam import SOLVED, BeamSearch
from bullscows.strategies.narrowed import best_of_ties, k_way
from bullscows.strategies.one_step import RULES, Rule, Splits
from bullscows.tree.verifier import verify

pytestmark = pytest.mark.large


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
    games = map(Rules.parse, ("p3c4r", "p3c6n", "p4c5r"))
    pairs = list(product(games, ("larmouth", "crush")))
    bests = [best_of_ties(rules, RULES[name]).tree().total for rules, name in pairs]
    firsts = [strategy_tree(rules, name).total for rules, name in pairs]
    totals = list(zip(bests, firsts, strict=True))
    assert all(best <= first for best, first in totals)
    assert any(best < first for best, first in totals)


@pytest.mark.parametrize("text", ["p3c4r", "p3c6n", "p4c6r", "p4c6n"])
def test_one_way_is_crush(text: str):
    rules = Rules.parse(text)
    crush = strategy_tree(rules, "crush")
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


@pytest.mark.parametrize("game", ["p4c7n", "p4c4r", "p3c8n"])
def test_a_beam_is_between_the_optimum_and_its_rule(game: str) -> None:
    rules = Rules.parse(game)
    assert rules.size > SOLVED
    best = solve(ResponseTable.of(rules), "average").cost.upper
    assert best is not None
    totals = []
    for width in (1, 3):
        tree = BeamSearch(rules, width).tree()
        assert verify(tree).ok
        totals.append(tree.total)
    followed = strategy_tree(rules, "larmouth").total
    assert best <= totals[1] <= totals[0] <= followed


def test_a_beam_over_larger_solved_positions_is_no_worse() -> None:
    rules = Rules.parse("p4c7n")
    totals = [BeamSearch(rules, 2, solved).tree().total for solved in (20, 80, 300, rules.size)]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == solve(ResponseTable.of(rules), "average").cost.upper


def test_a_beam_gives_the_same_tree_for_any_memory_and_any_threads() -> None:
    """Some positions are large enough for threads to share them."""
    rules = Rules.parse("p4c8n")
    undisturbed = BeamSearch(rules, 2, 300).tree()
    for threads in (1, 2):
        memory = BoundsMemory(1)
        first = BeamSearch(rules, 2, 300, threads=threads, checkpoint=memory).tree()
        again = BeamSearch(rules, 2, 300, threads=threads, checkpoint=memory).tree()
        assert all(len(proven.rows()) for proven in memory.proofs.values())
        assert first == again == undisturbed


class Interrupted(BoundsMemory):
    """Is interrupted when a search first looks whether to save."""

    def save_if_due(self) -> None:
        vars(self)["save_if_due"] = lambda: None
        raise KeyboardInterrupt


def test_a_beam_that_is_stopped_makes_no_tree() -> None:
    beam = BeamSearch(Rules.parse("p4c7n"), 2, checkpoint=Interrupted(1))
    with pytest.raises(KeyboardInterrupt):
        beam.tree()
