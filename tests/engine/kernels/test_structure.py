"""The arrays of a search are as their fields say, and kernels see them so."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from bullscows.game.objective import Weights
from bullscows.game.responses import ResponseTable
from bullscows.kernels.arrays.problem import Problem, make_problem
from bullscows.kernels.compiling.jit import kernel
from bullscows.kernels.compiling.structure import Structure


@dataclass(frozen=True, eq=False, kw_only=True)
class Pair(Structure):
    """Two arrays and two numbers."""

    number: int
    table: NDArray[np.uint8]
    truth: bool
    row: NDArray[np.int64]


@kernel
def read_back(pair: Pair, at: int) -> tuple[int, int, int, bool]:
    pair.row[at] += 1
    return pair.table[1, at], pair.table.shape[0], pair.number, pair.truth


@pytest.mark.parametrize("truth", [True, False])
def test_kernels_read_and_write_the_arrays_themselves(truth: bool) -> None:
    table = np.arange(12, dtype=np.uint8).reshape(3, 4)
    pair = Pair(number=-7, table=table, truth=truth, row=np.zeros(4, dtype=np.int64))
    assert read_back(pair, 2) == (6, 3, -7, truth)
    table[1, 2] = 200
    assert read_back(pair, 2) == (200, 3, -7, truth)
    assert pair.row.tolist() == [0, 0, 2, 0]


def test_arrays_that_are_not_whole_are_refused() -> None:
    problem = make_problem(ResponseTable.of("p2c3r"), Weights.of(range(1, 8)), 0)
    fields = {name: getattr(problem, name) for name in Problem.names()}
    fields["weights"] = problem.weights[::2]
    with pytest.raises(TypeError, match="make weights contiguous"):
        Problem(**fields)
