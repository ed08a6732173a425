import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import History, candidates
from bullscows.game.response_table import all_codes
from bullscows.game.result import RuleName
from bullscows.game.rules import CodeIndex, Rules, Turns
from bullscows.game.symmetry import equivalence_classes
from bullscows.strategies.one_step import HEURISTICS, RULES, Splits
from bullscows.strategies.ranking import RANKED, compare_guess, rank
from bullscows.tree.nodes import Candidates
from tests.engine.game.test_candidates import fitting
from tests.support.examples import examples
from tests.support.strategies import histories, small_rules

pytestmark = pytest.mark.large

MEGABYTES = 64


@pytest.mark.parametrize("name", ["larmouth", "crush"])
@examples(40)
@given(case=histories())
def test_first_of_a_ranking_is_the_guess_of_the_rule(name: RuleName, case):
    rules, turns = case
    left = candidates(rules, turns)
    if not len(left):
        return
    history = History(rules, turns)
    ranking = rank(history, left, name)
    assert ranking.guesses[0] == HEURISTICS[name].choose(rules, tuple(left.tolist()), turns)
    assert len(set(ranking.guesses)) == len(ranking.guesses) <= RANKED


@pytest.mark.parametrize("name", ["larmouth", "crush"])
def test_guesses_that_are_ranked_in_blocks_are_ranked_like_all_at_once(name: RuleName):
    """The parts of 46,656 guesses are too many for a block."""
    rules = Rules.parse("p6c6r")
    history = History.parse(rules, "001122:1.2 233445:2.2 501234:0.6")
    left = candidates(rules, history)
    splits = Splits.of(rules, left, all_codes(rules))
    first = splits.prefer(RULES[name].best(splits))
    order = RULES[name].order(splits)
    ranked = splits.guesses[order[splits.is_informative[order]]].tolist()
    expected = [first, *(guess for guess in ranked if guess != first)]
    assert list(rank(history, left, name).guesses) == expected[:RANKED]


@pytest.mark.parametrize("name", ["larmouth", "crush"])
def test_where_all_are_too_many_one_guess_of_each_class_is_looked_at(name: RuleName):
    """By the answers, too: which of two colours was guessed first makes no difference there."""
    rules = Rules.parse("p4c10r")
    history = History.parse(rules, "0000:1.0 1111:0.0 2222:0.0")
    left = candidates(rules, history)
    answers = [answer for _, answer in history]
    classes = equivalence_classes(rules, history.guesses, answers=answers)
    ranking = rank(history, left, name)
    assert (ranking.compared, ranking.complete) == (len(classes.sizes), True)
    assert len(set(classes.labels[list(ranking.guesses)])) == len(ranking.guesses)
    assert ranking.guesses[0] == HEURISTICS[name].choose(rules, tuple(left.tolist()), history.turns)


@pytest.mark.parametrize("name", ["larmouth", "crush"])
def test_all_guesses_of_a_large_game_are_ranked_in_little_memory(name: RuleName):
    """At once the sizes of the parts of 1,679,616 guesses would take 590 MB."""
    rules = Rules.parse("p8c6r")
    history = History.parse(rules, "00000000:7.0 01111111:2.0")
    left = candidates(rules, history)
    assert len(left) == 7
    tracemalloc.start()
    ranking = rank(history, left, name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (ranking.compared, ranking.complete) == (rules.size, True)
    assert peak < MEGABYTES << 20


def sizes(rules: Rules, guess: CodeIndex, candidates: Candidates) -> list[int]:
    parts = rules.partition(guess, candidates)
    return sorted((len(part) for part in parts.values()), reverse=True)


@given(small_rules(max_size=120), st.data())
def test_comparison_agrees_with_counting_every_guess(rules: Rules, data: st.DataObject) -> None:
    secret, guess = (data.draw(st.integers(0, rules.size - 1)) for _ in range(2))
    asked = data.draw(st.lists(st.integers(0, rules.size - 1), max_size=3))
    path: Turns = tuple((code, rules.respond(code, secret)) for code in asked)
    candidates = tuple(fitting(rules, path))
    found = compare_guess(rules, path, candidates, guess)
    every = [sizes(rules, code, candidates) for code in range(rules.size)]
    parts = [len(one) for one in every]
    largest = [one[0] for one in every]
    assert (found.parts, found.largest) == (parts[guess], largest[guess])
    assert (found.most_parts, found.least_largest) == (max(parts), min(largest))
    assert found.equal == every.count(every[guess]) - 1
    assert found.guesses == rules.size


def test_the_second_mastermind_pattern_has_the_smallest_largest_part() -> None:
    """Knuth (1976): of the first guesses 1122 leaves the least, 256."""
    rules = Rules.parse("p4c6r")
    found = compare_guess(rules, (), tuple(range(rules.size)), rules.parse_code("0011"))
    assert (found.largest, found.least_largest) == (256, 256)
