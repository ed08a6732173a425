"""The container image: its searches are compiled for any machine, while it is built."""

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from bullscows.kernels.compiling.object_files import NOTICE
from tests import ROOT
from tests.support.servers.serving import running, searching, wait_until_it_searches

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
"""Names of Docker."""

MACHINE = """
import llvmlite.binding as llvm
from llvmlite.binding.targets import FeatureMap

llvm.get_host_cpu_name = lambda: "{name}"
llvm.get_host_cpu_features = lambda: FeatureMap({features})
"""
"""A module that Python runs at each start: it makes LLVM report another processor."""

BUILDER = {"name": "haswell", "features": {"avx": True, "avx2": True, "bmi2": True}}
RUNNER = {"name": "znver1", "features": {"avx": True, "avx2": True, "sse4a": True}}


def variables(stage: str) -> dict[str, str]:
    """Return the variables that a stage of the Dockerfile sets."""
    (_, _, text) = DOCKERFILE.partition(f" AS {stage}\n")
    lines = re.findall(r"^ENV (.*)$", text.partition("\nFROM ")[0], re.M)
    return dict(word.split("=", 1) for line in lines for word in shlex.split(line))


def environment(folder: Path, machine: Mapping[str, object]) -> dict[str, str]:
    """Return the variables of a container that runs on a machine; its compiled code is here."""
    modules = folder / str(machine["name"])
    modules.mkdir()
    (modules / "sitecustomize.py").write_text(MACHINE.format(**machine), encoding="utf-8")
    paths = os.pathsep.join([str(modules), str(ROOT / "engine"), str(ROOT / "app")])
    given = variables(ARCHITECTURES[platform.machine()])
    return given | {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder / "code")}


def run_commands(kinds: str, given: Mapping[str, str]) -> None:
    """Run the searches of some kinds for which the Dockerfile compiles."""
    commands = re.findall(rf"/bin/bullscows ((?:{kinds}) [^\\\n]*)", DOCKERFILE)
    assert commands
    for command in commands:
        words = [sys.executable, "-m", "bullscows", *shlex.split(command)]
        subprocess.run(words, env=os.environ | given, check=True, capture_output=True)


def compiled(folder: Path) -> set[Path]:
    return {path for path in (folder / "code").rglob("*") if path.is_file()}


@pytest.mark.process
@pytest.mark.skipif(platform.machine() not in ARCHITECTURES, reason="no image for this processor")
@pytest.mark.parametrize("kinds", ["solve", pytest.param("solve|strategy", marks=pytest.mark.slow)])
def test_start_on_another_processor_compiles_nothing(
    kinds: str, tmp_path: Path, small_trees: Path
) -> None:
    """The server needs what `solve` has compiled."""
    run_commands(kinds, environment(tmp_path, BUILDER))
    files = compiled(tmp_path)
    assert files
    container = environment(tmp_path, RUNNER)
    log = tmp_path / "log"
    settings = {f"BULLSCOWS_{name}": text for name, text in searching().items()}
    with running(small_trees, log, **settings, **container) as server:
        wait_until_it_searches(server.address)
    assert compiled(tmp_path) == files
    assert NOTICE not in log.read_text(encoding="utf-8")


def test_image_keeps_the_memory_of_threads_in_one_heap() -> None:
    unit = (ROOT / "docs/operations/bullscows-web.service").read_text(encoding="utf-8")
    assert variables("runtime")["MALLOC_ARENA_MAX"] == "1"
    assert "\nEnvironment=MALLOC_ARENA_MAX=1\n" in unit
