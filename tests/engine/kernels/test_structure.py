"""The arrays of a search are as their fields say, and kernels see them so."""

import ast
import inspect
import re
from dataclasses import dataclass
from typing import get_type_hints

import numpy as np
import pytest
from numpy.typing import NDArray

from bullscows.game.objective import Weights
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.arrays import workspace as ws
from bullscows.kernels.arrays.problem import Problem, make_problem
from bullscows.kernels.arrays.workspace import Workspace, make_tables, make_workspace
from bullscows.kernels.compiling.jit import kernel
from bullscows.kernels.compiling.structure import Structure
from bullscows.kernels.thresholds import BEHIND, NOBODY, ROW

SHAPE = re.compile(r"^\((.*)\):", re.DOTALL)
BITS = 6


def made(rules: str) -> tuple[Problem, Workspace]:
    problem = make_problem(ResponseTable.of(Rules.parse(rules)), Weights.of(range(1, 8)), 0)
    busy = np.zeros(ws.BUSY_SLOTS, dtype=np.uint64)
    signal = np.zeros(8, dtype=np.int64)
    return problem, make_workspace(problem, make_tables(BITS), signal, busy)


def described(kind: type[Structure]) -> dict[str, str]:
    """Return what stands below each field."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(body, ast.ClassDef)
    texts: dict[str, str] = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            texts[field.target.id] = str(ast.literal_eval(text.value)) if is_text else ""  # type: ignore[attr-defined]
    return texts


@pytest.mark.parametrize("rules", ["p2c3r", "p3c5n", "p4c6r"])
def test_arrays_have_the_shapes_and_types_that_are_documented(rules: str) -> None:
    problem, work = made(rules)
    numbers = {name: getattr(problem, name) for name in ("size", "stride", "answers", "sizes")}
    numbers |= {"positions": problem.positions, "symbols": problem.symbols, "bits": BITS}
    words = [
        *("STAB_TURNS", "COUNTED", "BUSY_SLOTS", "LOG_ROW", "LANES", "NEAR", "PARTS", "BLOCK"),
        *("MAX_ANSWERS", "BEHIND", "KEPT", "KEPT_ROW"),
    ]
    numbers |= {name: getattr(ws, name) for name in words}
    numbers["rows"] = 7 + 1 + 3 + 1  # turns, the unused 0, spare rows, parts of the last turn
    numbers["LOG_ROWS"] = 0  # without a checkpoint nothing is logged
    numbers["local"] = min(problem.size, ws.LOCAL_SIZE)
    numbers["kept"] = min(problem.size, ws.KEPT)
    numbers["kinds"] = len(problem.answer_caps) // problem.answers
    numbers["orders"] = len(problem.permutations) // problem.positions
    seen = 0
    for structure in (problem, work):
        texts, hints = described(type(structure)), get_type_hints(type(structure))
        for name, array in structure.arrays().items():
            shape = SHAPE.match(texts[name])
            assert shape, name
            expected = eval(f"({shape[1]})", {"max": max, "len": len}, numbers)
            assert array.shape == expected, name
            assert hints[name] == NDArray[array.dtype.type], name  # type: ignore[name-defined]
            seen += 1
    assert seen == 15 + 31


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
    problem, _ = made("p2c3r")
    fields = {name: getattr(problem, name) for name in Problem.names()}
    fields["weights"] = problem.weights[::2]
    with pytest.raises(TypeError, match="make weights contiguous"):
        Problem(**fields)


def test_rows_of_answers_hold_what_is_written() -> None:
    """Sizes are bytes, and behind a row there is one for each answer; vectors are 64 bytes long."""
    assert min(ROW, NOBODY) >= ws.LOCAL_SIZE
    assert ROW % 64 == 0
    assert ws.MAX_ANSWERS <= ws.KEPT_ROW - ROW
    assert BEHIND >= 64
