"""Histories in addresses: read strictly, and none longer than a position has."""

import pytest
from hypothesis import given

from bullscows.game.candidates import MAX_HISTORY
from bullscows.game.history import History, Turns
from bullscows.game.rules import Rules
from bullscows_web.web.errors import MalformedError
from bullscows_web.web.histories import address_text, read_address
from tests.support.strategies import histories

RULES = Rules.parse("p4c10n")


@given(histories())
def test_address_is_read_back(drawn: tuple[Rules, Turns]):
    rules, turns = drawn
    history = History(rules, turns)
    assert read_address(rules, address_text(history)) == history


@pytest.mark.parametrize("text", ["0123", "0123:0.1-4567", "0123 0.1"])
def test_turn_without_its_answer_is_refused(text: str):
    with pytest.raises(MalformedError, match="write guess:answer"):
        read_address(RULES, text)


def test_more_turns_than_a_position_has_are_refused():
    turns = ((RULES.parse_code("0123"), 1),) * (MAX_HISTORY + 1)
    with pytest.raises(MalformedError, match="at most 20"):
        address_text(History(RULES, turns))
    with pytest.raises(MalformedError, match="at most 20"):
        read_address(RULES, "-".join(["0123:0.1"] * (MAX_HISTORY + 1)))
