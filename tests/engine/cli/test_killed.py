"""Real processes: whenever long work is killed or interrupted, the same command ends the same."""

import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bullscows.cli.options import CLAIM_FAILS, DONE, INTERRUPTED
from bullscows.library import solve
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder, record_digest, tree_path
from tests.engine.cli.test_commands import run, run_json
from tests.engine.strategies.test_jobs import PAPER, states
from tests.support.servers.processes import ending, processor_seconds, start
from tests.support.servers.serving import wait_until

pytestmark = [
    pytest.mark.large,
    pytest.mark.process,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc"),
]


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    with ending():
        yield


class Command:
    """A command in a process of its own."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "bullscows", *words]
        self.process = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Return when a condition holds, or the process has ended."""
        wait_until(lambda: self.process.poll() is not None or condition())

    def work(self, seconds: float) -> None:
        """Return when it has had so much processor time, whatever else the machine does."""
        self.wait_until(lambda: processor_seconds(self.process.pid) >= seconds)

    def end(self, number: signal.Signals | None = None) -> tuple[int, str]:
        """Send a signal, if any; return how the process ends, and what it printed."""
        if number is not None and self.process.poll() is None:
            self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=600)
        assert "Traceback" not in errors, errors
        return self.process.returncode, output


def kill_and_resume(words: tuple[str, ...], kills: int, most: float) -> str:
    """Kill a command at random moments within `most` seconds of processor time; let it end."""
    pick = random.Random(36)
    for _ in range(kills):
        command = Command(*words)
        command.work(pick.uniform(0, most))
        number = pick.choice([signal.SIGKILL, signal.SIGTERM])
        assert command.end(number)[0] in {DONE, INTERRUPTED, -number}
    code, output = Command(*words).end()
    assert code == DONE
    return output


PROOFS = {
    ("p4c10n", "--threads", "2"): 1.1,
    ("p4c10n",): 1.1,
    ("p4c6r", "--objective", "worst,average"): 0.4,
    ("p4c10n", "--guess", "0123", "--threads", "2"): 2.5,
    ("p5c8n", "--threads", "2"): 7.0,
    ("p4c10n", "--objective", "average,last", "--max-turns", "7"): 1.2,
}
"""Searches, and the seconds within which they are killed."""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=[] if number == 0 else pytest.mark.slow)
        for number, words in enumerate(PROOFS)
    ],
    ids=str,
)
def test_killed_search_ends_the_same(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = ("--checkpoint", str(tmp_path / "proof.json"))
    found = json.loads(kill_and_resume(("solve", *words, *file, "--json"), 2, PROOFS[words]))
    undisturbed = run_json("solve", *words)
    for name in ("rules", "value", "levels", "guess", "total", "depth", "distribution", "optimal"):
        assert found[name] == undisturbed[name]


def test_killed_proof_file_ends_the_same(tmp_path: Path) -> None:
    file, whole = (tmp_path / name for name in ("killed.xz", "whole.xz"))
    kill_and_resume(("prove", "p4c7n", "--output", str(file)), 2, 0.9)
    run("prove", "p4c7n", "--output", str(whole))
    assert file.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.iterdir()) == [file, whole]


@pytest.mark.parametrize(
    ("text", "kills", "most"),
    [
        (
            "solve 0123(0,1)+0145(0,2) 7 4 -\nsolve start - - - rules=p4c9n objective=average\n",
            2,
            3.0,
        ),
        pytest.param(PAPER, 10, 5.0, marks=pytest.mark.slow),
    ],
)
def test_killed_jobs_end_with_the_same_states(tmp_path, text, kills, most):
    whole = tmp_path / "whole.txt"
    file = tmp_path / "jobs.txt"
    for one in (whole, file):
        one.write_text(text)
    run("jobs", "run", str(whole))
    kill_and_resume(("jobs", "run", str(file)), kills, most)
    assert states(file) == states(whole)
    assert {state.split()[0] for state in states(file)} == {"done"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_keeps_the_work(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "proof.json"

    def saved() -> dict[str, Any] | None:
        proofs = json.loads(file.read_text())["proofs"] if file.exists() else []
        return dict(proofs[0]) if proofs else None

    command = Command("solve", "p5c8n", "--checkpoint", str(file), "--json")
    command.wait_until(lambda: saved() is not None)
    before = saved()
    code, output = command.end(number)
    kept = saved()
    printed = json.loads(output)
    assert code == INTERRUPTED
    assert before is not None
    assert kept is not None
    assert kept["nodes"] == printed["nodes"] >= before["nodes"]
    assert (kept["lower"], kept["upper"]) == (printed["lower"], printed["upper"])


def test_signal_leaves_a_job_taken_with_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "jobs.txt"
    file.write_text("solve start - - - rules=p5c8n objective=average")
    command = Command("jobs", "run", str(file))
    command.wait_until(lambda: any(tmp_path.glob("jobs.txt.checkpoints/*.json")))
    assert command.end(signal.SIGTERM)[0] == INTERRUPTED
    assert states(file) == ["taken"]
    assert len(list(tmp_path.glob("jobs.txt.checkpoints/*"))) == 1


def test_interrupted_build_leaves_whole_trees(tmp_path: Path) -> None:
    """The finished tree is the shipped file; the other one has at most a work folder."""
    first, second = "avg-mastermind-3x6", "avg-bulls-cows-5-of-7"
    command = Command("build", first, second, "--threads", "1", "--trees", str(tmp_path))
    done = tmp_path / f"{first}.json"
    command.wait_until(lambda: done.exists() and not (tmp_path / f".{first}").exists())
    assert command.end(signal.SIGINT)[0] == INTERRUPTED
    names = {path.name for path in tmp_path.iterdir()}
    assert {done.name} <= names <= {done.name, f".{second}"}
    assert done.read_bytes() == tree_path(first, default_folder()).read_bytes()


def test_recheck_reports_a_false_bound(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    solve("p3c6r", checkpoint=file)
    words = ("solve", "p3c6r", "--checkpoint", str(file), "--recheck", "1000")
    assert run_json(*words)["wrong"] == []
    stated = json.loads(file.read_text())
    entry = next(each for each in stated["proofs"][0]["positions"] if each[1] == each[2])
    entry[1:3] = entry[1] - 1, entry[2] - 1
    file.write_text(json.dumps({**stated, "digest": record_digest(stated)}))
    (wrong,) = run_json(*words, code=CLAIM_FAILS)["wrong"]
    assert wrong["position"] == entry[0]


def test_the_best_tree_of_a_checkpoint_is_written(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    solve("p3c6r", checkpoint=file)
    tree = tmp_path / "grown.json"
    words = ("solve", "p3c6r", "--checkpoint", str(file), "--grow", str(tree))
    row = run_json(*words)
    assert (row["name"], row["total"], row["objective"]) == ("grown", 854, "checkpoint")
    record = read_tree(tree).record
    assert (record.total, record.lower, record.proof) == (854, None, "heuristic")
