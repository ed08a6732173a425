"""Freed memory goes back to the system."""

import sys

import numpy as np
import pytest

from bullscows.analysis.memory import MEGABYTE, give_back, resident

pytestmark = pytest.mark.large


@pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library releases memory")
def test_memory_between_arrays_in_use_is_given_back():
    """The limit of a search process is its resident memory: gaps in the heap would count."""
    arrays = [np.ones(8_000) for _ in range(2_000)]  # 64 kB each, smaller than pages of their own
    last = arrays.pop()
    del arrays
    before = resident()
    give_back()
    after = resident()
    assert before is not None
    assert after is not None
    assert before - after > 60 * MEGABYTE
    assert last[0] == 1
