"""The help used in a game, as text: read back, bounded, and distinct from any other text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import CodeError, Rules
from bullscows_web.guess.help_used import MAX_UNDONE, NO_HELP, PATTERN, HelpUsed

RULES = Rules.parse("p4c10n")

AIDS = st.builds(
    lambda hints, undone, known: HelpUsed(tuple(sorted(hints)), tuple(undone), known),
    st.sets(st.integers(1, 31)),
    st.lists(st.integers(0, RULES.size - 1), unique=True, max_size=MAX_UNDONE),
    st.booleans(),
)


@given(AIDS)
def test_text_is_read_back(help: HelpUsed):
    text = help.text(RULES)
    assert re.fullmatch(PATTERN, text)
    assert HelpUsed.parse(text, RULES.parse_code) == help
    assert len(text) < 500


@pytest.mark.large
@given(st.from_regex(PATTERN, fullmatch=True))
def test_whatever_has_the_form_is_read_or_no_code(text: str):
    try:
        help = HelpUsed.parse(text, RULES.parse_code)
    except CodeError:
        return
    assert HelpUsed.parse(help.text(RULES), RULES.parse_code) == help


def test_nothing_is_no_text():
    assert NO_HELP.text(RULES) == ""
    assert HelpUsed.parse("", RULES.parse_code) == NO_HELP


@pytest.mark.parametrize("text", ["h", "h0", "u", ".k", "h1.", "k.h1", "h1k", "h1.u0123k", "hk"])
def test_other_texts_have_another_form(text: str):
    assert not re.fullmatch(PATTERN, text)


def test_guesses_taken_back_are_bounded_and_listed_once():
    help = NO_HELP.without(*range(200)).without(3)
    assert help.undone == tuple(range(MAX_UNDONE))


@given(AIDS)
def test_who_knows_the_secret_needs_no_other_aid(help: HelpUsed):
    assert help.revealed() == HelpUsed(known=True)
