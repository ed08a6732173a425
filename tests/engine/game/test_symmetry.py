"""Transformations and equivalence classes: the paper's and Francis' figures, and slow twins."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules, respond
from bullscows.game.symmetry import (
    Transformation,
    equivalence_classes,
    place_orders,
    representatives,
)

pytestmark = pytest.mark.large

BULLS_AND_COWS = Rules.parse("p4c10n")
MASTERMIND = Rules.parse("p4c6r")


def all_transformations(rules: Rules) -> Iterator[Transformation]:
    """Yield those that make codes of all codes."""
    codes = set(rules.codes())
    for positions in permutations(range(rules.positions)):
        for symbols in permutations(range(rules.symbols)):
            change = Transformation(positions, symbols)
            if {change.apply(code) for code in codes} == codes:
                yield change


@cache
def all_images(rules: Rules) -> list[list[int]]:
    codes = range(rules.size)
    return [
        [change.apply_to_index(rules, code) for code in codes]
        for change in all_transformations(rules)
    ]


def naive_orbits(
    rules: Rules, history: Sequence[int], answers: Sequence[int] | None
) -> list[list[int]]:
    """Join each code to its images under every transformation that keeps the history."""
    labels = range(len(history)) if answers is None else answers
    turns = sorted(zip(history, labels, strict=True))
    orbit_of: dict[int, set[int]] = {index: {index} for index in range(rules.size)}
    for images in all_images(rules):
        if sorted((images[guess], label) for guess, label in turns) == turns:
            for index, image in enumerate(images):
                orbit_of[index].add(image)
    return sorted({min(orbit): sorted(orbit) for orbit in orbit_of.values()}.values())


SMALL_RULES = st.sampled_from([
    "p1c3n", "p2c4n", "p2c3r", "p3c4n", "p3c3r", "p3c5n",
    "p4c4n", "p1c4z", "p2c4z", "p3c4z", "p3c5z", "p4c4z",
])  # fmt: skip


@pytest.mark.parametrize("text", ["p1c4z", "p2c3z", "p2c5z", "p3c3z", "p3c5z", "p4c4z", "p4c5z"])
def test_pinned_is_all_that_a_forbidden_zero_fixes(text: str):
    rules = Rules.parse(text)
    changes = list(all_transformations(rules))
    assert {change.positions for change in changes} == set(place_orders(rules))
    assert all(change.symbols[0] == change.positions[0] == 0 for change in changes)
    assert len(changes) == factorial(rules.positions - 1) * factorial(rules.symbols - 1)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Rules, list[int], list[int] | None]:
    rules = Rules.parse(draw(SMALL_RULES))
    guesses = draw(st.lists(st.integers(0, rules.size - 1), max_size=3, unique=True))
    answers = st.lists(st.integers(0, 1), min_size=len(guesses), max_size=len(guesses))
    return rules, guesses, draw(st.none() | answers)


@given(histories())
def test_classes_are_the_orbits_of_all_transformations(case):
    rules, guesses, answers = case
    orbits = naive_orbits(rules, guesses, answers)
    classes = equivalence_classes(rules, guesses, answers=answers)
    assert [classes.members(number).tolist() for number in range(len(orbits))] == orbits
    assert classes.sizes.tolist() == [len(orbit) for orbit in orbits]
    assert classes.representatives.tolist() == [orbit[0] for orbit in orbits]
    assert representatives(rules, guesses, answers=answers).tolist() == [
        orbit[0] for orbit in orbits
    ]


@pytest.mark.slow
@pytest.mark.parametrize("first", ["0000", "0001", "0011", "0012", "0123"])
def test_mastermind_classes_are_the_orbits_of_all_transformations(first: str):
    history = [MASTERMIND.parse_code(first)]
    orbits = naive_orbits(MASTERMIND, history, None)
    assert representatives(MASTERMIND, history).tolist() == [orbit[0] for orbit in orbits]


@st.composite
def transformations(draw: st.DrawFn, rules: Rules) -> Transformation:
    positions = draw(st.permutations(range(rules.positions)))
    symbols = draw(st.permutations(range(rules.symbols)))
    return Transformation(tuple(positions), tuple(symbols))


@given(st.data())
def test_transformation_keeps_every_answer(data: st.DataObject):
    rules = data.draw(st.sampled_from([BULLS_AND_COWS, MASTERMIND]))
    change = data.draw(transformations(rules))
    one, other = (rules.code(data.draw(st.integers(0, rules.size - 1))) for _ in range(2))
    assert respond(change.apply(one), change.apply(other)) == respond(one, other)


@given(st.data())
def test_inverse_undoes_a_transformation(data: st.DataObject):
    change = data.draw(transformations(MASTERMIND))
    code = MASTERMIND.code(data.draw(st.integers(0, MASTERMIND.size - 1)))
    assert change.inverse().apply(change.apply(code)) == code
