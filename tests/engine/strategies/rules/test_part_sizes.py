"""Guesses split in blocks, against the table of answers; and the memory that it takes."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bullscows.game import history as counting
from bullscows.game import responses
from bullscows.game.responses import responses_between
from bullscows.game.rules import Rules
from bullscows.game.symmetry import IndexArray
from bullscows.strategies.rules import part_sizes as module
from bullscows.strategies.rules.part_sizes import sizes_between
from bullscows.strategies.rules.ranking import compare_guess
from tests.support.strategies import small_rules

MEGABYTES = 20


def part_sizes(answers: NDArray[np.uint8], count: int) -> NDArray[np.intp]:
    """Count the answers of each column one by one, and put the sizes in descending order."""
    counts = [np.bincount(column, minlength=count) for column in answers.T]
    return np.sort(np.array(counts), axis=1)[:, ::-1]


def some(data: st.DataObject, rules: Rules) -> IndexArray:
    codes = st.lists(st.integers(0, rules.size - 1), min_size=1, max_size=40, unique=True)
    return np.array(sorted(data.draw(codes)), dtype=np.int32)


@given(small_rules(max_size=300), st.data())
def test_sizes_are_those_of_the_table(rules: Rules, data: st.DataObject) -> None:
    secrets, guesses = some(data, rules), some(data, rules)
    every = np.arange(rules.size, dtype=np.int32)
    for members, asked in ((secrets, guesses), (secrets, every), (every, guesses), (every, every)):
        answers = responses_between(rules, members, asked)
        expected = part_sizes(answers, len(rules.answers))
        assert np.array_equal(sizes_between(rules, members, asked), expected)


@given(small_rules(max_size=300), st.data())
def test_sizes_are_the_same_without_what_is_kept_for_small_games(
    rules: Rules, data: st.DataObject
) -> None:
    secrets, guesses = some(data, rules), some(data, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGEST_KEPT", 0)
        patch.setattr(counting, "_COUNTED", 64)
        patch.setattr(counting, "_GUESSES", 3)
        patch.setattr(responses, "_BLOCK_CELLS", 7)
        found = sizes_between(rules, secrets, guesses)
    assert np.array_equal(found, sizes_between(rules, secrets, guesses))


def test_more_secrets_than_a_byte_counts_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the blocks are, no count within one passes a byte."""
    monkeypatch.setattr(module, "_BLOCK", 1 << 30)
    rules = Rules.parse("p3c9r")
    every = np.arange(rules.size, dtype=np.int32)
    answers = responses_between(rules, every, every)
    expected = part_sizes(answers, len(rules.answers))
    assert expected.max() > 255
    assert np.array_equal(sizes_between(rules, every, every), expected)


@pytest.mark.parametrize("turns", [2, 3])
def test_memory_of_a_comparison_is_bounded(turns: int) -> None:
    """In five of ten digits the answers of about 8000 codes to all guesses would fill 240 MB."""
    rules = Rules.parse("p5c10n")
    sizes_between(rules, *[np.arange(1, dtype=np.int32)] * 2)  # what is kept for the game
    candidates: list[int] = [*range(rules.size)]
    path = []
    for guess in (0, 10_000, 20_000)[:turns]:
        split = rules.partition(guess, candidates)
        answer, candidates = max(split.items(), key=lambda part: len(part[1]))
        path.append((guess, answer))
    tracemalloc.start()
    found = compare_guess(rules, tuple(path), tuple(candidates), candidates[0])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.guesses == rules.size
    assert peak < MEGABYTES << 20
