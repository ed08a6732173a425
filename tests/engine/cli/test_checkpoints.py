"""Real processes: whenever a search with a checkpoint is killed, the next one ends the same."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bullscows.cli.options import CLAIM_FAILS, DONE, INTERRUPTED
from bullscows.library import solve
from bullscows.tree.storage import default_folder, record_digest, tree_path
from tests.engine.cli.test_commands import run, run_json
from tests.support.servers.processes import ending, start
from tests.support.servers.serving import wait_until

pytestmark = [
    pytest.mark.large,
    pytest.mark.process,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc"),
]

TICKS = 100
"""Processor time in /proc is counted in hundredths of a second."""


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    with ending():
        yield


class Proof:
    """``bullscows solve`` with a checkpoint, in a process of its own."""

    def __init__(self, file: Path, *words: str) -> None:
        self.file = file
        command = [sys.executable, "-m", "bullscows", "solve", *words, "--checkpoint", str(file)]
        self.process = start([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for_processor_time(self, seconds: float) -> None:
        """Wait until the process has had so much, whatever else the machine does, or has ended."""
        while self.process.poll() is None:
            try:
                stat = Path(f"/proc/{self.process.pid}/stat").read_text()
            except OSError:
                return
            user, system = stat.rpartition(")")[2].split()[11:13]
            if int(user) + int(system) >= TICKS * seconds:
                return
            time.sleep(0.01)

    def wait_for_a_save(self) -> dict[str, Any]:
        """Wait until the file has bounds; return what it says of them."""
        while self.process.poll() is None:
            if self.file.exists() and (proofs := json.loads(self.file.read_text())["proofs"]):
                return dict(proofs[0])
            time.sleep(0.01)
        raise AssertionError("the search ended without a save")

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return how the process ends, and what it printed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        output, errors = self.process.communicate(timeout=300)
        assert "Traceback" not in errors, errors
        return self.process.returncode, output


def record(text: str) -> dict[str, Any]:
    """Return the proved fields, without those that depend on the run."""
    names = ("rules", "value", "levels", "guess", "total", "depth", "distribution", "optimal")
    stated = json.loads(text)
    return {name: stated[name] for name in names}


def undisturbed(*words: str) -> dict[str, Any]:
    return record(run("solve", *words, "--json").stdout)


def kill_and_resume(
    file: Path, words: tuple[str, ...], kills: int, most: float, pick: random.Random
) -> None:
    """Kill a proof at random moments within `most` seconds of processor time; resume; compare."""
    for _ in range(kills):
        proof = Proof(file, *words)
        proof.wait_for_processor_time(pick.uniform(0, most))
        number = pick.choice([signal.SIGKILL, signal.SIGTERM])
        code, _ = proof.end(number)
        assert code in {DONE, INTERRUPTED, -number}
        assert file.exists() or code != INTERRUPTED
    code, output = Proof(file, *words).wait()
    assert code == DONE
    assert record(output) == undisturbed(*words)


def test_killed_search_ends_the_same(tmp_path: Path) -> None:
    kill_and_resume(
        tmp_path / "proof.json", ("p4c10n", "--threads", "2"), 2, 1.1, random.Random(36)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "most"),
    [
        (("p4c10n",), 1.1),
        (("p4c6r", "--objective", "worst,average"), 0.4),
        (("p4c10n", "--guess", "0123", "--threads", "2"), 2.5),
        (("p5c8n", "--threads", "2"), 7.0),
        (("p4c10n", "--objective", "average,last", "--max-turns", "7"), 1.2),
    ],
    ids=str,
)
def test_search_killed_again_and_again_ends_the_same(tmp_path, words, most):
    kill_and_resume(tmp_path / "proof.json", words, 4, most, random.Random(36))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_keeps_the_work(tmp_path: Path, number: signal.Signals) -> None:
    proof = Proof(tmp_path / "proof.json", "p5c8n")
    before = proof.wait_for_a_save()
    code, output = proof.end(number)
    kept = json.loads(proof.file.read_text())["proofs"][0]
    assert code == INTERRUPTED
    assert kept["nodes"] == json.loads(output)["nodes"] >= before["nodes"]
    assert [kept["lower"], kept["upper"]] == [
        json.loads(output)[name] for name in ("lower", "upper")
    ]


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


def test_interrupted_build_leaves_whole_trees(tmp_path: Path) -> None:
    """The finished tree is the shipped file; the other one has at most a work folder."""
    first, second = "avg-mastermind-3x6", "avg-bulls-cows-5-of-7"
    words = ["build", first, second, "--threads", "1", "--trees", str(tmp_path)]
    command = [sys.executable, "-m", "bullscows", *words]
    process = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until((tmp_path / f"{first}.json").exists)
    wait_until(lambda: not (tmp_path / f".{first}").exists())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    names = {path.name for path in tmp_path.iterdir()}
    assert {f"{first}.json"} <= names <= {f"{first}.json", f".{second}"}
    shipped = tree_path(first, default_folder()).read_bytes()
    assert (tmp_path / f"{first}.json").read_bytes() == shipped
