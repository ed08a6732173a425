"""Guesses split in blocks, against the table of answers; and the memory that it takes."""

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
from tests.support.strategies import small_rules


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
def test_sizes_are_the_same_without_what_is_kept_for_small_games(rules, data):
    secrets, guesses = some(data, rules), some(data, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGEST_KEPT", 0)
        patch.setattr(counting, "_COUNTED", 64)
        patch.setattr(counting, "_GUESSES", 3)
        patch.setattr(responses, "_BLOCK_CELLS", 7)
        found = sizes_between(rules, secrets, guesses)
    assert np.array_equal(found, sizes_between(rules, secrets, guesses))
