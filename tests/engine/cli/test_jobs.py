"""The outcomes of ``bullscows jobs run`` and ``estimate``."""

from pathlib import Path

import pytest

from tests.engine.cli.test_commands import run, run_json

pytestmark = pytest.mark.large


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "jobs.txt"


def test_outcomes_have_their_exit_codes(file: Path) -> None:
    small = "solve 0123(0,2) 6 - - rules=p4c6n objective=average\n"
    file.write_text(small)
    value = run_json("jobs", "run", str(file))
    assert (value["done"], value["failed"], value["left"]) == (1, 0, 0)
    assert value["jobs"][0].startswith("done ")
    file.write_text(f"{file.read_text()}solve start - - - rules=p5c9n objective=average\n")
    value = run_json("jobs", "run", str(file), "--time-limit", "0", code=3)
    assert (value["done"], value["failed"], value["left"]) == (1, 0, 1)
    file.write_text("solve start - - - rules=p6c10r objective=average\n")
    assert run("jobs", "run", str(file)).exit_code == 1
    file.write_text("solve nothing\n")
    damaged = run("jobs", "run", str(file))
    assert damaged.exit_code == 2
    assert "line 1" in damaged.stderr
    assert run("jobs", "run", str(file), "--cluster", "nowhere").exit_code == 2


def test_estimate_prints_nodes_and_their_error() -> None:
    """How near they are depends on the time that a search gets before it is split."""
    patient = ("--time-limit", "3600")  # its kernels may have to be compiled
    value = run_json("estimate", "p4c6r", "--upper", "5625", "--draws", "5", *patient)
    assert value["nodes"] > 0
    assert value["nodes_error"] > 0
    options = ("--max-turns", "6", "--objective", "average,last", "--draws", "3", *patient)
    small = run("estimate", "p4c6n", *options)
    assert "proof that no strategy costs less than" in small.stdout


def test_estimate_without_a_draw_exits_3() -> None:
    late = run("estimate", "p4c10n", "--time-limit", "0")
    assert late.exit_code == 3
    assert "raise --time-limit" in late.stderr
