"""Jobs: lines as text, questions and their keys, plans, and runs on executors in this process."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows.game.objective import INFINITE, Bounds
from bullscows.game.question import Question
from bullscows.game.responses import ResponseTable
from bullscows.game.rules import Rules
from bullscows.jobs import coordinator as jobs_module
from bullscows.jobs.coordinator import RunProgress, optimal_trees, run
from bullscows.jobs.plan import Plan
from bullscows.jobs.pools import ClusterPool
from bullscows.jobs.store.file import JobsError
from bullscows.jobs.store.lines import JobLineError, Line, parse_lines, state_of
from bullscows.jobs.store.store import DONE, FAILED, Store, Task
from bullscows.jobs.worker import Order, mapped_tables, path_of, perform
from bullscows.library import solve
from bullscows.search.position import Position
from bullscows.search.search import Search
from tests.support.known import known_total
from tests.support.servers.processes import ExecutorPool

PAPER = """\
solve 0123(0,1)+0145(0,1) 7 4 8 #
solve 0123(0,1)+0134(0,1) 7 4 28 #
solve 0123(0,2)+1234(0,1)+4532(0,1) 7 5 3 #
"""
SMALL = "p4c6n average,last 6"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "jobs.sqlite") as opened:
        yield opened


@pytest.fixture
def pool() -> Iterator[ExecutorPool]:
    with ThreadPoolExecutor(2) as executor:
        yield ExecutorPool(executor, 2)


def plain_guesses(question: Question) -> list[int]:
    table = ResponseTable.of(question.rules)
    tree = solve(
        table, question.objective, history=question.history, max_turns=question.max_turns
    ).tree()
    return [node.guess for node in tree.nodes]


def test_reads_and_writes_the_papers_file():
    others = [
        "solve start 5 - - rules=p4c6r objective=average,last # whole game",
        "solve 0012(1,1) - - - rules=p4c6r objective=average #",
    ]
    assert [Line.parse(text).text() for text in others] == others
    lines = list(parse_lines(PAPER.splitlines()))
    assert [line.text() for line in lines] == PAPER.splitlines()
    assert [line.beta for line in lines] == [8, 28, 3]
    assert [line.question.mde for line in lines] == [4, 4, None]
    assert str(lines[0].question) == "p4c10n last 7 mde=4 0123:0.1 0145:0.1"
    assert all(Question.parse(str(line.question)) == line.question for line in lines)
    assert str(lines[2].question) == "p4c10n last 7 0123:0.2 1234:0.1 4532:0.1"


def test_hybrids_cost_what_the_paper_says_and_are_kept_apart_from_exact_values(store, pool):
    # The paper, 5.1.2 and 5.2.2: crush3, exact and avg3 after 0012 1.1.
    game = "rules=p4c6r objective"
    texts = (f"2 - {game}=last", f"- - {game}=last", f"2 - {game}=average")
    lines = [Line.parse(f"solve 0012(1,1) 5 {text}") for text in texts]
    run([Plan(line.question, budget=line.budget, plies=0) for line in lines], store, pool)
    found = [store.get(line.question.key) for line in lines]
    assert [row.lower if row and row.exact else None for row in found] == [128, 121, 1034]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("slove 0123(0,1) 7 4 8", "the first word is solve"),
        ("solve 0123(0,1) 7 4", "turns, depthCount, mde and beta"),
        ("solve 0123[0,1] 7 4 8", "no turn such as"),
        ("solve 0123(3,1) 7 4 8", "impossible answer 3.1"),
        ("solve 0122(0,1) 7 4 8", "may not repeat"),
        ("solve 0123(0,1) 7 4 -8", "no number from 0 on"),
        ("solve 0123(0,1) seven 4 8", "seven"),
        ("solve 0123(0,1) - 4 8", "needs a last allowed turn"),
        ("solve 0123(0,1) 7 4 8 depth=3", "rules=... and objective=..."),
        ("solve start 7 - - objective=worst", "worst is no sum"),
        ("solve 0123(0,1) 7 ٤ 8", "no number from 0 on"),
        ("solve 0123(0,1) 7 4 999999999999999999", "too large"),
        ("solve 0123(0,1) 7 4 8 # \x1b[31m", "control characters"),
        ("solve 0123(0,1) 7 4 8 # \udcff", "control characters"),
        ("done", "after done comes the value"),
    ],
)
def test_rejects_other_lines(text, what):
    with pytest.raises(JobLineError, match="line 2") as caught:
        list(parse_lines(["# a comment", text]))
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("row", "state"),
    [
        (None, "solve"),
        (Task("key", "question", 7, 9), "solve"),
        (Task("key", "question", 7, 9, DONE, 6, 6), "done 6"),
        (Task("key", "question", 7, 9, DONE, 9, 9), "done >=8"),
        (Task("key", "question", 7, 9, DONE, 8, None), "done >=8"),
        (Task("key", "question", 7, 9, DONE, sliced=True), "taken"),
        (Task("key", "question", 7, 9, FAILED), "failed"),
        (Task("key", "question", 7, 9, DONE, INFINITE, INFINITE), "done impossible"),
        (Task("key", "question", 7, 9, DONE, INFINITE, None), "done impossible"),
    ],
)
def test_state_says_value_or_bound(row, state):
    line = Line.parse("solve 0123(0,1)+0145(0,1) 7 4 8 #")
    assert state_of(line, row) == state
    if state != "solve":  # it may stand before the line
        assert str(Line.parse(line.text(state))) == str(line)


def test_equal_positions_have_one_key():
    question = Question.parse("p4c10n last 7 0123:0.1 0145:0.2")
    same = [
        "p4c10n last 7 0145:0.2 0123:0.1",
        "p4c10n last 7 9876:0.1 9854:0.2",
        "p4c10n last 7 1032:0.1 1054:0.2",
        "p4c10n last 7 0123:0.2 0145:0.1",  # lemma 3
    ]
    for text in same:
        assert Question.parse(text).key == question.key
        assert Question.parse(text).tree_key != question.tree_key
    for text in ("p4c10n last 7 0123:0.1 0145:0.1", "p4c10n average 7 0123:0.1 0145:0.2"):
        assert Question.parse(text).key != question.key


def test_worker_finds_value_and_tree():
    question = Question.parse("p4c6n average,last 6 0123:0.2")
    result = perform(Order(str(question), INFINITE - 1))
    assert result.lower == result.upper
    assert result.guesses is not None
    assert [int(word) for word in result.guesses.split()] == plain_guesses(question)
    bound = perform(Order(str(question), result.lower - 1))
    assert (bound.lower, bound.upper, bound.guesses) == (result.lower, None, None)
    assert perform(Order("p4c6n last 3 0123:0.2", INFINITE - 1)).lower >= INFINITE


def test_worker_says_that_its_time_is_over():
    result = perform(Order("p5c8n average,last 9", INFINITE - 1, seconds=0.01))
    assert result.sliced
    assert 0 < result.lower < (result.upper or INFINITE)


def test_worker_compares_one_guess():
    rules = Rules.parse("p4c6n")
    history = ((rules.parse_code("0123"), rules.parse_answer("0.2")),)
    for text in ("1045", "2345"):
        first = rules.parse_code(text)
        value = solve(ResponseTable.of(rules), "average", history=history, first=first).value
        assert value is not None
        question = Question.of(rules, history).trying(first)
        found = perform(Order(str(question), INFINITE - 1))
        assert (found.lower, found.upper, found.guesses) == (value, value, None)
        bound = perform(Order(str(question), value - 1))
        assert bound.lower == value
        assert bound.upper is None


@pytest.mark.parametrize(
    ("text", "plies", "seconds"),
    [
        ("p2c2n average -", 1, 5.0),
        (SMALL, 0, 5.0),
        (SMALL, 2, 5.0),
        ("p4c6n movers 6", 1, 0.005),
        ("p3c5r last,average 5", 2, 5.0),
        ("p4c7n average -", 2, 5.0),  # the best guess is not the first one tried
        ("p4c6n average,last 6 0123:0.2", 1, 5.0),
    ],
)
def test_tree_is_that_of_a_plain_search(store, pool, text, plies, seconds):
    """A second run, or one of an equal position, only reads."""
    question = Question.parse(text)
    assert str(question) == text
    options = {"plies": plies, "slice_seconds": seconds}
    runs: set[int] = set()
    for asked in (question, question, Question.parse(text.replace("0123:", "5432:"))):
        (tree,) = optimal_trees([asked], store, pool, **options)
        assert [node.guess for node in tree.nodes] == plain_guesses(asked)
        if asked is question:
            runs.add(sum(task.runs for task in store.tasks()))
    assert len(runs) == 1


def test_bound_is_proven_by_tasks(store, pool):
    question = Question.parse("p3c6n average,last 6")
    value = perform(Order(str(question), INFINITE - 1)).lower
    failing = Plan(question, budget=value - 1, plies=2)
    run([failing], store, pool)
    assert failing.value is not None
    assert failing.value.lower == value
    exact = Plan(question, budget=value, plies=1)
    run([exact], store, pool)
    assert exact.value == Bounds(value, value)


def test_impossible_game_is_reported(store, pool):
    with pytest.raises(match="no strategy answers p4c6n last 3 in time"):
        optimal_trees([Question.parse("p4c6n last 3")], store, pool)


def test_ctrl_c_gives_tasks_back_and_keeps_results(store, pool):
    def interrupt(progress: RunProgress) -> None:
        if progress.done >= 3:
            raise KeyboardInterrupt

    question = Question.parse(SMALL)
    with pytest.raises(KeyboardInterrupt):
        optimal_trees([question], store, pool, progress=interrupt)
    states = [task.state for task in store.tasks()]
    assert "taken" not in states
    assert states.count("done") >= 3
    (tree,) = optimal_trees([question], store, pool)
    assert [node.guess for node in tree.nodes] == plain_guesses(question)


def test_error_of_a_task_is_its_reason(store, pool, monkeypatch):
    def explode(*_: Any) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(jobs_module, "perform", explode)
    with pytest.raises(match="ZeroDivisionError: a fault"):
        optimal_trees([Question.parse(SMALL)], store, pool)
    monkeypatch.undo()
    assert store.retry() > 0
    optimal_trees([Question.parse(SMALL)], store, pool)


class _DeadlyPool:
    """One question kills every worker that gets it."""

    slots = 2
    is_local = False

    def __init__(self, deadly: str) -> None:
        self._deadly = deadly

    def submit(self, work: Callable[..., Any], /, *given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if given[0].question == self._deadly:
            future.set_exception(BrokenProcessPool("a process died"))
        else:
            future.set_result(work(*given))
        return future

    def lost_worker(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)

    def stop(self) -> None:
        """Nothing to end."""


def test_task_that_kills_three_workers_fails_alone(store):
    with pytest.raises(match="died 3 times in a row"):
        optimal_trees([Question.parse(SMALL)], store, _DeadlyPool(f"{SMALL} 0123:0.2"))
    failed = [task for task in store.tasks() if task.state == FAILED]
    assert [task.question for task in failed] == [f"{SMALL} 0123:0.2"]
    assert sum(task.state == DONE for task in store.tasks()) > 5


@pytest.mark.parametrize("address", ["foo", "tcp://foo", "foo:99999999", "", "http://a/b:1"])
def test_address_of_a_cluster_names_a_port(address):
    pytest.importorskip("distributed")
    with pytest.raises(JobsError, match="is no address of a scheduler"):
        ClusterPool(address)


def jobs(store: Path, *words: str, code: int = 0) -> str:
    outcome = CliRunner().invoke(commands, ["jobs", *words, "--store", str(store)])
    assert outcome.exit_code == code, outcome.output
    return outcome.stdout


def test_list_gives_values_and_levels(store, pool, tmp_path):
    file = tmp_path / "jobs.txt"
    file.write_text(PAPER, encoding="utf-8-sig")  # begins with a byte order mark
    added = [json.loads(jobs(store.path, "add", "-f", str(file), "--json")) for _ in range(2)]
    assert added == [{"added": 3, "known": 0}, {"added": 0, "known": 3}]
    assert jobs(store.path, "list") == PAPER
    text = "solve 0123(0,2) 6 - - rules=p4c6n objective=average,last"
    jobs(store.path, "add", text)
    line = Line.parse(text)
    run([Plan(line.question, plies=0)], store, pool)
    *_, job = json.loads(jobs(store.path, "list", "--json"))["jobs"]
    assert job["state"] == "done"
    assert job["job"].startswith(f"done {job['lower']} 0123(0,2)")
    assert job["levels"].keys() == {"total", "last"}
    store.ask([Task("key", "a question", 1, 1)])
    store.fail("key", "a reason")
    status = jobs(store.path, "status")
    assert "1 done" in status
    assert "failed: a question: a reason" in status
    assert jobs(store.path, "retry") == "1 failed task queued again\n"


def test_job_added_meanwhile_is_done_too(store, monkeypatch):
    first, second = "solve 0123(0,2) 6 - - rules=p4c6n", "solve 0123(0,3) 6 - - rules=p4c6n"
    work = jobs_module.run

    def run_and_add(*args, **options):
        jobs(store.path, "add", second)
        return work(*args, **options)

    monkeypatch.setattr(jobs_module, "run", run_and_add)
    jobs(store.path, "add", first)
    done = json.loads(jobs(store.path, "run", "--processes", "1", "--json"))
    assert (done["done"], done["left"]) == (2, 0)


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("list",), 2, ""),
        (("status",), 2, ""),
        (("retry",), 2, ""),
        (("run", "--processes", "0"), 2, ""),
        (("add", "solve 0123(0,1) 7"), 2, "turns, depthCount"),
        (("add", "solve 0123(4,0)+0124(0,0) 7 8 -"), 1, "no code"),
        (("add", "-f", "none"), 2, "No such file"),
        (("add", "-f", "bytes"), 2, "not text in UTF-8"),
    ],
    ids=str,
)
def test_bad_commands_make_no_store(tmp_path, monkeypatch, words, code, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    outcome = CliRunner().invoke(commands, ["jobs", *words, "--store", "jobs.sqlite"])
    assert outcome.exit_code == code
    assert reason in outcome.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bytes"]


QUESTION = Question.parse("p4c8n average,last 7")
BITS = 16


@pytest.fixture
def path(tmp_path):
    return path_of(tmp_path / "tables", QUESTION)


def search_with(path: Path | None, bits: int = BITS) -> Search:
    known = None if path is None else mapped_tables(path, bits)
    table = ResponseTable.of(QUESTION.rules)
    return Search(table, QUESTION.weights(), known=known, table_bits=bits)


def test_next_search_goes_on_where_the_last_one_ended(path):
    start = Position.after(ResponseTable.of(QUESTION.rules), ())
    fresh = search_with(None)
    value = fresh.value(start)
    assert search_with(path).value(start) == value
    again = search_with(path)
    assert again.value(start) == value
    assert again.counters()["nodes"] <= 1 < 500 < fresh.counters()["nodes"]


def test_search_that_was_cut_off_is_not_lost(path):
    start = Position.after(ResponseTable.of(QUESTION.rules), ())
    fresh = search_with(None)
    value = fresh.value(start)
    cut = search_with(path)
    cut.value(start, budget=value.lower - 1, time_limit=1e9)
    rest = search_with(path)
    assert rest.value(start) == value
    assert rest.counters()["nodes"] < fresh.counters()["nodes"]


@pytest.mark.process
def test_table_survives_the_death_of_its_process(path):
    code = f"""
