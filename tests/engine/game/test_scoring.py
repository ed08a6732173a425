"""Scoring: the definition of an answer, and the masks that give the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows.game.scoring import score
from tests.support.strategies import small_rules


@pytest.mark.parametrize(
    ("guess", "secret", "answer"),
    [
        ("0123", "2170", (1, 2)),  # Francis, Introduction
        ("0011", "0101", (2, 2)),
        ("0000", "0011", (2, 0)),
        ("0012", "1100", (0, 3)),
        ("0123", "0123", (4, 0)),
        ("0123", "4455", (0, 0)),
    ],
)
def test_known_answers(guess: str, secret: str, answer: tuple[int, int]) -> None:
    assert score([int(s) for s in guess], [int(s) for s in secret]) == answer


@given(small_rules(), st.data())
def test_masks_agree_with_the_definition(rules: Rules, data: st.DataObject) -> None:
    guess = data.draw(st.integers(0, rules.size - 1))
    secret = data.draw(st.integers(0, rules.size - 1))
    answer = rules.answers[rules.respond(guess, secret)]
    bulls, cows = score(rules.code(guess), rules.code(secret))
    assert answer == (bulls, 0 if rules.bulls_only else cows)
    assert rules.respond(secret, guess) == rules.respond(guess, secret)
