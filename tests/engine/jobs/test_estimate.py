"""Estimated cost of a proof: draws whose mean is the whole list, and the command."""

import json
import os
import select
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from bullscows.cli import jobs as command
from bullscows.cli import options
from bullscows.cli.main import commands
from bullscows.game.question import Question
from bullscows.jobs import estimate as estimate_module
from bullscows.jobs.estimate import Draw, Estimate, LimitedTask, Proof, Sampler, Work, estimate
from bullscows.jobs.pools import Pool, PoolError
from bullscows.search import threads
from bullscows.search.position import Position
from bullscows.search.search import Search
from tests.support.processes import ExecutorPool, end_group, start

GAME = "p4c6r average -"
OPTIMUM = 5625
DRAWS = 200


@pytest.fixture
def pool() -> Iterator[ExecutorPool]:
    with ThreadPoolExecutor(1) as executor:
        yield ExecutorPool(executor, 1)


def drawn(proof: Proof, pool: Pool, **options: Any) -> Estimate:
    found = estimate(proof, pool, **options)
    assert found is not None
    return found


def nodes_of_all(sampler: Sampler, task: LimitedTask) -> float:
    """The nodes of every task that a draw can come to, each counted once."""
    work = sampler.search(task)
    if work is not None:
        return work.nodes
    total = 0.0
    for _, option in sampler.options(task):
        done, parts = sampler.parts(task, option)
        total += done.nodes + sum(nodes_of_all(sampler, part) for _, part in parts)
    return total


@pytest.mark.parametrize(
    ("text", "upper", "plies", "compared"),
    [
        pytest.param(GAME, OPTIMUM, 1, 12, marks=pytest.mark.slow),
        pytest.param(GAME, OPTIMUM, 2, 12, marks=pytest.mark.slow),
        ("p4c5r average -", None, 2, 2),  # of many guesses two are compared
        pytest.param(GAME, OPTIMUM, 2, 2, marks=pytest.mark.slow),
        ("p3c8n average,last 7", None, 2, 12),
    ],
)
def test_mean_of_draws_is_the_sum_over_all_tasks(text, upper, plies, compared, monkeypatch):
    monkeypatch.setattr(estimate_module, "COMPARED", compared)
    sampler = Sampler(Question.parse(text), upper=upper, plies=plies, slice_seconds=600)
    exact = nodes_of_all(sampler, sampler.root)
    found = [sampler.draw(7, number).total.nodes for number in range(DRAWS)]
    error = statistics.stdev(found) / DRAWS**0.5
    assert exact > 0
    assert abs(statistics.fmean(found) - exact) < 4 * error + 1e-9 * exact
    assert error < 0.2 * exact


def test_unsplit_root_is_the_search_itself():
    sampler = Sampler(Question.parse(GAME), upper=OPTIMUM, plies=0, slice_seconds=600)
    search = Search(sampler._tree.table, Question.parse(GAME).weights())
    search.value(Position(tuple(range(1296)), 1, ()), budget=OPTIMUM - 1)
    assert sampler.draw(1, 0).total.nodes == search.counters().nodes


def test_upper_bound_that_is_out_of_reach_costs_next_to_nothing():
    question = Question.parse(GAME)
    known, easy = (Sampler(question, upper=upper) for upper in (OPTIMUM, 4000))
    assert easy.draw(1, 0).total.nodes == 0 < known.draw(1, 0).total.nodes


def test_task_that_is_too_long_is_split():
    sampler = Sampler(Question.parse("p4c8n average -"), slice_seconds=0.0)
    whole = Sampler(Question.parse("p4c8n average -"), slice_seconds=600)
    assert sampler.draw(3, 0).total.nodes != whole.draw(3, 0).total.nodes


def test_same_seed_same_draws(pool):
    proofs = [Proof(GAME, OPTIMUM, seed=seed, plies=2) for seed in (5, 5, 6)]
    first, again, other = (drawn(proof, pool, draws=4) for proof in proofs)
    assert first.work.nodes == again.work.nodes != other.work.nodes
    assert (first.largest, first.draws) == (again.largest, 4)


def test_draws_do_not_depend_on_who_makes_them():
    proof = Proof(GAME, OPTIMUM, seed=5, plies=2)
    with ThreadPoolExecutor(2) as executor:
        both = drawn(proof, ExecutorPool(executor, 2), draws=4)
    with ThreadPoolExecutor(1) as executor:
        one = drawn(proof, ExecutorPool(executor, 1), draws=4)
    assert (both.draws, both.work.nodes) == (4, one.work.nodes)


def test_mean_and_standard_error():
    draws = [Draw(number, Work(nodes, 2 * nodes), 9, 1.0) for number, nodes in enumerate((1, 3, 8))]
    found = Estimate.of(draws)
    assert (found.draws, found.work, found.spent, found.upper) == (3, Work(4, 8), 3.0, 9)
    assert found.error is not None
    assert found.error.nodes == pytest.approx(statistics.stdev((1, 3, 8)) / 3**0.5)
    assert found.largest == pytest.approx(8 / 12)
    assert Estimate.of(draws[:1]).error is None


def test_without_time_there_is_no_estimate(pool):
    assert estimate(Proof(GAME, OPTIMUM), pool, seconds=0.0) is None


