"""The response table against the definition of an answer."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game import response_table
from bullscows.game.response_table import GameTooLargeError, ResponseTable, responses_between
from bullscows.game.rules import Rules
from tests.support.strategies import small_rules


@given(small_rules(max_size=120))
def test_table_agrees_with_rules(rules: Rules) -> None:
    table = ResponseTable.of(rules)
    for secret, guess in product(range(rules.size), repeat=2):
        assert table.responses[secret, guess] == rules.respond(guess, secret)


@pytest.mark.parametrize("text", ["p8c9r", "p6c16n", "p5c14r"])
def test_table_refuses_games_too_large(text: str) -> None:
    with pytest.raises(GameTooLargeError, match="GB"):
        ResponseTable.of(Rules.parse(text))


def test_rows_larger_than_the_largest_table_are_refused() -> None:
    rules = Rules.parse("p6c10n")
    rows = response_table.MAX_TABLE_BYTES // rules.size
    with pytest.raises(GameTooLargeError, match=rf"{rows + 1} candidates of p6c10n are left.*GB"):
        ResponseTable.of_candidates(rules, np.arange(rows + 1, dtype=np.int32))


def test_wide_masks_agree_with_rules() -> None:
    """Eight positions of eight symbols need all 64 bits; three of sixteen with repeats 48."""
    rules = Rules.parse("p3c16n")
    table = ResponseTable.of(rules)
    picks = np.random.default_rng(1).integers(0, rules.size, (500, 2))
    for secret, guess in picks.tolist():
        assert table.responses[secret, guess] == rules.respond(guess, secret)


def test_any_square_of_answers_makes_a_table() -> None:
    """The game 1xn of Chen, section 4: answers smaller, equal, greater."""
    numbers = np.arange(16)
    answers = 1 + np.sign(numbers[:, None] - numbers)
    table = ResponseTable.from_answers(answers.astype(np.uint8), answers=3, win=1)
    assert table.stride == 64
    assert table.responses[3, 2] == 2
    assert table.responses[2, 3] == 0
    with pytest.raises(ValueError, match="diagonal"):
        ResponseTable.from_answers(np.zeros((3, 3), dtype=np.uint8), answers=2, win=1)


@given(small_rules(max_size=120), st.data())
def test_part_of_a_table_agrees_with_the_whole(rules: Rules, data: st.DataObject) -> None:
    codes = st.lists(st.integers(0, rules.size - 1), min_size=1)
    secrets, guesses = (np.array(data.draw(codes), dtype=np.int32) for _ in range(2))
    whole = ResponseTable.of(rules).responses
    part = responses_between(rules, secrets, guesses)
    assert np.array_equal(part, whole[np.ix_(secrets, guesses)])


@given(small_rules(max_size=120), st.data())
def test_rows_of_candidates_are_those_of_the_whole_table(rules: Rules, data: st.DataObject) -> None:
    codes = st.sets(st.integers(0, rules.size - 1), min_size=1)
    candidates = np.array(sorted(data.draw(codes)), dtype=np.int32)
    whole = ResponseTable.of(rules)
    table = ResponseTable.of_candidates(rules, candidates)
    assert (table.rows, table.size) == (len(candidates), rules.size)
    assert table.codes is not None
    assert sorted(table.codes.tolist()) == list(range(rules.size))
    assert table.codes[: table.rows].tolist() == candidates.tolist()
    assert (np.diff(table.codes[table.rows :]) > 0).all()
    expected = whole.responses[np.ix_(candidates, table.codes)]
    assert (table.responses[:, : table.size] == expected).all()
    assert [table.code(table.number(code)) for code in candidates.tolist()] == candidates.tolist()
