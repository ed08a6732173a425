"""Hybrids: the paper's tables, a plain twin, and the fast twins of the rules."""

from collections.abc import Sequence
from functools import cache
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import Weights
from bullscows.game.rules import Rules, Turns
from bullscows.game.symmetry import representatives
from bullscows.kernels.problem import ANY, CANDIDATE, CRUSH, CRUSH_ALL, LARMOUTH, LARMOUTH_LAST
from bullscows.library import solve
from bullscows.strategies.hybrids import HYBRIDS, Hybrid, HybridSearch
from bullscows.strategies.one_step import HEURISTICS, RULES, Splits
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyError
from bullscows.tree.verifier import verify
from tests.support.examples import examples

pytestmark = pytest.mark.large

BULLS_AND_COWS = Rules.parse("p4c10n")
MASTERMIND = Rules.parse("p4c6r")
SEVEN_PLACES = Rules.parse("p7c2r")
INF = float("inf")
ALLOWED = [ANY, CANDIDATE, CRUSH, CRUSH_ALL, LARMOUTH, LARMOUTH_LAST]


@cache
def search_of(name: str) -> HybridSearch:
    rules = MASTERMIND if name in ("crush3", "avg3") else BULLS_AND_COWS
    return HybridSearch(rules, HYBRIDS[name])


@pytest.mark.parametrize("name", ["crush3", "avg3"])
def test_a_tree_costs_what_the_search_says(name: str):
    """`research` compares with the tables of the paper."""
    search = search_of(name)
    tree = search.tree()
    assert Weights.of(search.hybrid.weights).cost(tree.distribution) == search.value()
    assert tree.depth == len(search.hybrid.weights)
    assert verify(tree).total == tree.total


def test_avg35_of_the_paper():
    # The paper, 5.2.1.
    costs = {
        "0.0": 1808, "0.1": 8009, "0.2": 6828, "0.3": 1284, "0.4": 32, "1.0": 2400, "1.1": 3731,
        "1.2": 1031, "1.3": 30, "2.0": 845, "2.1": 314, "2.2": 21, "3.0": 97,
    }  # fmt: skip
    guess = BULLS_AND_COWS.parse_code("0123")
    for answer, cost in costs.items():
        turn = (guess, BULLS_AND_COWS.parse_answer(answer))
        assert search_of("avg35").value((turn,)) == cost


def test_no_tie_break_of_crush_gives_22_after_0_2():
    # The paper, 5.1.1, has 22 for crush35.
    after = ((0, BULLS_AND_COWS.answer_index(0, 2)),)
    assert (search_of("crush35").value(after), search_of("crush35-all").value(after)) == (24, 23)


def test_too_few_turns_are_no_strategy():
    search = HybridSearch(MASTERMIND, Hybrid({}, (1, 2, 3)))
    assert search.value() is None
    with pytest.raises(StrategyError):
        search.tree()
    with pytest.raises(ValueError, match="no code of p4c6r fits"):
        search_of("avg3").value(((0, 0), (0, 1)))


def turns_by_class(rules: Rules) -> int:
    return 2 if rules.repeats else 3


def by_rule(rules: Rules, rule: int, candidates: Candidates, path: Turns) -> list[int]:
    """Return the guesses of a rule."""
    if rule == CRUSH:
        return [HEURISTICS["crush"].choose(rules, candidates, path)]
    if rule != CRUSH_ALL:
        return [larmouth(rules, rule == LARMOUTH_LAST, candidates, path)]
    members = np.array(candidates, dtype=np.int32)
    splits = Splits.of(rules, members, np.arange(rules.size, dtype=np.int32))
    liked = RULES["crush"].best(splits)
    inside = liked[splits.is_candidate[liked]]
    found: list[int] = splits.guesses[inside if len(inside) else liked].tolist()
    return found


