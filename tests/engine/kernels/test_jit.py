"""Machine code is never older than its sources, and sees arrays as their fields say."""

import ast
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from threading import Barrier
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from bullscows.game.objective import Weights
from bullscows.game.response_table import ResponseTable
from bullscows.game.rules import Rules
from bullscows.kernels.compiling import object_files
from bullscows.kernels.compiling.jit import kernel, plain_njit
from bullscows.kernels.compiling.object_files import NOTICE, Structure, kernel_sources
from bullscows.kernels.problem import Problem, make_problem
from bullscows.library import solve
from tests import ROOT

pytestmark = pytest.mark.large

ENGINE = ROOT / "engine"


def python(
    options: dict[str, str], *given: str, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *given]
    environment = {**os.environ, **options}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.process
def test_kernels_keep_within_their_arrays(tmp_path: Path) -> None:
    """With numba's checks an index out of bounds is an error; they are too slow for every run."""
    tests = [
        f"tests/engine/{name}.py"
        for name in (
            "kernels/test_kernels",
            "kernels/test_vectors",
            "search/test_solver",
            "strategies/test_codemaker",
        )
    ]
    options = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = python(options, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *tests)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) >= 100


PROCESSORS = {
    "any": {"NUMBA_CPU_NAME": "generic"},
    "any, not optimised": {"NUMBA_CPU_NAME": "generic", "NUMBA_OPT": "0"},
    "without AVX": {"NUMBA_ENABLE_AVX": "0"},
    "with AVX2": {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": "+avx,+avx2,+ssse3,+popcnt"},
}


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the processors are of one family")
@pytest.mark.parametrize("processor", PROCESSORS)
def test_a_search_is_the_same_on_other_processors(processor: str, tmp_path: Path) -> None:
    """The compiler options select other vector code."""
    options = {**PROCESSORS[processor], "NUMBA_CACHE_DIR": str(tmp_path)}
    done = python(options, "-m", "bullscows", "solve", "p4c6r", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    here = solve(ResponseTable.of(Rules.parse("p4c6r")), "average")
    assert answer["value"] == here.value == 5625
    assert answer["nodes"] == here.counters["nodes"]


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    names = {f"{node.module}.{each.name}" for node in found for each in node.names}
    return {
        name if is_module(name) else name.rpartition(".")[0]
        for name in names
        if name.startswith("bullscows.")
    }


def is_module(name: str) -> bool:
    return (ROOT / "engine" / f"{name.replace('.', '/')}.py").exists()


def has_kernels(path: Path) -> bool:
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    decorators = {ast.unparse(each) for function in functions for each in function.decorator_list}
    return bool(decorators & {"kernel", "inlined"})


def test_modules_with_kernels_import_sources_of_the_cache_only():
    sources = {
        ".".join(each.relative_to(ENGINE).with_suffix("").parts) for each in kernel_sources()
    }
    modules = [path for path in ENGINE.rglob("*.py") if has_kernels(path)]
    assert len(modules) >= 12
    for module in modules:
        assert imported(module) <= sources, module


def test_only_the_compiler_uses_inner_parts_of_numba():
    inner = re.compile(r"numba\.(core|np|cpython|_)")
    folders = (ENGINE, ROOT / "app")
    found = [
        path
        for folder in folders
        for path in folder.rglob("*.py")
        if inner.search(path.read_text(encoding="utf-8"))
    ]
    assert [path.name for path in found] == ["compiler.py"]


@pytest.mark.process
def test_sources_are_compiled_once_which_is_reported(tmp_path):
    code = (
        "from bullscows.cli.main import show_notices; show_notices();"
        "import bullscows.kernels.sharing as t, numpy as n; w = n.zeros(2, 'u8');"
        "t.mark_busy(w, n.uint64(1), True)"
    )
    folder = tmp_path / "kept"

    def compiled() -> tuple[str, set[str]]:
        options = {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": "."}
        done = python(options, "-c", code, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stderr, {path.name for path in folder.iterdir()}

    copytree(ROOT / "engine", tmp_path, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__"))
    notice, first = compiled()
    assert (notice, len(first)) == (NOTICE + "\n", 1)
    assert compiled() == ("", first)
    (code_file,) = (path for path in folder.rglob("*") if path.is_file())
    code_file.write_bytes(code_file.read_bytes()[:-100])
    assert compiled() == (NOTICE + "\n", first)  # a damaged file is compiled again
    assert compiled() == ("", first)
    source = tmp_path / "bullscows" / "game" / "objective.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n# another\n", encoding="utf-8")
    notice, second = compiled()
    assert (notice, len(second - first)) == (NOTICE + "\n", 1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pair(Structure):
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


@kernel
def double(number: int) -> int:
    return 2 * number


def test_threads_share_what_one_of_them_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = Mock(wraps=object_files.load)
    together = Barrier(4)
    monkeypatch.setattr(object_files, "load", loaded)

    def run(number: int) -> int:
        together.wait()
        return double(number)

    with ThreadPoolExecutor(4) as threads:
        assert [*threads.map(run, range(4))] == [0, 2, 4, 6]
    loaded.assert_called_once()


def test_machine_code_is_kept_for_each_processor_and_unreadable_files_are_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folders = set()
    for processor in ("skylake", "znver4"):
        monkeypatch.setenv("NUMBA_CPU_NAME", processor)
        folders.add(object_files.cache_folder.__wrapped__())
    assert len(folders) == 2
    assert object_files.read(tmp_path) is None  # it is a folder, as unreadable as others' files
    for name in ("kernels-0123456789abcdef", "kernels-of-others"):
        (unused := tmp_path / name).mkdir()
        os.utime(unused, (0, 0))
    object_files.cache_folder.__wrapped__()
    assert set(tmp_path.iterdir()) == {*folders, unused}, "ours that was unused for a month is gone"


def test_functions_that_make_arrays_need_no_folder_for_their_machine_code() -> None:
    found: dict[str, Callable[[int], int]] = {}
    exec("def double(number): return 2 * number", found)  # of no file, so there is no folder
    assert plain_njit(found["double"])(21) == 42
