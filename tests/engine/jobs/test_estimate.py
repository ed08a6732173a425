"""Estimated cost of a proof: draws whose mean is the whole list, and the command."""

import json
import statistics
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.game.question import Question
from bullscows.jobs import estimate as estimate_module
from bullscows.jobs.estimate import Draw, Estimate, LimitedTask, Proof, Sampler, Work, estimate
from bullscows.jobs.pools import Pool
from bullscows.jobs.store.file import JobsError
from bullscows.search import threads
from bullscows.search.position import Position
from bullscows.search.search import Search
from tests.support.servers.processes import ExecutorPool, run_bullscows

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
    assert sampler.draw(1, 0).total.nodes == search.counters()["nodes"]


def test_task_that_is_too_long_is_split():
    """A search of the whole game takes a second, and is stopped at once."""
    question = Question.parse("p4c9n average -")
    cut, whole = (Sampler(question, plies=0, slice_seconds=slice) for slice in (0.0, 600))
    assert cut.draw(3, 0).total.nodes != whole.draw(3, 0).total.nodes


def test_same_seed_same_draws_whoever_makes_them(pool):
    proofs = [Proof(GAME, OPTIMUM, seed=seed, plies=2) for seed in (5, 5, 6)]
    with ThreadPoolExecutor(2) as executor:
        first, other = (drawn(proof, ExecutorPool(executor, 2), draws=4) for proof in proofs[1:])
    again = drawn(proofs[0], pool, draws=4)
    assert first.work.nodes == again.work.nodes != other.work.nodes
    assert (first.largest, first.draws) == (again.largest, 4)
    assert estimate(proofs[0], pool, seconds=0.0) is None


def test_draws_under_way_when_the_time_is_over_are_left_out(pool, monkeypatch):
    """The second draw ends only after the estimate was returned."""
    now = [0.0]
    end = threading.Event()

    def draw(_: Proof, number: int) -> Draw:
        if number:
            now[0] = 10.0
            end.wait()
        return Draw(number, Work(5, 2), 9, 1.0)

    def die(*_: object) -> Draw:
        raise BrokenProcessPool

    monkeypatch.setattr(Proof, "draw", die)
    with pytest.raises(JobsError, match="out of memory"):
        estimate(Proof(GAME), pool)
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


def ran(*words: str, code: int = 0) -> str:
    given = ["jobs", "estimate", "--nice", "0", *words]
    outcome = CliRunner().invoke(commands, given, env={"COLUMNS": "500"})
    assert outcome.exit_code == code, outcome.output
    return outcome.stdout if code == 0 else outcome.output


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
    done = run_bullscows(*words, "--time-limit", "1", "--json")
    assert (done.returncode, done.stdout) == (3, "")
    assert "no draw had finished after 1 s" in done.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write a game"),
        ("p4c10n last", "last allowed turn"),
        ("p4c10n average 0123:0.1", "is not a last turn"),
        ("p6c10n average", "codes"),
        ("solve 0123(0,1) 7", "depthCount"),
        ("p4c6r average - 0000", "cannot name the next guess"),
    ],
)
def test_refuses_what_is_no_question(text, reason):
    assert reason in ran(text, code=2)
