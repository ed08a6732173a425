import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows_web.trees.relabelling import MAX_TOKEN, Relabelling
from bullscows_web.web.exceptions import MalformedError
from tests.support.strategies import small_rules

EVERY = [Relabelling.parse(Rules.parse("p2c3n"), token) for token in "0123456789ab"]
BULLS_COWS = Rules.parse("p4c10n")


@st.composite
def relabellings(draw: st.DrawFn) -> Relabelling:
    rules = draw(small_rules())
    return Relabelling.numbered(rules, draw(st.integers(0)))


@given(relabellings())
def test_parse_is_the_inverse_of_token(relabelling: Relabelling):
    assert Relabelling.parse(relabelling.rules, relabelling.token) == relabelling


@given(relabellings(), st.data())
def test_hide_is_the_inverse_of_show_for_codes_texts_and_arrays(
    relabelling: Relabelling, data: st.DataObject
):
    rules = relabelling.rules
    code = data.draw(st.integers(0, rules.size - 1))
    shown = relabelling.show(code)
    assert relabelling.hide(shown) == code
    codes = np.arange(rules.size, dtype=np.int32)
    shown_texts = list(map(relabelling.show_text, codes.tolist()))
    assert list(map(rules.text, relabelling.show_all(codes).tolist())) == shown_texts


@given(relabellings(), st.data())
def test_order_and_letters_are_all_it_takes_to_show_a_code(
    relabelling: Relabelling, data: st.DataObject
):
    """As scripts do offline."""
    code = data.draw(st.integers(0, relabelling.rules.size - 1))
    text = relabelling.rules.text(code)
    shown = [relabelling.letters[int(text[place], 16)] for place in relabelling.order]
    assert "".join(shown) == relabelling.show_text(code)


@given(relabellings(), st.data())
def test_relabelling_changes_no_answer(relabelling: Relabelling, data: st.DataObject):
    codes = st.integers(0, relabelling.rules.size - 1)
    guess = data.draw(codes)
    secret = data.draw(codes)
    respond = relabelling.rules.respond
    assert respond(relabelling.show(guess), relabelling.show(secret)) == respond(guess, secret)


@pytest.mark.parametrize(
    ("game", "tokens", "next_one"),
    [("p3c3r", "0123456789abcdefghijklmnopqrstuvwxyz", "10"), ("p3c4z", "0123456789ab", "c")],
)
def test_tokens_are_the_numbers_in_base_36(game: str, tokens: str, next_one: str):
    rules = Rules.parse(game)
    found = [Relabelling.parse(rules, token) for token in tokens]
    assert len({(item.positions, item.symbols) for item in found}) == len(tokens)
    everything = list(range(rules.size))
    assert all(sorted(map(item.show, everything)) == everything for item in found)
    with pytest.raises(MalformedError):
        Relabelling.parse(rules, next_one)


def test_zero_is_the_identity():
    identity = Relabelling(BULLS_COWS)
    assert identity.token == "0"
    assert all(identity.show(code) == code for code in range(BULLS_COWS.size))


def test_the_largest_game_needs_the_longest_token():
    rules = Rules.parse("p8c16r")
    last = Relabelling.numbered(rules, -1)
    assert len(last.token) == MAX_TOKEN
    assert Relabelling.parse(rules, last.token) == last


@pytest.mark.parametrize(
    "token",
    [
        *("", "00", "01", "K3", "k_3", "-1", "+1", " 1", "1 ", "1\n", "\0", "٣", "１", "ß"),
        *("z" * 12, "1" * 13),
    ],
)
def test_parse_rejects_what_is_no_canonical_token(token: str):
    with pytest.raises(MalformedError):
        Relabelling.parse(BULLS_COWS, token)


@given(st.text(max_size=20))
def test_parse_is_canonical_or_raises(text: str):
    try:
        relabelling = Relabelling.parse(BULLS_COWS, text)
    except MalformedError:
        return
    assert relabelling.token == text


@given(relabellings(), st.data())
def test_some_relabelling_matches_what_one_has_shown(relabelling: Relabelling, data: st.DataObject):
    rules = relabelling.rules
    codes = data.draw(st.lists(st.integers(0, rules.size - 1), max_size=4))
    pairs = [(code, relabelling.show(code)) for code in codes]
    found = Relabelling.matching(rules, pairs)
    assert found is not None
    assert [(code, found.show(code)) for code in codes] == pairs


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=3))
def test_nothing_matches_what_no_relabelling_shows(pairs: list[tuple[int, int]]):
    rules = Rules.parse("p2c3n")
    shown = any(all(one.show(code) == seen for code, seen in pairs) for one in EVERY)
    assert (Relabelling.matching(rules, pairs) is not None) == shown
