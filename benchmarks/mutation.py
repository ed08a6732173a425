"""Change the code beside its tests, one operator or number at a time, and print what they miss.

Each mutant of a module (`MODULES`) is made by cosmic-ray and tried by the tests of that module
alone, in a copy of the house.  A mutant is killed if one of them fails, or if they take more than
twice the processor time.  What differs in annotations only is no mutant: nothing reads them.
Libraries are imported once, and each try is a fork of that process.

The last figure is the share of the mutants that were killed; `docs/research.md` says why the
others can't be.  Fails if less than `SHARE` of a module's are.
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
"""What tests import that is not the house: the slow part of their start."""
REDUNDANT = ("RShift", "LShift", "BitOr", "BitAnd", "BitXor", "Pow")
"""Operators that stand for no plausible slip where numbers are added; they would only flatter."""
IMPORTED = "ignore::pytest.PytestAssertRewriteWarning"
QUIET = ["-q", "-x", "-W", IMPORTED, *(f"-pno:{name}" for name in ("cacheprovider", "xdist"))]
MEMORY = 4 << 30
TIMES = 2


@dataclass(frozen=True)
class Mutant:
    """A module with one thing changed."""

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
        if is_redundant or operator.arguments():  # such want to be told which variables
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


def passes(house: Path, tests: str, seconds: float, profile: str = "house") -> tuple[bool, float]:
    """Run tests in a fork of this process; return whether all pass, and the processor time."""
    child = os.fork()
    if child == 0:
        os._exit(_run(house, [tests, "--hypothesis-profile", profile], seconds))
    _, status, used = os.wait4(child, 0)
    return status == 0, used.ru_utime + used.ru_stime


def draw_once() -> None:
    """Have Hypothesis draw what it always draws, and make no failure smaller or keep it."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("once", derandomize=True, database=None, phases=phases)
    settings.load_profile("once")  # the house's profiles build on it


def _run(house: Path, arguments: list[str], seconds: float) -> int:
    """Run tests in this process, silently, for at most so many seconds of the processor."""
    for limit, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, int(seconds))):
        resource.setrlimit(limit, (most, most))
    os.chdir(house)
    sys.path[:0] = [str(house), *(str(house / root) for root in ("engine", "app"))]
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    import pytest

    return int(pytest.main([*QUIET, *arguments]))


def survives(house: Path, tests: str, seconds: float) -> bool:
    """Try a mutant with few examples, and if it survives that with all."""
    limit = TIMES * seconds + 1
    return passes(house, tests, limit, "quick")[0] and passes(house, tests, limit)[0]


def survey(house: Path, module: str, step: int) -> float:
    """Try all mutants of a module; print the survivors, return the share that was killed."""
    path, tests = house / module, MODULES[module]
    code = path.read_text()
    sys.dont_write_bytecode = False
    is_sound, seconds = passes(house, tests, 600)
    if not is_sound:
        raise SystemExit(f"{tests} fails as it is")
    sys.dont_write_bytecode = True  # two mutants of a second have the same time stamp
    tried, alive = 0, []
    for mutant in list(mutants(code))[::step]:
        path.write_text(mutant.code)
        tried += 1
        if survives(house, tests, seconds):
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
    parser.add_argument("--every", type=int, default=1, help="each so many-th mutant (1: all)")
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for name in LIBRARIES:
        importlib.import_module(name)
    draw_once()
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder) / "house"
        away = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(Path(__file__).parents[1], house, ignore=away)
        modules = options.modules or MODULES
        shares = [survey(house, module, options.every) for module in modules]
    if min(shares) < SHARE:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
