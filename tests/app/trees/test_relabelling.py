import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows_web.trees.relabelling import MAX_TOKEN, Relabelling
from bullscows_web.web.exceptions import MalformedError
from tests.support.strategies import small_rules

BULLS_COWS = Rules.parse("p4c10n")


@st.composite
def relabellings(draw: st.DrawFn) -> Relabelling:
    rules = draw(small_rules())
    return Relabelling.numbered(rules, draw(st.integers(0)))


@given(relabellings())
def test_parse_is_the_inverse_of_token(relabelling: Relabelling):
    assert Relabelling.parse(relabelling.rules, relabelling.token) == relabelling


@given(relabellings())
def test_codes_are_shown_one_by_one_and_in_bulk(relabelling: Relabelling):
    rules = relabelling.rules
    codes = np.arange(rules.size, dtype=np.int32)
    shown = relabelling.transformation.apply_to_all(rules, codes).tolist()
    assert sorted(shown) == codes.tolist()
    assert list(map(relabelling.show, codes.tolist())) == shown


@given(relabellings(), st.data())
def test_order_and_letters_are_all_it_takes_to_show_a_code(
    relabelling: Relabelling, data: st.DataObject
):
    """As scripts do offline."""
    code = data.draw(st.integers(0, relabelling.rules.size - 1))
    text = relabelling.rules.text(code)
    shown = [relabelling.letters[int(text[place], 16)] for place in relabelling.order]
    assert "".join(shown) == relabelling.rules.text(relabelling.show(code))


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
    assert len({item.transformation for item in found}) == len(tokens)
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