import os, signal
from pathlib import Path
from bullscows.jobs.worker import mapped_tables
keys, values = mapped_tables(Path({str(path)!r}), {BITS})
keys[5], values[7] = 11, 13
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    tables = mapped_tables(path, BITS)
    assert tables is not None
    assert (int(tables[0][5]), int(tables[1][7])) == (11, 13)
    path.write_bytes(b"short")  # a file of another size is made again
    tables = mapped_tables(path, BITS)
    assert tables is not None
    assert len(tables[0]) == 1 << BITS
    assert not tables[0].any()


@pytest.mark.parametrize("seed", range(3))
def test_flipped_bytes_are_misses(path, seed):
    start = Position.after(ResponseTable.of(QUESTION.rules), ())
    value = search_with(path).value(start)
    content = np.fromfile(path, dtype=np.uint8)
    used = np.flatnonzero(content)
    flips = np.random.default_rng(seed).choice(used, len(used) // 4, replace=False)
    content[flips] ^= 1 << seed
    content.tofile(path)
    assert search_with(path).value(start) == value


def test_full_disk_means_a_private_table(path, monkeypatch):
    def full(*_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    assert mapped_tables(path, BITS) is None
    assert os.listdir(path.parent) == []
    order = Order("p5c8n average 9", INFINITE - 1, 0.01, folder=str(path.parent))
    assert perform(order).sliced


def test_long_question_is_bounded_from_both_sides(tmp_path):
    question = "p4c9n average 7"
    order = Order(question, INFINITE - 1, 0.3, is_long=True, folder=str(tmp_path))
    first = perform(order)
    assert 0 < first.lower <= (first.upper or INFINITE) < INFINITE
    known = Order(
        question, INFINITE - 1, lower=first.lower, upper=first.upper, is_long=True, seconds=600.0
    )
    last = perform(known)
    assert last.lower == last.upper == known_total("p4c9n")
    assert first.lower <= last.lower <= (first.upper or INFINITE)


def test_games_objectives_and_turns_have_tables_of_their_own(tmp_path):
    texts = ("p4c8n average 7", "p4c8n average 8", "p4c8n last 7", "p4c8r average 7")
    paths = {path_of(tmp_path, Question.parse(text)) for text in texts}
    assert len(paths) == len(texts)
    moved = Question.parse("p4c8n average 7 0123:0.2")
    assert path_of(tmp_path, moved) in paths