def larmouth(rules: Rules, last: bool, candidates: Candidates, path: Turns) -> int:
    """Return the guess with the least sum, in plain doubles and the order of answers."""
    guesses: Sequence[int] = range(rules.size)
    if len(path) < turns_by_class(rules):
        guesses = representatives(rules, [guess for guess, _ in path]).tolist()
    scores = {}
    for guess in guesses:
        score = 0.0
        for _, part in sorted(rules.partition(guess, candidates).items()):
            score += len(part) * log(len(part))
        scores[guess] = score - 2 * log(2) * (guess in candidates)
    best = [guess for guess in scores if scores[guess] == min(scores.values())]
    inside = [guess for guess in best if guess in candidates]
    return best[-1] if last or not inside else inside[0]


class NaiveHybrid:
    """The same by plain recursion: no bound, no table, no special node."""

    def __init__(self, rules: Rules, hybrid: Hybrid) -> None:
        self.rules = rules
        self.hybrid = hybrid

    def cost(self, candidates: Candidates, path: Turns) -> float:
        turn = len(path) + 1
        last = len(self.hybrid.weights)
        if len(candidates) == 1:
            return self.hybrid.weights[turn - 1] if turn <= last else INF
        if turn >= last:
            return INF
        tried = self.tried(candidates, path)
        return min((self.cost_of_guess(guess, candidates, path) for guess in tried), default=INF)

    def tried(self, candidates: Candidates, path: Turns) -> Sequence[int]:
        turn = len(path) + 1
        rule = self.hybrid.rules_by_turn.get(turn, ANY)
        if rule == CANDIDATE:
            return candidates
        if rule != ANY and turn < len(self.hybrid.weights) - 1:
            return by_rule(self.rules, rule, candidates, path)
        if turn <= turns_by_class(self.rules):
            return list(representatives(self.rules, [guess for guess, _ in path]))
        return range(self.rules.size)

    def cost_of_guess(self, guess: int, candidates: Candidates, path: Turns) -> float:
        parts = self.rules.partition(guess, candidates)
        if len(parts) == 1:
            return INF
        weight = self.hybrid.weights[len(path)]
        return sum(
            weight if answer == self.rules.win
            else self.cost(tuple(part), (*path, (guess, answer)))
            for answer, part in parts.items()
        )  # fmt: skip


@given(
    rules=st.sampled_from(["p2c3n", "p2c4n", "p2c3r", "p3c2r", "p3c3n", "p2c5n"]),
    chosen=st.lists(
        st.sampled_from([ANY, CANDIDATE, CRUSH, CRUSH_ALL, LARMOUTH, LARMOUTH_LAST]),
        min_size=3,
        max_size=5,
    ),
    late=st.booleans(),
)
@examples(40)
def test_search_agrees_with_plain_recursion(rules: str, chosen: list[int], late: bool):
    turns = len(chosen) + 1
    weights = (*[0] * (turns - 1), 1) if late else tuple(range(1, turns + 1))
    # The first two turns are always searched.
    hybrid = Hybrid({turn: chosen[turn - 1] for turn in range(3, turns)}, weights)
    game = Rules.parse(rules)
    naive = NaiveHybrid(game, hybrid).cost(tuple(range(game.size)), ())
    search = HybridSearch(game, hybrid)
    assert search.value() == (None if naive == INF else naive)
    if search.value() is not None:
        assert Weights.of(weights).cost(search.tree().distribution) == naive


def test_hybrids_find_every_secret_of_seven_places():
    """There are 35 answers."""
    best = solve(SEVEN_PLACES).value or 0
    for hybrid in (Hybrid({}, tuple(range(1, 8))), HYBRIDS["crush35"], HYBRIDS["avg35"]):
        search = HybridSearch(SEVEN_PLACES, hybrid)
        tree = search.tree()
        assert Weights.of(hybrid.weights).cost(tree.distribution) == search.value()
        assert tree.depth <= len(hybrid.weights)
        assert best <= verify(tree).total <= (10**9 if hybrid.rules_by_turn else best)
