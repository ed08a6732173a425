from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game import history as turns
from bullscows.game.question import Question
from bullscows.game.response_table import GameTooLargeError
from bullscows.game.rules import Rules
from bullscows.game.symmetry import IndexArray
from tests.support.strategies import histories


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
    assert turns.candidates(rules, history).tolist() == fitting(rules, history)


@given(histories())
def test_remaining_after_each_turn_are_those_that_fit_the_turns_up_to_it(case):
    rules, history = case
    twice = (*history, *history)
    steps = [twice[:turn] for turn in range(1, len(twice) + 1)]
    expected = [len(fitting(rules, step)) for step in steps]
    assert turns.remaining_after(turns.History(rules, twice)) == expected


def test_question_goes_through_the_codes_once_for_all_its_turns(monkeypatch: pytest.MonkeyPatch):
    passes = []

    def narrowed(history: turns.History) -> Iterator[IndexArray]:
        passes.append(history)
        return turns.narrowed(history)

    monkeypatch.setattr("bullscows.game.question.narrowed", narrowed)
    asked = Question.of("p4c10n", "0123:0.1 1456:1.1 0123:0.1")
    counts = [5040, *asked.remaining()]
    assert len(asked.candidates) == counts[-1]
    assert len(passes) == 1
    assert [len(earlier.candidates) for earlier in asked.before()] == counts[:-1]
    assert len(passes) == 2


@given(histories(), st.booleans())
def test_questions_before_each_turn_have_the_candidates_there(case, is_of_list):
    rules, history = case
    secrets = range(0, rules.size, 2) if is_of_list else None
    found = Question.of(rules, history, secrets=secrets).before()
    assert [question.history.turns for question in found] == [
        tuple(history[:count]) for count in range(len(history))
    ]
    for question in found:
        assert question.candidates.tolist() == [
            code for code in fitting(rules, question.history) if secrets is None or code in secrets
        ]


@given(histories(), st.data())
def test_split_counts_the_parts(case, data):
    rules, history = case
    left = turns.candidates(rules, history)
    if not len(left):
        return
    guess = data.draw(st.integers(0, rules.size - 1))
    parts = rules.partition(guess, left.tolist())
    found = turns.split(rules, left, guess)
    sizes = [len(part) for part in parts.values()]
    assert found.parts == tuple(zip(parts, sizes, strict=True))
    assert found.is_candidate == (guess in left)
    assert (found.number, found.largest) == (len(parts), max(sizes))
    assert found.expected == pytest.approx(np.average(sizes, weights=sizes))


@given(histories(), st.data())
def test_splits_of_several_guesses_are_those_of_each(case, data):
    rules, history = case
    left = turns.candidates(rules, history)
    if not len(left):
        return
    guesses = data.draw(st.lists(st.integers(0, rules.size - 1)))
    each = [turns.split(rules, left, guess) for guess in guesses]
    assert turns.splits(rules, left, guesses) == each


def test_first_guesses_of_mastermind_split_as_knuth_says():
    rules = Rules.parse("p4c6r")
    left = turns.candidates(rules, ())
    # Knuth, The computer as Master Mind (1976).
    published = {"0000": 625, "0001": 317, "0011": 256, "0012": 276, "0123": 312}
    for text, largest in published.items():
        assert turns.split(rules, left, rules.parse_code(text)).largest == largest, text


def test_game_that_is_too_large_is_refused():
    rules = Rules.parse("p8c7r")
    message = f"{rules.size} codes; games of up to {turns.MAX_CODES}"
    with pytest.raises(GameTooLargeError, match=message):
        turns.candidates(rules, ())
    with pytest.raises(GameTooLargeError, match=message):
        turns.remaining_after(turns.History(rules))
