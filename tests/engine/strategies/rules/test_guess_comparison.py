"""A guess held against all others, counted the slow way."""

from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.history import Turns
from bullscows.game.rules import CodeIndex, Rules
from bullscows.strategies.rules.ranking import compare_guess
from bullscows.tree.nodes import Candidates
from tests.support.strategies import small_rules


def sizes(rules: Rules, guess: CodeIndex, candidates: Candidates) -> list[int]:
    parts = rules.partition(guess, candidates)
    return sorted((len(part) for part in parts.values()), reverse=True)


@given(small_rules(max_size=120), st.data())
def test_comparison_agrees_with_counting_every_guess(rules: Rules, data: st.DataObject) -> None:
    secret, guess = (data.draw(st.integers(0, rules.size - 1)) for _ in range(2))
    asked = data.draw(st.lists(st.integers(0, rules.size - 1), max_size=3))
    path: Turns = tuple((code, rules.respond(code, secret)) for code in asked)
    candidates = tuple(
        code
        for code in range(rules.size)
        if all(rules.respond(one, code) == answer for one, answer in path)
    )
    found = compare_guess(rules, path, candidates, guess)
    every = [sizes(rules, code, candidates) for code in range(rules.size)]
    parts, largest = [len(one) for one in every], [one[0] for one in every]
    assert (found.parts, found.largest) == (parts[guess], largest[guess])
    assert (found.most_parts, found.with_most_parts) == (max(parts), parts.count(max(parts)))
    assert found.least_largest == min(largest)
    assert found.with_least_largest == largest.count(min(largest))
    assert found.equal == every.count(every[guess]) - 1
    assert found.guesses == rules.size


def test_every_first_guess_of_bulls_and_cows_is_as_good() -> None:
    """Without repeats all codes are equal.  One cow: 4 symbols in 3 places, with 6*5*4 others."""
    rules = Rules.parse("p4c10n")
    found = compare_guess(rules, (), tuple(range(rules.size)), 123)
    assert (found.parts, found.largest, found.equal) == (14, 1440, 5039)


def test_the_second_mastermind_pattern_has_the_smallest_largest_part() -> None:
    """Knuth (1976): of the first guesses 1122 leaves the least, 256; there are 90 of its kind."""
    rules = Rules.parse("p4c6r")
    found = compare_guess(rules, (), tuple(range(rules.size)), rules.parse_code("0011"))
    assert (found.largest, found.least_largest, found.with_least_largest) == (256, 256, 90)
