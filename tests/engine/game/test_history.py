"""Turns as a value: read, written, changed, and mended when they contradict each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.candidates import candidates
from bullscows.game.history import History, HistoryError
from bullscows.game.rules import Rules
from bullscows_web.analyse.history import mends, read_history
from bullscows_web.web.histories import address_text
from tests.support.strategies import small_rules

RULES = Rules.parse("p4c10n")


@st.composite
def histories(draw):
    rules = draw(small_rules())
    turn = st.tuples(st.integers(0, rules.size - 1), st.integers(0, len(rules.answers) - 1))
    return History(rules, tuple(draw(st.lists(turn, max_size=6))))


@given(histories())
def test_text_is_read_back(history):
    assert read_history(history.rules, address_text(history)) == history
    assert History.parse(history.rules, str(history)) == history


@pytest.mark.parametrize(
    "text",
    ["0123:0.1-4567:1.1", "0123:0.1 4567:1.1", " 0123:0.1,\n4567:1.1;", "0123:0.1, 4567:1.1"],
)
def test_separators_are_free(text):
    assert address_text(read_history(RULES, text)) == "0123:0.1-4567:1.1"


def test_turns_are_added_taken_away_and_changed():
    history = History.parse(RULES, "0123:0.1 4567:1.1")
    assert str(history.after(RULES.parse_code("8901"), 0)) == "0123:0.1 4567:1.1 8901:0.0"
    assert str(history.without(1)) == "4567:1.1"
    assert str(history.without(2)) == "0123:0.1"
    assert str(history.mended(1, RULES.parse_answer("2.2"))) == "0123:2.2 4567:1.1"


def test_a_history_of_another_game_is_refused():
    history = History.of("p4c10n", [("0123", "0.1")])
    assert History.of("p4c10n", history) is history
    assert (len(history), history[0], history[:1]) == (1, (0, 1), ((0, 1),))
    with pytest.raises(HistoryError, match="of p4c10n is none of p4c6r"):
        History.of("p4c6r", history)


@given(histories())
def test_every_mend_makes_sense_and_none_is_missing(history):
    rules = history.rules
    found = {(mend.turn, mend.instead): mend for mend in mends(history)}
    for turn in range(1, len(history.turns) + 1):
        for index, answer in enumerate(rules.answers):
            if history.turns[turn - 1][1] == index:
                continue
            left = len(candidates(rules, history.mended(turn, index).turns))
            mend = found.get((turn, answer))
            assert (mend.remaining if mend else 0) == left
            if mend:
                assert mend.history == history.mended(turn, index)


def test_swapped_bulls_and_cows_are_the_likeliest_slip():
    history = read_history(RULES, "0123:2.1-0132:0.3-0213:2.1-1023:1.1")
    found = mends(history)
    assert [mend.plausibility for mend in found] == sorted(
        (mend.plausibility for mend in found), reverse=True
    )
