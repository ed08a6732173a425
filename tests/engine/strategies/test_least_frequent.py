"""Goel and Garg's strategies: their examples, every reading, and a plain count of records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.rules import Rules
from bullscows.shipping.named_trees import strategy_tree
from bullscows.strategies.least_frequent import (
    LEAST_FREQUENT,
    READINGS,
    Reading,
    rarest_symbols,
    symbol_counts,
)
from bullscows.tree.verifier import verify

pytestmark = pytest.mark.large

RULES = Rules.parse("p3c10n")


def numbers(codes: str) -> tuple[int, ...]:
    return tuple(sorted(RULES.parse_code(code) for code in codes.split()))


def guessed(name: str, candidates: str) -> str:
    return RULES.text(LEAST_FREQUENT[name].choose(RULES, numbers(candidates), ((0, 0),) * 3))


@pytest.mark.parametrize("ending", ["", "-met", "-worded", "-place-met-worded"])
def test_rarest_digits_of_the_example(ending: str) -> None:
    """Goel and Garg, 5.3."""
    assert guessed("goel-garg-human" + ending, "098 198 298 398 498 598 698 798") == "012"
    assert guessed("goel-garg-human" + ending, "398 498 598 698 798") == "345"


def test_unique_guess_of_the_example() -> None:
    """Goel and Garg, 5.4; theirs is a candidate, and not the first of all codes that do."""
    example = "243 342 432 425 142 153"
    assert guessed("goel-garg-unique", example) == "243"
    first = LEAST_FREQUENT["goel-garg-unique-worded"].choose(RULES, numbers(example), ())
    assert RULES.separates(first, numbers(example))
    assert not any(RULES.separates(guess, numbers(example)) for guess in range(first))


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("goel-garg-human", (1, 3, 21, 99, 234, 279, 74, 9)),
        ("goel-garg-human-worded", (1, 3, 21, 69, 162, 257, 166, 34, 7)),
        ("goel-garg-human-met-worded", (1, 3, 13, 50, 145, 308, 180, 16, 4)),
        ("goel-garg-human-place", (1, 3, 19, 98, 253, 273, 69, 4)),
        ("goel-garg-unique", (1, 3, 19, 98, 246, 282, 71)),
        ("goel-garg-unique-met-worded", (1, 2, 11, 48, 149, 359, 150)),
    ],
)
def test_three_digits_take_so_many_turns(name: str, turns: tuple[int, ...]) -> None:
    assert strategy_tree(RULES, name).distribution == turns


@pytest.mark.parametrize("name", LEAST_FREQUENT)
@pytest.mark.parametrize("game", ["p2c5n", "p3c2r", "p2c4z", "p3c5z"])
def test_every_reading_finds_every_secret(game: str, name: str) -> None:
    rules = Rules.parse(game)
    assert verify(strategy_tree(rules, name)).secrets == rules.size


@given(st.sets(st.integers(0, RULES.size - 1), min_size=1, max_size=30), st.sampled_from(READINGS))
def test_rarest_symbols_are_those_of_a_plain_count(members: set[int], reading: Reading) -> None:
    candidates = tuple(sorted(members))
    records: dict[tuple[int, int], int] = {}
    for candidate in candidates:
        for place, symbol in enumerate(RULES.code(candidate)):
            record = (symbol, place if reading.records == "place" else 0)
            records[record] = records.get(record, 0) + 1
    ranked = list(records) if reading.ties == "met" else sorted(records)
    ranked.sort(key=lambda record: records[record])
    guess: list[int] = []
    for symbol, _ in ranked:
        if symbol not in guess:
            guess.append(symbol)
    assert RULES.code(rarest_symbols(RULES, candidates, reading)) == tuple(guess[:3])


@given(st.sets(st.integers(0, RULES.size - 1), max_size=30))
def test_chart_counts_symbols_at_places(members: set[int]) -> None:
    candidates = tuple(sorted(members))
    counts = symbol_counts(RULES, candidates)
    assert counts.shape == (3, 10)
    for place in range(3):
        for symbol in range(10):
            held = sum(RULES.code(candidate)[place] == symbol for candidate in candidates)
            assert counts[place, symbol] == held
