"""Bounds by size against counting one secret at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullscows.game.objective import INFINITE
from bullscows.kernels.bounds import cheapest, size_bounds
from tests.support.naive import naive_fill

weight_lists = st.lists(st.integers(0, 9), min_size=1, max_size=8).map(sorted)


@given(st.integers(0, 60), weight_lists, st.integers(1, 5), st.integers(1, 8))
def test_cheapest_places_one_by_one(count, weights, fan_out, turn):
    long = [*weights, *[weights[-1]] * 70]
    assert cheapest(count, weights, fan_out, turn) == naive_fill(count, 1, turn, fan_out, long)


@given(weight_lists, st.integers(1, 5), st.integers(1, 40))
def test_table_agrees_with_the_slow_twin(weights, fan_out, sizes):
    padded = np.array([0, *weights, INFINITE])
    table = size_bounds(padded, fan_out, sizes)
    for turn in range(1, len(weights) + 1):
        expected = naive_fill(sizes, 1, turn, fan_out, weights)
        assert table[turn, fan_out, sizes] == (INFINITE if expected is None else expected)


def test_bulls_and_cows_naive_bound():
    assert cheapest(5040, range(1, 8), 13) == 22622


@pytest.mark.parametrize("count", [1, 2, 5, 30])
def test_one_secret_a_turn_without_fan_out(count):
    assert cheapest(count, range(1, 40), 1) == count * (count + 1) // 2
