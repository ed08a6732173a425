"""Analysis of any position: counts against the definition, values against those published."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis import MAX_CODES, GameTooLargeError, candidates, split
from engine.rules import Rules
from tests.strategies import small_rules


@st.composite
def histories(draw, most=3, max_size=200):
    """A small game, and guesses answered for one secret or anyhow."""
    rules = draw(small_rules(max_size))
    codes = st.integers(0, rules.size - 1)
    secret = draw(st.none() | codes)
    turns = []
    for guess in draw(st.lists(codes, max_size=most)):
        any_answer = st.integers(0, len(rules.answers) - 1)
        answer = draw(any_answer) if secret is None else rules.respond(guess, secret)
        turns.append((guess, answer))
    return rules, tuple(turns)


def fitting(rules, history):
    """The candidates by the definition."""
    return [
        code
        for code in range(rules.size)
        if all(rules.respond(guess, code) == answer for guess, answer in history)
    ]


@given(histories())
def test_candidates_are_the_codes_that_fit_all_answers(case):
    rules, history = case
    assert candidates(rules, history).tolist() == fitting(rules, history)


@given(histories(), st.data())
def test_split_counts_the_parts(case, data):
    rules, history = case
    left = candidates(rules, history)
    if not len(left):
        return
    guess = data.draw(st.integers(0, rules.size - 1))
    parts = rules.partition(guess, left.tolist())
    found = split(rules, left, guess)
    sizes = [len(part) for part in parts.values()]
    assert found.parts == tuple(zip(parts, sizes, strict=True))
    assert found.is_candidate == (guess in left)
    assert (found.number, found.largest) == (len(parts), max(sizes))
    assert found.expected == pytest.approx(np.average(sizes, weights=sizes))


def test_first_guesses_of_mastermind_split_as_knuth_says():
    rules = Rules.parse("p4c6r")
    left = candidates(rules, ())
    largest = {
        text: split(rules, left, rules.parse_code(text)).largest
        for text in ("0000", "0001", "0011", "0012", "0123")
    }
    # Knuth, The computer as Master Mind (1976).
    assert largest == {"0000": 625, "0001": 317, "0011": 256, "0012": 276, "0123": 312}


def test_game_that_is_too_large_is_refused():
    rules = Rules.parse("p5c9r")
    with pytest.raises(GameTooLargeError, match=f"{rules.size} codes; games of up to {MAX_CODES}"):
        candidates(rules, ())
