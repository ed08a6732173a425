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
from bullscows.jobs.store.file import (
    StoreError,
)
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


def test_given_back_tasks_wait_again(store):
    store.take(KEYS, "me", 2)
    store.take(KEYS, "you", 1)
    assert store.give_back("me") == 2
    assert sum(task.state == TAKEN for task in store.tasks()) == 1


def test_expired_leases_are_released(store, monkeypatch):
    monkeypatch.setattr(store_module, "LEASE_SECONDS", -1.0)
    store.take(KEYS, "elsewhere:1:2", 1)
    assert store.release() == 1


def test_lease_that_no_clock_gave_is_released(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "LEASE_SECONDS", 1e9)
        store.take(KEYS, "elsewhere:1:2", 1)
    assert store.release() == 1


def test_owner_that_makes_no_sense_has_ended(store):
    store.take(KEYS, f"{socket.gethostname()}:x12:3", 1)
    assert store.release() == 1


def test_heartbeat_keeps_a_lease(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "LEASE_SECONDS", -1.0)
        store.take(KEYS, "elsewhere:1:2", 1)
    store.heartbeat("elsewhere:1:2")
    assert store.release() == 0


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
    assert [job.question for job in store.jobs()] == ["b", "a"]


def test_everything_is_there_again_after_reopening(path, store):
    store.finish("key2", Result(7, 7, guesses="4 5"))
    store.close()
    with Store.open(path) as again:
        assert [task.guesses for task in again.tasks() if task.state == DONE] == ["4 5"]
        assert len(again.tasks()) == 5


# -- what may go wrong -------------------------------------------------------------------------


def test_rejects_another_engine_version(path, monkeypatch):
    monkeypatch.setattr(store_module, "__version__", "0.0.1")
    Store.open(path).close()
    before = path.read_bytes()
    monkeypatch.undo()
    with pytest.raises(StoreError, match=r"made by engine 0\.0\.1, this is .* can't be mixed"):
        Store.open(path)
    assert path.read_bytes() == before


def test_rejects_another_layout(path, store):
    store.close()
    edit(path, "PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="has layout 99"):
        Store.open(path)


def test_rejects_a_file_that_is_no_store(path):
    path.write_text("solve 0123(0,1) 7 4 8\n" * 50)
    with pytest.raises(StoreError, match=r"is damaged .* nothing of it was used"):
        Store.open(path)
    assert path.read_text().startswith("solve")


def test_rejects_another_programs_database(path):
    edit(path, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="another program's"):
        Store.open(path)


def test_rejects_a_changed_number(path, store):
    store.finish("key0", Result(50, 50))
    store.close()
    edit(path, "UPDATE tasks SET lower = 49, upper = 49 WHERE key = 'key0'")
    with (
        Store.open(path) as again,
        pytest.raises(StoreError, match="key0 fails its checksum"),
    ):
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
        except StoreError:
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


def test_log_waits_for_readers(path, store):
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM tasks").fetchall()
    store.finish("key0", Result(50, 50))
    assert path.with_name("jobs.sqlite-wal").stat().st_size > 0
    reader.close()
    store.finish("key1", Result(50, 50))
    assert path.with_name("jobs.sqlite-wal").stat().st_size == 0


def test_rejects_a_store_that_does_not_say_which_engine_filled_it(path, store):
    store.close()
    edit(path, "DELETE FROM engine")
    with pytest.raises(StoreError, match="which engine filled it"):
        Store.open(path)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder nobody can write to")
def test_names_a_folder_that_may_not_be_written():
    with pytest.raises(StoreError, match=r"the job store /proc/jobs\.sqlite can't be"):
        Store.open(Path("/proc/jobs.sqlite"))


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

    with pytest.raises(StoreError, match="what was finished before is kept"):
        fill()
    return finished


def test_time_left_is_judged_by_what_was_done():
    done = [Task(str(size), "", 1, size, DONE, seconds=size / 10) for size in (10, 30)]
    assert seconds_left([]) is None
    assert seconds_left(TASKS) is None
    assert seconds_left(done) == 0
    waiting = [Task("a", "", 1, 50), Task("b", "", 1, 20, TAKEN), Task("c", "", 1, 9, FAILED)]
    assert seconds_left([*done, *waiting]) == pytest.approx(7.0)
