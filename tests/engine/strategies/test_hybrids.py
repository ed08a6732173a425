"""Hybrids: the paper's tables, a plain twin, and the fast twins of the rules."""

from collections.abc import Sequence
from functools import cache
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules, Turns
from bullscows.game.symmetry import representatives
from bullscows.kernels.bounds import scan
from bullscows.kernels.one_step import rule_batch
from bullscows.kernels.problem import ANY, CANDIDATE, CRUSH, CRUSH_ALL, LARMOUTH, LARMOUTH_LAST
from bullscows.kernels.workspace import BY_BOUND, Node
from bullscows.library import solve
from bullscows.strategies.hybrids import HYBRIDS, Hybrid, HybridSearch
from bullscows.strategies.rules.one_step import HEURISTICS, RULES, Splits
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyError
from bullscows.tree.verifier import verify
from tests.support.examples import examples

pytestmark = pytest.mark.large

BULLS_AND_COWS = Rules.parse("p4c10n")
MASTERMIND = Rules.parse("p4c6r")
SEVEN_PLACES = Rules.parse("p7c2r")
INF = float("inf")
RULES_AT = {4: CRUSH, 5: CRUSH_ALL, 6: LARMOUTH, 7: LARMOUTH_LAST}


@cache
def search_of(name: str) -> HybridSearch:
    rules = MASTERMIND if name in ("crush3", "avg3") else BULLS_AND_COWS
    return HybridSearch(rules, HYBRIDS[name])


def by_first_answer(name: str, first: str) -> dict[str, int | None]:
    """Return what the hybrid costs after each answer to a first guess but the winning one."""
    search = search_of(name)
    guess = search.rules.parse_code(first)
    answers = search.rules.partition(guess, range(search.rules.size))
    return {
        str(search.rules.answers[answer]): search.value(((guess, answer),))
        for answer in answers
        if answer != search.rules.win
    }


def of_first_guess(name: str, first: str) -> int | None:
    costs = list(by_first_answer(name, first).values())
    if None in costs:
        return None
    return search_of(name).hybrid.weights[0] + sum(cost for cost in costs if cost is not None)


# The paper, 5.1.2 and 5.2.2.
MASTERMIND_BY_FIRST_GUESS = {
    "crush3": {"0000": None, "0001": None, "0011": 651, "0012": 569, "0123": None},
    "avg3": {"0000": None, "0001": None, "0011": 5716, "0012": 5638, "0123": None},
}


@pytest.mark.parametrize("name", ["crush3", "avg3"])
def test_mastermind_first_guesses_of_the_paper(name: str):
    found = {first: of_first_guess(name, first) for first in MASTERMIND_BY_FIRST_GUESS[name]}
    assert found == MASTERMIND_BY_FIRST_GUESS[name]


def test_mastermind_answers_of_the_paper():
    for name in ("crush3", "avg3"):
        search = search_of(name)
        tree = search.tree()
        assert tree.cost((0, *search.hybrid.weights)) == search.value()
        assert tree.depth == len(search.hybrid.weights)
        assert verify(tree).total == tree.total
    assert by_first_answer("crush3", "0012") == {
        "0.1": 165, "1.1": 128, "0.2": 124, "1.0": 88, "2.0": 31, "1.2": 19, "0.0": 12,
        "0.3": 1, "2.1": 1, "0.4": 0, "1.3": 0, "2.2": 0, "3.0": 0,
    }  # fmt: skip
    assert by_first_answer("avg3", "0012") == {
        "0.1": 1253, "1.1": 1034, "0.2": 995, "1.0": 804, "2.0": 445, "1.2": 347, "0.0": 327,
        "0.3": 171, "2.1": 154, "3.0": 76, "2.2": 15, "1.3": 11, "0.4": 5,
    }  # fmt: skip


def test_avg35_of_the_paper():
    # The paper, 5.2.1.
    assert by_first_answer("avg35", "0123") == {
        "0.0": 1808, "0.1": 8009, "0.2": 6828, "0.3": 1284, "0.4": 32, "1.0": 2400, "1.1": 3731,
        "1.2": 1031, "1.3": 30, "2.0": 845, "2.1": 314, "2.2": 21, "3.0": 97,
    }  # fmt: skip


