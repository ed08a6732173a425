"""Machine code is never older than any source that it was made of."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

from engine.kernels.jit import kernel_sources

ROOT = Path(__file__).parent.parent
SOURCES = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in kernel_sources()}


PLAIN = (
    "fill or gather or sort or sizes or keeps_values or torn or flipped or value_fits or full_slots"
    " or canonical"
)
"""Tests of kernels that use none of the operations that are machine code only."""


def test_kernels_do_the_same_without_the_compiler():
    """Plain Python finds what machine code hides: an index out of bounds, a name not assigned."""
    wraps = "ignore:overflow encountered:RuntimeWarning"  # a hash is meant to
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-W", wraps]
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    done = subprocess.run(
        [*command, "-k", PLAIN, "tests/test_kernels.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) >= 70


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    }
    return {name for name in names if name.startswith("engine.")}


def has_kernels(path: Path) -> bool:
    return "engine.kernels.jit" in imported(path)


def test_every_module_with_kernels_is_a_source():
    modules = [path for path in (ROOT / "engine").rglob("*.py") if has_kernels(path)]
    assert set(modules) <= set(kernel_sources())
    assert len(modules) >= 6


def test_everything_that_kernels_import_is_a_source():
    assert set().union(*map(imported, filter(has_kernels, kernel_sources()))) <= SOURCES


def test_other_sources_have_other_machine_code(tmp_path):
    def kept() -> set[str]:
        code = (
            "import engine.kernels.transposition as t, numpy as n; "
            "t.mark_busy(n.zeros(2, 'u8'), 1, 1)"
        )
        environment = dict(os.environ, NUMBA_CACHE_DIR=str(tmp_path / "kept"), PYTHONPATH=".")
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
        return {path.name for path in (tmp_path / "kept").iterdir()}

    copytree(ROOT / "engine", tmp_path / "engine", ignore=ignore_patterns("__pycache__"))
    first = kept()
    assert len(first) == 1
    assert kept() == first
    source = tmp_path / "engine" / "game" / "objective.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n# another\n", encoding="utf-8")
    assert len(kept() - first) == 1
