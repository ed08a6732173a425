"""Machine code is never older than any source that it was made of."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from engine.jit import KERNEL_SOURCES

ENGINE = Path(__file__).parent.parent / "engine"


def imported(module: str) -> set[str]:
    tree = ast.parse((ENGINE / f"{module}.py").read_text(encoding="utf-8"))
    names = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    }
    return {name.partition(".")[2] for name in names if name.startswith("engine.")}


def test_every_module_with_kernels_is_a_source():
    modules = {path.stem for path in ENGINE.glob("*.py")}
    assert {name for name in modules if "jit" in imported(name)} <= set(KERNEL_SOURCES)


def test_everything_that_kernels_import_is_a_source():
    kernels = [name for name in KERNEL_SOURCES if "jit" in imported(name)]
    assert set().union(*map(imported, kernels)) <= set(KERNEL_SOURCES)


def test_other_sources_have_other_machine_code(tmp_path):
    def kept() -> set[str]:
        code = "import engine.transposition as t, numpy as n; t.mark_busy(n.zeros(2, 'u8'), 1, 1)"
        environment = dict(os.environ, NUMBA_CACHE_DIR=str(tmp_path / "kept"), PYTHONPATH=".")
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
        return {path.name for path in (tmp_path / "kept").iterdir()}

    copy = tmp_path / "engine"
    copy.mkdir()
    for path in ENGINE.glob("*.py"):
        (copy / path.name).write_bytes(path.read_bytes())
    first = kept()
    assert len(first) == 1
    assert kept() == first
    source = copy / "objective.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n# another\n", encoding="utf-8")
    assert len(kept() - first) == 1
