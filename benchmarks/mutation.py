"""Mutation test: print the mutants that the tests of a module do not kill.

cosmic-ray creates the mutants of each module in `MODULES`, and the tests of that module run in a
copy of the project.  A mutant is killed if a test fails or the tests take more than twice the
processor time.  Mutants that differ in annotations only are skipped.  Libraries are imported once,
and each run is a fork of that process.

Fails if less than `SHARE` of the mutants of a module are killed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

MODULES = {
    "engine/bullscows/game/rules.py": "tests/engine/game/test_rules.py",
    "engine/bullscows/tree/codec.py": "tests/engine/tree/test_codec.py",
    "engine/bullscows/tree/verifier.py": "tests/engine/tree/test_verifier.py",
    "app/bullscows_web/trees/position.py": "tests/app/trees/test_position.py",
}
SHARE = 0.95
LIBRARIES = (
    *("fastapi", "starlette.testclient", "numpy", "hypothesis", "pytest", "schemathesis"),
    *("babel.support", "jinja2_fragments", "pydantic_settings", "prometheus_client"),
)
"""Libraries that the tests import, which takes most of their start."""
REDUNDANT = ("RShift", "LShift", "BitOr", "BitAnd", "BitXor", "Pow")
"""Replacements of an addition that are no plausible mistakes, and too easy to kill."""
IMPORTED = "ignore::pytest.PytestAssertRewriteWarning"
QUIET = ["-q", "-x", "-W", IMPORTED, *(f"-pno:{name}" for name in ("cacheprovider", "xdist"))]
MEMORY = 4 << 30
TIMES = 2


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    operator: str
    code: str
    change: str
    """The lines that differ."""


def mutants(code: str) -> Iterator[Mutant]:
    """Yield every mutant of a module that does something else."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    meant = meaning(code)
    for name in sorted(operator_names()):
        operator = get_operator(name)
        is_redundant = name.startswith("core/ReplaceBinaryOperator") and name.endswith(REDUNDANT)
        if is_redundant or operator.arguments():  # these need the names of variables
            continue
        for occurrence in count():
            changed = mutate_code(code, operator(), occurrence)
            if changed is None:
                break
            if meaning(changed) != meant:
                yield Mutant(name, changed, difference(code, changed))


def meaning(code: str) -> str:
    """Return what Python runs of a module: all but annotations."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def difference(code: str, changed: str) -> str:
    """Return the changed lines, with the number of the first."""
    before, after = code.splitlines(), changed.splitlines()
    lines = [*difflib.unified_diff(before, after, n=0, lineterm="")][2:]
    return " ".join(" ".join(line.split()) for line in lines)


def passes(project: Path, tests: str, seconds: float, profile: str = "house") -> tuple[bool, float]:
    """Run tests in a fork of this process; return whether all pass, and the processor time."""
    child = os.fork()
    if child == 0:
        os._exit(_run(project, [tests, "--hypothesis-profile", profile], seconds))
    _, status, used = os.wait4(child, 0)
    return status == 0, used.ru_utime + used.ru_stime


def draw_once() -> None:
    """Make Hypothesis deterministic, without shrinking or storing failures."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("once", derandomize=True, database=None, phases=phases)
    settings.load_profile("once")  # the project's profiles inherit from it


def _run(project: Path, arguments: list[str], seconds: float) -> int:
    """Run tests in this process without output, within a limit of processor time."""
    for limit, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, int(seconds))):
        resource.setrlimit(limit, (most, most))
    os.chdir(project)
    sys.path[:0] = [str(project), *(str(project / root) for root in ("engine", "app"))]
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    import pytest

    return int(pytest.main([*QUIET, *arguments]))


def survives(project: Path, tests: str, seconds: float) -> bool:
    """Try a mutant with few examples, and if it survives that with all."""
    limit = TIMES * seconds + 1
    return passes(project, tests, limit, "quick")[0] and passes(project, tests, limit)[0]


def survey(project: Path, module: str, step: int) -> float:
    """Try all mutants of a module; print the survivors, return the share that was killed."""
    path, tests = project / module, MODULES[module]
    code = path.read_text()
    sys.dont_write_bytecode = False
    is_sound, seconds = passes(project, tests, 600)
    if not is_sound:
        raise SystemExit(f"{tests} fails as it is")
    sys.dont_write_bytecode = True  # two mutants of a second have the same time stamp
    tried, alive = 0, []
    for mutant in list(mutants(code))[::step]:
        path.write_text(mutant.code)
        tried += 1
        if survives(project, tests, seconds):
            alive.append(mutant)
            print(f"  {mutant.operator.removeprefix('core/')}: {mutant.change}", flush=True)
    path.write_text(code)
    share = 1 - len(alive) / tried
    print(f"{module}: {tried - len(alive)} of {tried} killed, {100 * share:.1f} %", flush=True)
    return share


def main() -> None:
    """Try the mutants of the modules that are named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help=", ".join(MODULES))
    parser.add_argument("--every", type=int, default=1, help="only every Nth mutant (1)")
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for name in LIBRARIES:
        importlib.import_module(name)
    draw_once()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        away = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(Path(__file__).parents[1], project, ignore=away)
        modules = options.modules or MODULES
        shares = [survey(project, module, options.every) for module in modules]
    if min(shares) < SHARE:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