def test_draws_under_way_when_the_time_is_over_are_left_out(pool, monkeypatch):
    """The second draw ends only after the estimate was returned."""
    now, end = [0.0], threading.Event()

    def draw(_: Proof, number: int) -> Draw:
        if number:
            now[0] = 10.0
            end.wait()
        return Draw(number, Work(5, 2), 9, 1.0)

    monkeypatch.setattr(threads, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(Proof, "draw", draw)
    try:
        found = drawn(Proof(GAME), pool, seconds=10.0)
    finally:
        end.set()
    assert (found.draws, found.left_out, found.work) == (1, 1, Work(5, 2))


def test_ctrl_c_reports_what_is_known(pool):
    def interrupt(known: Estimate) -> None:
        if known.draws == 3:
            raise KeyboardInterrupt

    found = drawn(Proof(GAME, OPTIMUM), pool, progress=interrupt)
    assert (found.draws, found.is_interrupted) == (3, True)


def test_dead_process_is_an_error(pool, monkeypatch):
    def die(*_: object) -> Draw:
        raise BrokenProcessPool

    monkeypatch.setattr(Proof, "draw", die)
    with pytest.raises(PoolError, match="out of memory"):
        estimate(Proof(GAME), pool)


# -- the command -------------------------------------------------------------------------------


def ran(*words: str, code: int = 0) -> str:
    given = ["jobs", "estimate", "--nice", "0", *words]
    outcome = CliRunner().invoke(commands, given, env={"COLUMNS": "500"})
    assert outcome.exit_code == code, outcome.output
    return outcome.stdout if code == 0 else outcome.output


@pytest.fixture
def in_this_process(pool, monkeypatch):
    """Let the command draw in a thread: workers of its own would load the search again."""
    monkeypatch.setattr(options, "started_pool", lambda *_: nullcontext(pool))


@pytest.mark.process
def test_command_draws_in_processes(pool, monkeypatch, tmp_path):
    """And finds what is found in this one."""
    monkeypatch.setenv("BULLSCOWS_JOBS", str(tmp_path / "jobs.sqlite"))
    words = ("p4c5r average", "--draws", "6", "--upper", "2500", "--seed", "2", "--processes", "2")
    first = json.loads(ran(*words, "--time-limit", "600", "--json"))
    again = drawn(Proof("p4c5r average -", 2500, seed=2), pool, draws=6)
    assert first["nodes"] == pytest.approx(again.work.nodes)
    assert first["nodes"] > 0
    assert (first["draws"], first["upper"], first["interrupted"]) == (6, 2500, False)
    assert first["question"] == "p4c5r average -"
    assert first["nodes_error"] > 0
    assert list(tmp_path.iterdir()) == []  # it needs no store


@pytest.mark.process
def test_command_ends_with_its_time_whatever_is_under_way():
    """A single draw, which may not split its tasks, takes hours here."""
    words = ("jobs", "estimate", "p5c10n average", "--upper", "171749", "--slice", "100000")
    done = subprocess.run(
        [sys.executable, "-m", "bullscows", *words, "--time-limit", "1", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "no draw had finished after 1 s" in done.stderr


def test_draws_that_are_left_out_are_reported():
    found = replace(Estimate.of([Draw(0, Work(5, 2), 9, 1.0)]), left_out=2)
    proof = Proof("p4c6r average -")
    assert command._values(proof, found)["left_out"] == 2
    assert "left out: 2" in command._sentences(proof, found)[-1]
    assert "left out" not in command._sentences(proof, replace(found, left_out=0))[-1]


@pytest.mark.usefixtures("in_this_process")
def test_command_reports_progress(monkeypatch):
    lines: list[str] = []
    monkeypatch.setattr(options, "progress_shown", lambda *_, **__: nullcontext(lines.append))
    ran("p4c5r average", "--draws", "3", "--time-limit", "600")
    assert lines[0] == "the first draw is running"
    assert "from 1 draw, " in lines[1]
    assert "from 3 draws, " in lines[-1]
    assert lines[-1].endswith(" s left")


@pytest.mark.usefixtures("in_this_process")
def test_job_line_and_position_are_questions_too():
    line = "solve 0123(0,2) 6 - 1200 rules=p4c6n objective=average"
    found = json.loads(ran(line, "--draws", "2", "--json"))
    assert (found["question"], found["upper"]) == ("p4c6n average 6 0123:0.2", 1200)
    text = ran("p4c6n average 6 0123:0.2", "--draws", "2")
    assert "proof that no strategy costs less than" in text
    assert "standard error" in text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write a game"),
        ("p4c10x average", "p4c10x"),
        ("p4c10n quick", "quick"),
        ("p4c10n last", "last allowed turn"),
        ("p4c10n average 0123:0.1", "is not a last turn"),
        ("p4c10n average - 0123:9.9", "9.9"),
        ("p6c10n average", "codes"),
        ("solve 0123(0,1) 7", "depthCount"),
        ("p4c10n worst 7", "worst"),
        ("p4c6r average - 0000", "cannot name the next guess"),
    ],
)
def test_refuses_what_is_no_question(text, reason):
    assert reason in ran(text, code=2)


@pytest.mark.process
def test_interrupted_process_prints_the_estimate_shown_in_its_terminal():
    ours, theirs = os.openpty()
    words = ["jobs", "estimate", "p4c6r average", "--time-limit", "600", "--nice", "0", "--json"]
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "300"}
    command = [sys.executable, "-m", "bullscows", *words]
    process = start(command, stdout=subprocess.PIPE, stderr=theirs, env=env)
    try:
        read_until(ours, b"standard error", seconds=300)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
    finally:
        end_group(process)
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 130
    found = json.loads(output)
    assert found["interrupted"]
    assert found["draws"] > 0


def read_until(terminal: int, wanted: bytes, *, seconds: float) -> None:
    """Read what a terminal shows until it shows this."""
    shown, end = b"", time.monotonic() + seconds
    while wanted not in shown:
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 1.0)[0]:
            shown += os.read(terminal, 1 << 16)
