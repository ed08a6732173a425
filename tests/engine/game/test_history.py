"""Turns as a value: read, written, changed, and corrected when they contradict each other."""

import pytest
from hypothesis import given

from bullscows.game.history import History, HistoryError, candidates, corrections
from bullscows.game.notation import read_turns
from bullscows.game.rules import Rules
from bullscows_web.web.frame import address_text
from tests.support.strategies import histories

RULES = Rules.parse("p4c10n")


@given(histories())
def test_text_is_read_back(case):
    history = History(*case)
    assert History(history.rules, read_turns(history.rules, address_text(history))) == history
    assert History.parse(history.rules, str(history)) == history


def test_turns_are_added_taken_away_and_changed():
    history = History.parse(RULES, "0123:0.1 4567:1.1")
    assert str(history.after(RULES.parse_code("8901"), 0)) == "0123:0.1 4567:1.1 8901:0.0"
    assert str(history.without(1)) == "4567:1.1"
    assert str(history.without(2)) == "0123:0.1"
    assert str(history.corrected(1, RULES.parse_answer("2.2"))) == "0123:2.2 4567:1.1"


def test_a_history_of_another_game_is_refused():
    history = History.of("p4c10n", [("0123", "0.1")])
    assert History.of("p4c10n", history) is history
    assert (len(history), history[0], history[:1]) == (1, (0, 1), ((0, 1),))
    with pytest.raises(HistoryError, match="of p4c10n is none of p4c6r"):
        History.of("p4c6r", history)


@given(histories())
def test_every_correction_is_consistent_and_none_is_missing(case):
    history = History(*case)
    rules = history.rules
    found = {(one.turn, one.instead): one for one in corrections(history)}
    for turn in range(1, len(history.turns) + 1):
        for index, answer in enumerate(rules.answers):
            if history.turns[turn - 1][1] == index:
                continue
            left = len(candidates(rules, history.corrected(turn, index).turns))
            one = found.get((turn, answer))
            assert (one.remaining if one else 0) == left
            if one:
                assert one.history == history.corrected(turn, index)
    order = [one.plausibility for one in corrections(history)]
    assert order == sorted(order, reverse=True)
