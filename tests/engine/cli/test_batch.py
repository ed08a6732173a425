"""Positions as JSON lines: one line out for each line in, whatever is wrong with it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.game.question import Question
from bullscows.game.timer import Timer
from bullscows.search import solver
from tests.engine.cli.test_commands import run_json
from tests.support.servers.processes import end_group, start

pytestmark = pytest.mark.large

GAME = '{"rules": "p3c4n"}'
BATCH = [sys.executable, "-m", "bullscows", "solve", "--batch"]


def answers(*lines: str, words: tuple[str, ...] = (), code: int = 0) -> list[dict[str, Any]]:
    done = CliRunner().invoke(commands, ["solve", "--batch", *words], input="\n".join(lines))
    assert done.exit_code == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def without_time(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "seconds"}


def test_each_line_is_answered_as_the_command_answers_it() -> None:
    position = {"rules": "p3c6n", "history": "012:0.1 134:0.2", "evaluate": "215,012"}
    capped = {"rules": "p3c4n", "objective": "worst,average", "max_turns": 6, "guess": "012"}
    only = {"rules": "p3c4n", "candidates_only": True, "time_limit": 60}
    found = answers(*(json.dumps(one) for one in (position, capped, only)))
    history = ("--history", position["history"])
    limits = ("--max-turns", "6", "--guess", "012")
    alone = [
        run_json("solve", "p3c6n", *history, "--evaluate", position["evaluate"]),
        run_json("solve", "p3c4n", "--objective", "worst,average", *limits),
        run_json("solve", "p3c4n", "--candidates-only", "--time-limit", "60"),
    ]
    assert [without_time(one) for one in found] == [without_time(one) for one in alone]


def test_the_command_line_says_what_a_line_leaves_out() -> None:
    one, other = answers("{}", '{"objective": "average"}', words=("p3c4n", "--objective", "worst"))
    assert (one["rules"], one["objective"]) == ("p3c4n", "worst")
    assert (other["rules"], other["objective"]) == ("p3c4n", "average")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("solve", "invalid JSON"),
        ("[" * 100_000, "invalid JSON"),
        ("[]", "not a JSON object"),
        ("{}", "rules is missing"),
        ('{"rules": 3}', "rules cannot be 3"),
        ('{"rules": "p3c4"}', "p3c4"),
        ('{"rules": "p9c16r"}', "positions must be 1 to 8, not 9"),
        ('{"rules": "p3c4n", "histories": ""}', "unknown key 'histories': the keys are rules"),
        ('{"rules": "p3c4n", "history": [["012", "0.1"]]}', "history cannot be"),
        ('{"rules": "p3c4n", "max_turns": true}', "max_turns cannot be true"),
        ('{"rules": "p3c4n", "max_turns": 100000000}', "100000000"),
        ('{"rules": "p3c4n", "candidates_only": 1}', "candidates_only cannot be 1"),
        ('{"rules": "p3c4n", "time_limit": NaN}', "time_limit cannot be NaN"),
        ('{"rules": "p3c4n", "time_limit": -1}', "time_limit cannot be -1"),
        ('{"rules": "p3c4n", "evaluate": "011"}', "011"),
        ('{"rules": "p3c4n", "evaluate": "012", "candidates_only": true}', "--candidates-only"),
        ('{"rules": "number:16", "evaluate": "7"}', "use --guess"),
        ('{"rules": "p3c6n", "history": "012:3.0 134:3.0"}', "no code of p3c6n fits"),
    ],
)
def test_a_bad_line_says_so_and_spoils_no_other(line: str, reason: str) -> None:
    """Blank lines are passed over."""
    before, error, after = answers("", GAME, line, " \t\r", GAME, "", code=1)
    assert without_time(before) == without_time(after)
    assert {one["turn"] for one in error.pop("corrections", [])} <= {1, 2}
    assert list(error) == ["error"]
    assert reason in error["error"]


def test_a_line_that_is_stopped_by_its_time_limit_ends_the_batch_with_3() -> None:
    stopped = '{"rules": "p4c10n", "time_limit": 0}'
    late, early = answers(stopped, GAME, code=3)
    assert (late["optimal"], early["optimal"]) == (False, True)
    assert late["lower"] is not None
    answers(stopped, "{}", code=1)
    (found,) = answers('{"rules": "p3c4n", "max_turns": 1}', code=1)
    assert found["feasible"] is False


def test_a_search_that_is_interrupted_gives_its_bounds_and_ends_the_batch(monkeypatch):
    stopped = replace(solver.solve(Question.of("p3c6n"), timer=Timer(0.0)), interrupted=True)
    monkeypatch.setattr(solver, "solve", lambda *_, **__: stopped)
    (record,) = answers(GAME, GAME, code=130)
    assert not record["optimal"]
    assert (record["lower"], record["upper"]) == stopped.bounds


@pytest.fixture
def piped() -> Iterator[subprocess.Popen[str]]:
    process = start(BATCH, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    yield process
    end_group(process)


def send(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    return dict(json.loads(process.stdout.readline()))


@pytest.mark.process
def test_a_line_is_answered_before_the_next_is_asked(piped: subprocess.Popen[str]) -> None:
    """Bad lines need no search, which takes seconds to load; Ctrl-C between lines ends all."""
    for word in ("one", "other"):
        send(piped, json.dumps({word: 1}))
        assert word in hear(piped)["error"]
    piped.send_signal(signal.SIGINT)
    assert piped.wait(timeout=60) == 130
    assert piped.stderr is not None
    assert "Traceback" not in piped.stderr.read()


@pytest.mark.process
def test_a_reader_that_has_enough_ends_the_batch_quietly(piped: subprocess.Popen[str]) -> None:
    send(piped, "{}")
    hear(piped)
    assert piped.stdout is not None
    piped.stdout.close()
    send(piped, "{}")
    assert piped.wait(timeout=60) == 141
    assert piped.stderr is not None
    assert piped.stderr.read() == ""
