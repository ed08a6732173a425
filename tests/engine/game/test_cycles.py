"""Cycle diagrams of two guesses: Francis' table, and the classes of symmetry by another way."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.cycles import cycles_of, diagram
from bullscows.game.rules import CodeError, Rules, RulesError
from bullscows.game.symmetry import equivalence_classes

BULLS_AND_COWS = Rules.parse("p4c10n")

codes = st.integers(0, BULLS_AND_COWS.size - 1)


@pytest.mark.parametrize("game", ["p3c7n", "p4c10n", "p5c5n", "p5c7n"])
def test_guesses_are_equal_just_if_their_cycles_are(game: str) -> None:
    labels = equivalence_classes(game, [0]).labels.tolist()
    by_diagram = defaultdict(set)
    for guess, label in enumerate(labels):
        by_diagram[diagram(cycles_of(game, 0, guess))].add(label)
    assert all(len(found) == 1 for found in by_diagram.values())
    assert len(by_diagram) == len(set(labels))


@given(codes, codes)
def test_cycles_say_where_each_place_takes_its_symbol(first: int, second: int) -> None:
    before = BULLS_AND_COWS.code(first)
    after = BULLS_AND_COWS.code(second)
    found = cycles_of(BULLS_AND_COWS, first, second)
    assert sorted(place for cycle in found for place in cycle.places) == [0, 1, 2, 3]
    for cycle in found:
        for place, source in zip(cycle.places, cycle.places[1:], strict=False):
            assert after[place] == before[source]
        end = after[cycle.places[-1]]
        assert end not in before if cycle.is_open else end == before[cycle.places[0]]


def test_where_symbols_repeat_there_are_no_cycles() -> None:
    with pytest.raises(RulesError, match="p4c6r"):
        cycles_of("p4c6r", "0123", "0011")
    with pytest.raises(CodeError, match="01234"):
        cycles_of("p4c10n", "0123", "01234")
