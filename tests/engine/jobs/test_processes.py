"""Real processes: whatever is killed and whenever, jobs resume and their values are the same."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from bullscows.game.objective import INFINITE
from bullscows.game.question import Question
from bullscows.game.rules import Rules
from bullscows.jobs.coordinator import RunProgress, optimal_trees
from bullscows.jobs.pools import ClusterPool, LocalPool, Pool
from bullscows.jobs.store.file import JobsError
from bullscows.jobs.store.lines import Line
from bullscows.jobs.store.store import DONE, FAILED, TAKEN, Store
from bullscows.jobs.worker import Order, perform
from bullscows.shipping.builder import build_record
from bullscows.shipping.catalogue import spec
from bullscows.tree.files import TreeRecord, dump
from bullscows.tree.storage import default_folder, tree_path
from tests.engine.cli.test_commands import run
from tests.support.known import known_total
from tests.support.servers.cluster import Cluster
from tests.support.servers.processes import ExecutorPool, ending, start
from tests.support.servers.serving import wait_until

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc"),
]

Watch = Callable[[RunProgress], None]

FIRST, SECOND = "avg-mastermind-3x6", "avg-bulls-cows-5-of-7"
"""A tree of a moment, and one of several seconds."""
SWIFTLY = ("--slice", "0.05", "--nice", "0")
"""Short slices, at normal priority."""
SMALL_TREE = "avg-mastermind-5"
GAME = "p4c6r average,last 5"
LONG = "solve start 7 - - rules=p4c10n objective=movers"
"""A job of many seconds, so that whatever happens comes before its end."""
LONGEST = 120
"""Seconds after which whatever did not happen never will, on a machine that does much else."""


def plain_file(tree: str) -> str:
    """The file as a plain search writes it."""
    return dump(build_record(spec(tree)))


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """However a test ends."""
    with ending():
        yield


def workers_of(parent: int) -> list[int]:
    """The processes that another has started to work for it; none once that one has ended."""
    with suppress(OSError):
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(child) for child in children if "spawn_main" in command_of(child)]
    return []


def command_of(process: str) -> str:
    with suppress(OSError):  # it has ended meanwhile
        return Path(f"/proc/{process}/cmdline").read_text()
    return ""


class Builder:
    """``bullscows build`` or ``jobs ...`` in a process group of its own."""

    def __init__(self, folder: Path, *words: str, keep: bool = True) -> None:
        self.store = folder / "jobs.sqlite"
        command = [sys.executable, "-m", "bullscows", *words]
        if keep:
            command += ["--store", str(self.store)]
        self.process = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def workers(self) -> list[int]:
        """The processes that this one has started to work for it."""
        return workers_of(self.process.pid)

    def wait_for_workers(self, count: int) -> list[int]:
        """Return the workers once there are `count`: a turn begins before its process does."""
        deadline = time.monotonic() + LONGEST
        while len(workers := self.workers()) < count:
            assert self.process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return workers

    def wait(self, code: int = 0) -> str:
        output, errors = self.process.communicate(timeout=120)
        assert self.process.returncode == code, errors
        return output

    def wait_until(self, happened: Callable[[], bool]) -> None:
        while self.process.poll() is None and not happened():
            time.sleep(0.05)

    def wait_for_turns(self, count: int) -> None:
        self.wait_until(lambda: turns_in(self.store) >= count)

    def wait_for_a_result(self) -> None:
        self.wait_until(lambda: DONE in states_in(self.store))

    def kill(self, what: str, pick: random.Random) -> None:
        if what == "all":
            os.killpg(self.process.pid, signal.SIGKILL)
        elif what == "coordinator":
            self.process.kill()
        elif workers := self.workers():
            os.kill(pick.choice(workers), signal.SIGKILL)


def turns_in(path: Path) -> int:
    if not path.exists():
        return 0
    with Store.open(path) as store:
        return sum(task.runs for task in store.tasks())


def states_in(path: Path) -> list[str]:
    with Store.open(path) as store:
        return [task.state for task in store.tasks()]


def add_jobs(folder: Path, lines: list[str]) -> None:
    with Store.open(folder / "jobs.sqlite") as store:
        for line in map(Line.parse, lines):
            store.add_job(str(line.question), line.budget, line.text())


def ended(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def work_through(begin: Callable[[], Builder], kills: int, seed: int) -> Builder:
    """Work while something is killed again and again; return the one that is let be."""
    pick = random.Random(seed)
    builder = begin()
    for _ in range(kills):
        what = pick.choice(["worker", "coordinator", "all"])
        turns = turns_in(builder.store)
        if what == "worker" or pick.random() < 0.5:
            builder.wait_for_turns(turns + pick.randrange(1, 4))
        time.sleep(pick.random())
        builder.kill(what, pick)
        if what != "worker" or builder.process.poll() is not None:
            builder.process.communicate()
            assert turns_in(builder.store) >= turns
            builder = begin()
    return builder


@pytest.mark.parametrize("side", [(), ("--processes", "2")])
def test_interrupted_build_leaves_whole_trees(tmp_path, side):
    """The finished tree is the shipped file; the other one has at most a work folder."""
    words = ["build", FIRST, SECOND, "--threads", "1", *side, "--trees", str(tmp_path)]
    builder = Builder(tmp_path, *words, keep=False)
    builder.wait_until((tmp_path / f"{FIRST}.json").exists)
    builder.wait_until(lambda: not (tmp_path / f".{FIRST}").exists())
    builder.process.send_signal(signal.SIGINT)
    builder.wait(code=130)
    names = {path.name for path in tmp_path.iterdir()}
    assert {f"{FIRST}.json"} <= names <= {f"{FIRST}.json", f".{SECOND}"}
    assert (tmp_path / f"{FIRST}.json").read_bytes() == shipped(FIRST)


def shipped(tree: str) -> bytes:
    return tree_path(tree, default_folder()).read_bytes()


ALL_AT_ONCE = 19
"""A seed whose first kill is of all processes, a moment after a turn began."""

ROUNDS = 10
"""Of ten kills each: 100 in all."""


def jobs(colours: int) -> list[str]:
    rest = f"7 - - rules=p4c{colours}r objective=average,last"
    return [f"solve {turn} {rest}" for turn in ("0012(1,0)", "0123(0,2)")]


def work_off(folder: Path, colours: int, kills: int, seed: int) -> str:
    """Work jobs off while something is killed; return the list with the values found.

    A task whose worker dies three times in a row has failed, as if for memory; three kills do the
    same, and `retry` goes on from there.
    """
    add_jobs(folder, jobs(colours))
    words = ("jobs", "run", "--processes", "2", *SWIFTLY)
    last = work_through(lambda: Builder(folder, *words), kills, seed)
    last.process.communicate(timeout=120)
    if FAILED in states_in(last.store):
        assert last.process.returncode == 1
        assert kills >= 3
        Builder(folder, "jobs", "retry").wait()
        Builder(folder, *words).wait()
    return run("jobs", "list", "--store", str(last.store)).stdout


@cache
def worked_off(colours: int) -> str:
    """The list with the values of plain searches."""
    lines = [Line.parse(job) for job in jobs(colours)]
    values = [perform(Order(str(line.question), INFINITE - 1)).lower for line in lines]
    texts = [line.text(f"done {value}") for line, value in zip(lines, values, strict=True)]
    return "".join(f"{text}\n" for text in texts)


def test_values_of_jobs_are_the_same_after_all_were_killed(tmp_path):
    """Coordinator and workers at once, during the first turns."""
    assert work_off(tmp_path, 7, 1, ALL_AT_ONCE) == worked_off(7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_values_of_jobs_are_the_same_after_ten_kills(tmp_path, seed):
    assert work_off(tmp_path, 9, 10, seed) == worked_off(9)


def test_killed_worker_costs_one_task(tmp_path):
    store = Store.open(tmp_path / "jobs.sqlite")
    pool = LocalPool(2, nice=0)
    killed: list[int] = []

    def kill_one(progress: RunProgress) -> None:
        if progress.done >= 2 and not killed:
            killed.extend(workers_of(os.getpid())[:1])
            os.kill(killed[0], signal.SIGKILL)

    (tree,) = optimal_trees([Question.parse(GAME)], store, pool, progress=kill_one)
    pool.stop()
    assert killed
    assert tree.total == known_total("p4c6r", "average,last", 5)
    assert sum(task.runs - 1 for task in store.tasks() if task.runs) <= 2
    store.close()


def test_workers_end_with_a_killed_coordinator(tmp_path):
    add_jobs(tmp_path, [LONG])
    builder = Builder(tmp_path, "jobs", "run", "--processes", "2", "--nice", "0")
    builder.wait_for_a_result()
    workers = builder.wait_for_workers(2)
    builder.kill("coordinator", random.Random(0))
    builder.process.communicate()
    wait_until(lambda: all(map(ended, workers)))


@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_signal_keeps_the_work_and_exits_130(tmp_path, way):
    add_jobs(tmp_path, [LONG])
    builder = Builder(tmp_path, "jobs", "run", "--processes", "2", "--nice", "0")
    builder.wait_for_a_result()
    builder.process.send_signal(way)
    builder.wait(code=130)
    states = states_in(builder.store)
    assert TAKEN not in states
    assert DONE in states


def test_two_coordinators_do_no_task_twice(tmp_path):
    rules = Rules.parse("p4c8n")
    lines = [
        f"solve 0123({answer.bulls},{answer.cows}) - - - rules={rules} objective=average"
        for answer in rules.answers[:-1]
    ]
    add_jobs(tmp_path, lines)
    both = [Builder(tmp_path, "jobs", "run", "--processes", "1", "--nice", "0") for _ in range(2)]
    outputs = [builder.wait() for builder in both]
    assert outputs[0] == outputs[1]
    with Store.open(both[0].store) as store:
        assert [task.runs for task in store.tasks()] == [1] * len(lines)
        assert all(task.exact for task in store.tasks())


# -- a cluster ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Cluster]]:
    """Gives the cluster that the last test has left alive, or else starts one."""
    pytest.importorskip("distributed")
    started: list[Cluster] = []

    def alive() -> Cluster:
        if not started or started[-1].scheduler.poll() is not None:
            started.append(Cluster(tmp_path_factory.mktemp("cluster")))
        return started[-1]

    yield alive
    for cluster in started:
        cluster.stop()


@pytest.fixture
def cluster(clusters: Callable[[], Cluster]) -> Cluster:
    return clusters()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "jobs.sqlite") as opened:
        yield opened


def as_file(store: Store, pool: Pool, progress: Watch | None = None) -> str:
    (tree,) = optimal_trees([Question.parse(GAME)], store, pool, progress=progress)
    entry = spec(SMALL_TREE)
    return dump(
        TreeRecord.of(tree, objective=entry.objective, max_turns=entry.max_turns, proof="exact")
    )


def test_cluster_gives_the_same_file_and_loses_a_worker(cluster, store):
    cluster.employ(2)
    pool = ClusterPool(cluster.address)
    while pool.slots < 2:
        time.sleep(0.05)

    def kill_one(progress: RunProgress) -> None:
        if progress.done >= 2:
            cluster.workers[0].kill()
            cluster.workers[0].wait()

    try:
        assert as_file(store, pool, kill_one) == plain_file(SMALL_TREE)
        assert pool.slots == 1
    finally:
        pool.stop()


def test_work_survives_the_scheduler(cluster, store):
    cluster.employ(1)
    pool = ClusterPool(cluster.address)
    while pool.slots < 1:
        time.sleep(0.05)

    def kill_scheduler(progress: RunProgress) -> None:
        if progress.done >= 2:
            cluster.scheduler.kill()
            cluster.scheduler.wait()

    with pytest.raises(JobsError, match="went away: what was finished is kept"):
        as_file(store, pool, kill_scheduler)
    pool.stop()
    tasks = store.tasks()
    assert sum(task.state == DONE for task in tasks) >= 2
    assert not [task for task in tasks if task.state == TAKEN]
    with ThreadPoolExecutor(2) as executor:
        assert as_file(store, ExecutorPool(executor, 2)) == plain_file(SMALL_TREE)
