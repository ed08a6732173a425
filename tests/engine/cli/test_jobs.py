"""``bullscows jobs run`` as a process that is interrupted or killed, and its outcomes."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.cli.test_commands import run, run_json
from tests.engine.strategies.test_jobs import PAPER, states
from tests.support.servers.processes import ending, start
from tests.support.servers.serving import wait_until

pytestmark = pytest.mark.large

HYBRID = "solve 0123(0,1)+0145(0,2) 7 4 -"
SMALL = f"{HYBRID}\nsolve start - - - rules=p4c9n objective=average\n"


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    with ending():
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "jobs.txt"


def begin(file: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bullscows", "jobs", "run", str(file), *options]
    return start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def killed(file: Path, moments: int, seed: int, longest: float) -> list[str]:
    """Return the states after `kill -9` at random moments, and a last run that is let be."""
    pick = random.Random(seed)
    for _ in range(moments):
        process = begin(file)
        time.sleep(pick.uniform(0.5, longest))
        process.kill()
        process.communicate()
    process = begin(file)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return states(file)


@pytest.mark.process
@pytest.mark.slow
def test_the_papers_jobs_killed_at_ten_moments_end_with_its_states(file: Path) -> None:
    file.write_text(PAPER)
    assert killed(file, 10, seed=1, longest=5.0) == ["done >=8", "done >=28", "done >=3"]


@pytest.mark.process
def test_jobs_killed_at_two_moments_have_the_same_values(file: Path) -> None:
    whole = file.with_name("whole.txt")
    whole.write_text(SMALL)
    run("jobs", "run", str(whole))
    file.write_text(SMALL)
    assert killed(file, 2, seed=2, longest=4.0) == states(whole)


@pytest.mark.process
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_signal_keeps_the_work_and_exits_130(file: Path, way: signal.Signals) -> None:
    file.write_text("solve start - - - rules=p5c8n objective=average")
    process = begin(file)
    checkpoints = file.with_name("jobs.txt.checkpoints")
    wait_until(lambda: any(checkpoints.glob("*.json")) if checkpoints.exists() else False)
    process.send_signal(way)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert states(file) == ["taken"]
    assert len(list(checkpoints.iterdir())) == 1


def test_outcomes_have_their_exit_codes(file: Path) -> None:
    small = "solve 0123(0,2) 6 - - rules=p4c6n objective=average\n"
    file.write_text(small)
    value = run_json("jobs", "run", str(file))
    assert (value["done"], value["failed"], value["left"]) == (1, 0, 0)
    assert value["jobs"][0].startswith("done ")
    file.write_text(f"{small}solve start - - - rules=p5c9n objective=average\n")
    value = run_json("jobs", "run", str(file), "--time-limit", "1", code=3)
    assert (value["done"], value["failed"], value["left"]) == (1, 0, 1)
    file.write_text("solve start - - - rules=p6c10r objective=average\n")
    assert run("jobs", "run", str(file)).exit_code == 1
    file.write_text("solve nothing\n")
    damaged = run("jobs", "run", str(file))
    assert damaged.exit_code == 2
    assert "line 1" in damaged.stderr
    assert run("jobs", "run", str(file), "--cluster", "nowhere").exit_code == 2


def test_estimate_is_near_the_work_of_a_proof() -> None:
    """The search of Bulls & Cows takes about 11,000 nodes."""
    value = run_json("estimate", "p4c10n", "--upper", "26274", "--draws", "40")
    assert 5_000 < value["nodes"] < 25_000
    assert value["nodes_error"] < value["nodes"]
    again = run_json("estimate", "p4c10n", "--upper", "26274", "--draws", "40")
    assert (value["nodes"], value["nodes_error"]) == (again["nodes"], again["nodes_error"])
    options = ("--max-turns", "6", "--objective", "average,last", "--draws", "3")
    small = run("estimate", "p4c6n", *options)
    assert "proof that no strategy costs less than" in small.stdout


def test_estimate_without_a_draw_exits_3() -> None:
    late = run("estimate", "p5c9n", "--time-limit", "0")
    assert late.exit_code == 3
    assert "raise --time-limit" in late.stderr
