"""The store: atomic claims, leases, merged results, and a clear message for each way to fail."""

import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bullscows.jobs.store import store as store_module
from bullscows.jobs.store.file import JobsError
from bullscows.jobs.store.store import (
    DONE,
    FAILED,
    TAKEN,
    WAITING,
    Result,
    Store,
    Task,
    new_owner,
    seconds_left,
)

TASKS = [Task(f"key{number}", f"question {number}", 100, number) for number in range(5)]
KEYS = [task.key for task in TASKS]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "jobs.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        opened.ask(TASKS)
        yield opened


def edit(path: Path, statement: str) -> None:
    """Change a store behind its back."""
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def test_tasks_come_longest_first(store):
    assert [task.key for task in store.tasks()] == KEYS[::-1]
    assert {task.state for task in store.tasks()} == {WAITING}


def test_take_follows_the_order_asked_for(store):
    taken = store.take(["key3", "key0", "key4"], "me", 2)
    assert [task.key for task in taken] == ["key3", "key0"]
    assert {task.state for task in taken} == {TAKEN}
    assert store.take(["key3", "key0"], "you", 2) == []


@pytest.mark.usefixtures("store")
def test_every_task_is_taken_once_by_many(path):
    taken: list[str] = []

    def take(owner: str) -> None:
        with Store.open(path) as mine:
            while got := mine.take(KEYS, owner, 1):
                taken.extend(task.key for task in got)

    threads = [threading.Thread(target=take, args=(f"owner{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == KEYS


def test_opening_waits_for_another_that_makes_the_store(path):
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, other.rollback)
    timer.start()
    with Store.open(path) as opened:
        assert opened.tasks() == []
    timer.join()
    other.close()


def test_results_only_tighten(store):
    store.finish("key0", Result(10, 90, sliced=True))
    store.finish("key0", Result(20, None, sliced=True))
    task = store.finish("key0", Result(5, 80, sliced=True))
    assert (task.lower, task.upper, task.state, task.exact) == (20, 80, DONE, False)


def test_bound_answers_smaller_budgets_only(store):
    store.finish("key0", Result(101))
    (row,) = store.ask([Task("key0", "question 0", 90, 0)])
    assert row.state == DONE
    (row,) = store.ask([Task("key0", "question 0", 200, 0)])
    assert (row.state, row.budget, row.lower) == (WAITING, 200, 101)


def test_exact_value_answers_every_budget(store):
    store.finish("key0", Result(50, 50, guesses="1 2 3"))
    (row,) = store.ask([Task("key0", "question 0", 10**9, 0)])
    assert (row.state, row.guesses) == (DONE, "1 2 3")


@pytest.mark.parametrize(
    ("owner", "lease", "beats", "released"),
    [
        ("elsewhere:1:2", -1.0, False, 1),
        ("elsewhere:1:2", -1.0, True, 0),
        ("elsewhere:1:2", 1e9, False, 1),  # no clock gave it
        (f"{socket.gethostname()}:x12:3", store_module.LEASE_SECONDS, False, 1),  # no such process
    ],
)
def test_expired_leases_are_released(store, monkeypatch, owner, lease, beats, released):
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "LEASE_SECONDS", lease)
        store.take(KEYS, owner, 1)
    if beats:
        store.heartbeat(owner)
    assert store.release() == released


@pytest.mark.process
def test_tasks_of_a_dead_process_are_released_at_once(store):
    code = "from bullscows.jobs.store.store import new_owner; print(new_owner())"
    owner = subprocess.check_output([sys.executable, "-c", code], text=True).strip()
    store.take(KEYS, owner, 2)
    store.take(KEYS, new_owner(), 1)
    assert store.release() == 2


def test_third_death_fails_and_retry_revives(store):
    states = [store.lose("key1").state for _ in range(3)]
    assert states == [WAITING, WAITING, FAILED]
    assert "died 3 times" in store.get("key1").reason
    assert store.retry() == 1
    assert store.get("key1").state == WAITING


def test_result_forgives_earlier_deaths(store):
    store.lose("key1")
    assert store.finish("key1", Result(1)).deaths == 0


def test_forgets_only_what_was_never_begun(store):
    store.take(["key0"], "me", 1)
    store.give_back("me")
    store.finish("key1", Result(1))
    store.forget(KEYS)
    assert [task.key for task in store.tasks()] == ["key1", "key0"]


def test_jobs_keep_their_order_and_stand_once(store):
    assert store.add_job("b", 1, "line b")
    assert store.add_job("a", 1, "line a")
    assert not store.add_job("b", 1, "line b")
    assert store.jobs() == ["line b", "line a"]


def test_rejects_another_engine_version(path, monkeypatch):
    monkeypatch.setattr(store_module, "__version__", "0.0.1")
    Store.open(path).close()
    before = path.read_bytes()
    monkeypatch.undo()
    with pytest.raises(JobsError, match=r"made by engine 0\.0\.1, this is .* can't be mixed"):
        Store.open(path)
    assert path.read_bytes() == before


def test_rejects_another_programs_file(path):
    path.write_text("solve 0123(0,1) 7 4 8\n" * 50)
    with pytest.raises(JobsError, match=r"is damaged .* nothing of it was used"):
        Store.open(path)
    assert path.read_text().startswith("solve")
    path.unlink()
    edit(path, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(JobsError, match="another program's"):
        Store.open(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("PRAGMA user_version = 99", "has layout 99"),
        ("DELETE FROM engine", "which engine filled it"),
        ("UPDATE tasks SET lower = 9, upper = 9 WHERE key = 'key0'", "key0 fails its checksum"),
    ],
)
def test_rejects_a_changed_store(path, store, change, words):
    store.finish("key0", Result(50, 50))
    store.close()
    edit(path, change)
    with pytest.raises(JobsError, match=words), Store.open(path) as again:
        again.get("key0")


def proof_of(task: Task) -> Task:
    """Return the proved fields of a task, which the checksum of its row covers."""
    return Task(task.key, task.question, 0, 0, DONE, task.lower, task.upper, guesses=task.guesses)


def test_flipped_bytes_never_give_a_wrong_row(path, store):
    for key in KEYS:
        store.finish(key, Result(50, 50, guesses="1 2 3"))
    good = [proof_of(task) for task in store.tasks()]
    store.close()
    content = path.read_bytes()
    used = [place for place, byte in enumerate(content) if byte]
    pick = random.Random(4)
    found = 0
    for _ in range(300):
        flipped = bytearray(content)
        flipped[pick.choice(used)] ^= 1 << pick.randrange(8)
        path.write_bytes(flipped)
        try:
            with Store.open(path) as again:
                rows = again.tasks()
            # The byte was in a place that says nothing of what was found.
            assert [proof_of(task) for task in rows] == good
        except JobsError:
            found += 1
        for side in path.parent.glob("*-*"):
            side.unlink()
    assert found > 150


def test_log_is_empty_after_every_change(path, store):
    """SQLite silently drops the part of its log that follows a flipped bit."""
    store.finish("key0", Result(50, 50))
    store.add_job("a question", 7, "a line")
    assert path.with_name("jobs.sqlite-wal").stat().st_size == 0
    shutil.copy(path, path.with_name("copy"))
    with Store.open(path.with_name("copy")) as copy:
        assert (copy.tasks(), copy.jobs()) == (store.tasks(), store.jobs())


def test_says_that_the_disk_is_full(store):
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    finished = _fill(store)
    assert {task.key for task in store.tasks() if task.exact} == finished


def _fill(store: Store) -> set[str]:
    """Finish tasks until the store is full; return the keys of finished tasks."""
    finished: set[str] = set()

    def fill() -> None:
        for number in range(1000):
            key = f"large{number}"
            store.ask([Task(key, "question", 100, 1)])
            store.finish(key, Result(1, 1, guesses="7 " * 2000))
            finished.add(key)

    with pytest.raises(JobsError, match="what was finished before is kept"):
        fill()
    return finished


def test_time_left_is_judged_by_what_was_done():
    done = [Task(str(size), "", 1, size, DONE, seconds=size / 10) for size in (10, 30)]
    assert seconds_left([]) is None
    assert seconds_left(TASKS) is None
    assert seconds_left(done) == 0
    waiting = [Task("a", "", 1, 50), Task("b", "", 1, 20, TAKEN), Task("c", "", 1, 9, FAILED)]
    assert seconds_left([*done, *waiting]) == pytest.approx(7.0)
