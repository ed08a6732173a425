"""The base-92 text of trees: exact format, inverse functions, and every kind of damage."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules, Turns
from bullscows.tree import codec
from bullscows.tree.codec import decode, encode
from bullscows.tree.nodes import Candidates
from bullscows.tree.strategy_tree import StrategyTree, special_guess
from bullscows.tree.verifier import verify
from tests.support.strategies import random_trees, small_rules

FOREIGN = "\\ é\0\ud800\U0001f3b2"
"""Characters that are no digits: printed and not, half of a pair, beyond 16 bits."""

# The first stored node of p2c4r is its root; any guess but a repeated one-part split will do.
SMALL = Rules.parse("p2c4r")


def first_splitting(rules: Rules) -> StrategyTree:
    """Return the tree that always guesses its first candidate, where the format lets it."""

    def choose(candidates: tuple[int, ...], _: Turns) -> int:
        implied = special_guess(rules, candidates)
        return candidates[0] if implied is None else implied

    return StrategyTree.grow(rules, choose)


SMALL_TEXT = encode(first_splitting(SMALL))


@pytest.mark.parametrize(
    ("number", "text"), [(0, "##"), (91, "#\x7f"), (92, "$#"), (5039, "Yk"), (1295, "1*")]
)
def test_numbers_have_their_published_digits(number: int, text: str) -> None:
    """DESIGN.md, section 3: examples that every implementation of the format shares."""
    assert codec.encode_number(number, 2) == text


@pytest.mark.parametrize(
    ("rules", "digits"), [("p4c10n", 2), ("p1c2r", 2), ("p4c9r", 2), ("p5c7r", 3), ("p5c8r", 3)]
)
def test_digits_per_guess_are_the_fewest_from_two(rules: str, digits: int) -> None:
    assert codec.digits_per_guess(Rules.parse(rules)) == digits


@given(random_trees())
def test_decode_inverts_encode(tree: StrategyTree) -> None:
    text = encode(tree)
    assert decode(tree.rules, text) == tree
    stored = [node for node in tree.nodes if special_guess(tree.rules, node.candidates) is None]
    assert codec.stored_nodes(tree.rules, text) == len(stored)


@given(small_rules(max_size=60), st.text(st.sampled_from(codec.DIGITS + FOREIGN), max_size=40))
def test_any_text_is_a_canonical_tree_or_an_error(rules: Rules, text: str) -> None:
    try:
        tree = decode(rules, text)
    except codec.CodecError as error:
        place = error.position
    else:
        place = len(encode(tree))
        assert encode(tree) == text
        assert verify(tree).ok
    assert 0 <= place <= len(text)
    assert codec.BASE == len(codec.DIGITS) == 92
    assert "\\" not in codec.DIGITS


def node_by_node(rules: Rules, text: str) -> StrategyTree:
    """Decode one node after the other, as the format is documented."""
    digits = codec.digits_per_guess(rules)
    place = 0

    def choose(candidates: Candidates, _: Turns) -> int:
        nonlocal place
        implied = special_guess(rules, candidates)
        if implied is not None:
            return implied
        number = 0
        for at in range(place, place + digits):
            if at == len(text):
                raise codec.TruncatedError("", at)
            if text[at] not in codec.DIGITS:
                raise codec.CharacterError("", at)
            number = number * codec.BASE + codec.DIGITS.index(text[at])
        if number >= rules.size:
            raise codec.NumberError("", place)
        if len(rules.partition(number, candidates)) == 1:
            raise codec.SplitError("", place)
        place += digits
        return number

    tree = StrategyTree.grow(rules, choose)
    if place < len(text):
        raise codec.TrailingError("", place)
    return tree


def outcome(read: Callable[[Rules, str], StrategyTree], rules: Rules, text: str) -> object:
    try:
        return read(rules, text)
    except codec.CodecError as error:
        return type(error), error.position


@given(random_trees(), st.data())
def test_a_turn_at_a_time_is_read_as_node_by_node(tree: StrategyTree, data: st.DataObject) -> None:
    """Whole, cut short, longer, or with other characters in some places: tree or first error."""
    text = list(encode(tree))
    characters = st.sampled_from(codec.DIGITS[:4] + codec.DIGITS + FOREIGN)
    for place in data.draw(st.lists(st.integers(0, max(len(text) - 1, 0)), max_size=3)):
        text[place : place + 1] = data.draw(characters)
    end = data.draw(st.none() | st.integers(0, len(text)))
    changed = "".join(text[:end]) + data.draw(st.text(characters, max_size=1))
    assert outcome(decode, tree.rules, changed) == outcome(node_by_node, tree.rules, changed)


@pytest.mark.parametrize(
    ("rules", "text", "error", "place", "words"),
    [
        ("p2c4r", "#\x80", codec.CharacterError, 1, "invalid base-92"),
        ("p2c4r", "#\u0123", codec.CharacterError, 1, "'\u0123' at 1"),  # \u0023 is #
        ("p2c4r", SMALL_TEXT[:5] + "\x80" + SMALL_TEXT[6:], codec.CharacterError, 5, "at 5"),
        ("p2c4r", "$#", codec.NumberError, 0, "92 at 0 is no code: p2c4r has 16"),
        ("p4c10n", "####", codec.SplitError, 2, "leaves all 360"),  # 0123 again, after 0123 0.0
        ("p2c4r", SMALL_TEXT[:-1], codec.TruncatedError, len(SMALL_TEXT) - 1, "ends at 7"),
        ("p2c4r", SMALL_TEXT + "\n" * 8, codec.TrailingError, len(SMALL_TEXT), "but 8 characters"),
        ("p1c1r", "#", codec.TrailingError, 0, "complete at 0, but 1 characters"),
    ],
)
def test_each_damage_is_named_with_its_place(rules, text, error, place, words):
    with pytest.raises(error, match=words) as caught:
        decode(Rules.parse(rules), text)
    assert caught.value.position == place


@pytest.mark.parametrize(
    ("rules", "choose", "words"),
    [
        ("p1c2n", lambda left: left[-1], "node 0 guesses 1, the format implies 0"),
        ("p2c3n", lambda left: 1 if len(left) == 2 else left[0], "guesses 02, .* implies 12"),
    ],
)
def test_a_special_node_with_another_guess_has_no_text(rules, choose, words):
    tree = StrategyTree.grow(Rules.parse(rules), lambda candidates, _: choose(candidates))
    with pytest.raises(codec.CodecError, match=words):
        encode(tree)