def test_no_tie_break_of_crush_gives_22_after_0_2():
    # The paper, 5.1.1, has 22 for crush35.
    after = ((0, BULLS_AND_COWS.answer_index(0, 2)),)
    assert (search_of("crush35").value(after), search_of("crush35-all").value(after)) == (24, 23)


@pytest.mark.slow
def test_fso_of_the_paper():
    # The paper, 5.2.1.
    assert by_first_answer("fso", "0123") == {
        "0.0": 1806, "0.1": 7942, "0.2": 6818, "0.3": 1269, "0.4": 32, "1.0": 2393, "1.1": 3716,
        "1.2": 1020, "1.3": 30, "2.0": 839, "2.1": 312, "2.2": 21, "3.0": 97,
    }  # fmt: skip


def test_too_few_turns_are_no_strategy():
    search = HybridSearch(MASTERMIND, Hybrid({}, (1, 2, 3)))
    assert search.value() is None
    with pytest.raises(StrategyError):
        search.tree()
    with pytest.raises(ValueError, match="no code of p4c6r fits"):
        search_of("avg3").value(((0, 0), (0, 1)))


def turns_by_class(rules: Rules) -> int:
    return 2 if rules.repeats else 3


def by_rule(
    rules: Rules, rule: int, candidates: Candidates, path: Turns = (), *, far: bool = False
) -> list[int]:
    """Return the guesses of a rule; `far`: so late that symmetry is left alone."""
    if rule == CRUSH:
        return [HEURISTICS["crush"].choose(rules, candidates, path)]
    if rule != CRUSH_ALL:
        return [larmouth(rules, rule == LARMOUTH_LAST, candidates, None if far else path)]
    members = np.array(candidates, dtype=np.int32)
    splits = Splits.of(rules, members, np.arange(rules.size, dtype=np.int32))
    liked = RULES["crush"].best(splits)
    inside = liked[splits.is_candidate[liked]]
    found: list[int] = splits.guesses[inside if len(inside) else liked].tolist()
    return found


def larmouth(rules: Rules, last: bool, candidates: Candidates, path: Turns | None) -> int:
    """Return the guess with the least sum, in plain doubles and the order of answers."""
    guesses: Sequence[int] = range(rules.size)
    if path is not None and len(path) < turns_by_class(rules):
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
    chosen=st.lists(st.sampled_from([ANY, CANDIDATE, *RULES_AT.values()]), min_size=3, max_size=5),
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
        assert search.tree().cost((0, *weights)) == naive


def fast_guesses(search: HybridSearch, candidates: Sequence[int], turn: int) -> list[int]:
    """Return what the kernel of the turn's rule guesses."""
    problem = search._search.problem
    work = search._search._workspaces[0]
    work.members[turn, : len(candidates)] = candidates
    inside, _ = scan(problem, work, 0, len(candidates), turn)
    node = Node(0, len(candidates), turn, problem.answers - 1, BY_BOUND)
    taken = rule_batch(problem, work, node, inside)[1]
    found: list[int] = work.guesses[turn, :taken].tolist()
    return found


FAR = ((0, 0),) * 3
"""So many turns that symmetry is left alone."""


@cache
def fast_search(rules: Rules) -> HybridSearch:
    return HybridSearch(rules, Hybrid(RULES_AT, (1,) * 9))


@given(
    st.sampled_from([BULLS_AND_COWS, SEVEN_PLACES]),
    st.sets(st.integers(0, 127), min_size=1, max_size=80),
    st.sampled_from([*RULES_AT]),
)
@examples(16)  # the plain ones take a quarter of a second
def test_fast_rules_guess_as_the_plain_ones(rules: Rules, secrets: set[int], turn: int):
    candidates = tuple(sorted(secret * (rules.size // 128) for secret in secrets))
    plain = by_rule(rules, RULES_AT[turn], candidates, FAR, far=True)
    assert fast_guesses(fast_search(rules), candidates, turn) == plain


def test_hybrids_find_every_secret_of_seven_places():
    """There are 35 answers."""
    best = solve(SEVEN_PLACES).value or 0
    for hybrid in (Hybrid({}, tuple(range(1, 8))), HYBRIDS["crush35"], HYBRIDS["avg35"]):
        search = HybridSearch(SEVEN_PLACES, hybrid)
        tree = search.tree()
        assert tree.cost((0, *hybrid.weights)) == search.value()
        assert tree.depth <= len(hybrid.weights)
        assert best <= verify(tree).total <= (10**9 if hybrid.rules_by_turn else best)
