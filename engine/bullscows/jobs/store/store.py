"""The store of tasks: what is to be solved, which process works on it, and what has been proved.

One SQLite file.  A task is *waiting*, *taken* (by an owner, as long as its lease is renewed),
*done* (with a value or with bounds) or *failed* (with a reason).  Results are facts about a
position, so they are never deleted: the store is also the memory of later runs.  Each change is one
transaction that is on the disk before the call returns (WAL, synchronous FULL), so a crash loses
only the work in progress.

Each row has a checksum of what is proved, because a flipped bit in a number is no error to SQLite.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from bullscows import __version__
from bullscows.game.objective import Bounds
from bullscows.jobs.store.file import connect, connect_to_read, damaged, empty_log, translated

DEATHS = 3
"""A task has failed after this number of workers in a row died."""

WAITING, TAKEN, DONE, FAILED = STATES = "waiting", "taken", "done", "failed"


@dataclass(frozen=True)
class Result:
    """Result of a run of a task."""

    lower: int
    """No strategy costs less."""
    upper: int | None = None
    """The cost of some strategy, if one is known."""
    sliced: bool = False
    """Whether the run ran out of time before the question was answered."""
    guesses: str | None = None
    """The guesses of the optimal tree in node order, if the value is exact, separated by spaces."""
    seconds: float = 0.0
    """Processor time of the run."""


@dataclass(frozen=True)
class Task:
    """A row of the store."""

    key: str
    """The address of the question."""
    question: str
    """The question as text: of those with this address, the one that was or will be run."""
    budget: int
    """The value is wanted if it is at most this; otherwise a proof that it is more."""
    estimate: int
    """The relative size of the task: larger takes longer."""
    state: str = WAITING
    lower: int = 0
    upper: int | None = None
    sliced: bool = False
    guesses: str | None = None
    seconds: float = 0.0
    runs: int = 0
    """How often it has been taken."""
    deaths: int = 0
    """The number of workers in a row that died."""
    reason: str | None = None
    """Why it failed."""
    owner: str | None = None
    lease: float = 0.0
    """When the owner will be considered dead, in seconds since the epoch."""

    @property
    def bounds(self) -> Bounds:
        """The bounds proved."""
        return Bounds(self.lower, self.upper)

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.bounds.exact

    def settles(self, budget: int) -> bool:
        """Return whether this answers the question for a budget."""
        return self.exact or self.lower > budget

    def merged(self, result: Result) -> Task:
        """Return the row with a result added."""
        done = Task(self.key, self.question, self.budget, self.estimate, DONE, runs=self.runs)
        return replace(
            done,
            **self.bounds.tightened(Bounds(result.lower, result.upper))._asdict(),
            sliced=result.sliced,
            guesses=result.guesses or self.guesses,
            seconds=self.seconds + result.seconds,
        )


def seconds_left(tasks: Iterable[Task]) -> float | None:
    """Return the processor time that unfinished tasks may take; None if none is done.

    Judged by those done.  More tasks may follow, so it is less than all the work.
    """
    done = size = waiting = 0.0
    for task in tasks:
        if task.state == DONE and task.seconds > 0:
            done += task.seconds
            size += task.estimate
        elif task.state in (WAITING, TAKEN):
            waiting += task.estimate
    return done / size * waiting if size else None


def asked_again(task: Task, budget: int) -> Task:
    """Return a row that is asked for a budget: it waits if what is known does not answer that."""
    if task.state == WAITING:
        return replace(task, budget=max(task.budget, budget))
    if task.state == DONE and not task.sliced and not task.settles(budget):
        return replace(task, state=WAITING, budget=budget)
    return task


LEASE_SECONDS = 30.0
"""A task is released if its lease is not renewed for this time."""


def new_owner() -> str:
    """Return a name of this process from which other processes can tell whether it is alive."""
    return f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}"


class Store:
    """An open store; `Store.open` makes one.

    Every method raises a `JobsError` if the disk is full, the folder can't be written to or
    the file is damaged; whatever was finished before stays.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open the store in a file, which is created if need be.

        Raises `JobsError` if it is damaged, of another version of the engine, or can't be used.
        """
        return cls(path, connect(path, __version__))

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open an existing store for reading only, without blocking its users.

        Only the rows that are read are checked.  Raises `JobsError` as `open`, or without a file.
        """
        return cls(path, connect_to_read(path, __version__))

    def close(self) -> None:
        """Close the file."""
        with translated(self.path):
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- tasks ---------------------------------------------------------------------------------

    def ask(self, tasks: Sequence[Task]) -> list[Task]:
        """Add tasks, unless what is known answers them; return their rows.

        One that was answered for a smaller budget only waits again, unless it ran out of time.
        """
        rows = []
        with self._change():
            for task in tasks:
                old = self._read(task.key)
                row = task if old is None else asked_again(old, task.budget)
                if row != old:
                    self._write(row)
                rows.append(row)
        return rows

    def take(self, keys: Sequence[str], owner: str, count: int) -> list[Task]:
        """Take up to `count` waiting tasks of `keys`, in this order, for an owner."""
        taken: list[Task] = []
        with self._change() as connection:
            for key in keys:
                lease = time.time() + LEASE_SECONDS
                if len(taken) < count and connection.execute(_TAKE, (owner, lease, key)).rowcount:
                    taken.append(self._row(key))
        return taken

    def finish(self, key: str, result: Result) -> Task:
        """Add a result: bounds only ever tighten.  Return the row."""
        with self._change():
            task = self._row(key).merged(result)
            self._write(task)
        return task

    def fail(self, key: str, reason: str) -> Task:
        """Give a task up for the reason given."""
        return self._update(key, "state = 'failed', reason = ?", reason)

    def lose(self, key: str) -> Task:
        """Record that a task's worker ended without a result: it waits again, or has failed."""
        task = self._update(key, "state = 'waiting', deaths = deaths + 1")
        if task.deaths < DEATHS:
            return task
        return self.fail(key, f"its worker died {task.deaths} times in a row: out of memory?")

    def heartbeat(self, owner: str) -> None:
        """Renew the leases of all tasks that `owner` has taken."""
        with self._change() as connection:
            lease = time.time() + LEASE_SECONDS
            connection.execute(
                "UPDATE tasks SET lease = ? WHERE state = 'taken' AND owner = ?", (lease, owner)
            )

    def give_back(self, owner: str) -> int:
        """Let the tasks of an owner wait again; return how many."""
        with self._change() as connection:
            return connection.execute(f"{_WAIT} WHERE {_TAKEN} AND owner = ?", (owner,)).rowcount

    def release(self) -> int:
        """Let tasks wait again whose owner has ended or whose lease is over; return how many."""
        with translated(self.path):
            held = f"SELECT key, owner, lease FROM tasks WHERE {_TAKEN}"
            rows = self._connection.execute(held).fetchall()
        stale = [row for row in rows if _is_over(row[2]) or _has_ended(row[1] or "")]
        if stale:
            still = f"{_WAIT} WHERE {_TAKEN} AND key = ? AND owner IS ? AND lease = ?"
            with self._change() as connection:
                connection.executemany(still, stale)
        return len(stale)

    def retry(self) -> int:
        """Let failed tasks wait again; return how many."""
        revive = f"{_WAIT}, reason = NULL, deaths = 0 WHERE state = 'failed'"
        with self._change() as connection:
            return connection.execute(revive).rowcount

    def forget(self, keys: Iterable[str]) -> None:
        """Delete waiting tasks that were never begun."""
        with self._change() as connection:
            connection.executemany(
                "DELETE FROM tasks WHERE key = ? AND state = 'waiting' AND runs = 0",
                [(key,) for key in keys],
            )

    def get(self, key: str) -> Task | None:
        """Return a row, or None if there is none."""
        with translated(self.path):
            return self._read(key)

    def tasks(self) -> list[Task]:
        """Return all rows, longest first."""
        with translated(self.path):
            query = f"SELECT {_COLUMNS} FROM tasks ORDER BY estimate DESC, key"
            return list(map(self._task, self._connection.execute(query)))

    # -- the user's list -----------------------------------------------------------------------

    def add_job(self, question: str, budget: int, line: str) -> bool:
        """Append a question to the list, unless it is there; return whether it was added."""
        with self._change() as connection:
            row = (question, budget, line, _checksum([question, budget, line]))
            found = "SELECT 1 FROM jobs WHERE question = ? AND budget = ?"
            if connection.execute(found, row[:2]).fetchone():
                return False
            connection.execute(
                "INSERT INTO jobs (question, budget, line, checksum) VALUES (?, ?, ?, ?)", row
            )
        return True

    def jobs(self) -> list[str]:
        """Return the user's lines in order."""
        lines = []
        with translated(self.path):
            for number, *row, checksum in self._connection.execute(
                "SELECT number, question, budget, line, checksum FROM jobs ORDER BY number"
            ):
                if _checksum(row) != checksum:
                    raise damaged(self.path, f"job {number} fails its checksum")
                lines.append(row[-1])
        return lines

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction, with the file locked for other writers."""
        with translated(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
                empty_log(self._connection)
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _update(self, key: str, changes: str, *values: Any) -> Task:
        """Change columns of a task that nobody has any more; return the row."""
        with self._change() as connection:
            change = f"UPDATE tasks SET owner = NULL, lease = 0, {changes} WHERE key = ?"
            connection.execute(change, (*values, key))
            return self._row(key)

    def _row(self, key: str) -> Task:
        task = self._read(key)
        if task is None:
            raise KeyError(key)
        return task

    def _read(self, key: str) -> Task | None:
        query = f"SELECT {_COLUMNS} FROM tasks WHERE key = ?"
        row = self._connection.execute(query, (key,)).fetchone()
        return None if row is None else self._task(row)

    def _task(self, row: Sequence[Any]) -> Task:
        *values, checksum = row
        task = Task(**dict(zip(_FIELDS, values, strict=True)))
        task = replace(task, sliced=bool(task.sliced))
        if _checksum(_proved(task)) != checksum or task.state not in STATES:
            raise damaged(self.path, f"task {task.key} fails its checksum")
        return task

    def _write(self, task: Task) -> None:
        marks = ", ".join("?" * (len(_FIELDS) + 1))
        self._connection.execute(
            f"INSERT OR REPLACE INTO tasks ({_COLUMNS}) VALUES ({marks})",
            (*(getattr(task, name) for name in _FIELDS), _checksum(_proved(task))),
        )


_FIELDS = tuple(field.name for field in fields(Task))
_COLUMNS = ", ".join([*_FIELDS, "checksum"])
_TAKEN = "state = 'taken'"
_WAIT = "UPDATE tasks SET state = 'waiting', owner = NULL, lease = 0"
_TAKE = (
    "UPDATE tasks SET state = 'taken', owner = ?, lease = ?, runs = runs + 1"
    " WHERE key = ? AND state = 'waiting'"
)


def _proved(task: Task) -> list[Any]:
    """Return what a row has a checksum of: the question and what is proved of it."""
    return [task.key, task.question, task.lower, task.upper, task.guesses]


def _checksum(fields: Sequence[Any]) -> str:
    # A flipped byte can turn text into something that JSON has no form for.
    return sha256(json.dumps(list(fields), default=repr).encode()).hexdigest()[:32]


def _is_over(lease: float) -> bool:
    """Return whether a lease is over, or ends so late that no clock can have given it."""
    return not 0 <= lease - time.time() <= 2 * LEASE_SECONDS


def _has_ended(owner: str) -> bool:
    """Return whether an owner is a process of this machine that has ended."""
    host, _, process = owner.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname():
        return False
    return not process.isdecimal() or _started(int(process)) != owner.rpartition(":")[2]


def _started(process: int) -> str:
    """Return when a process was started, in clock ticks; "-" if it has ended, "" if unknown."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "-" if Path("/proc/self/stat").exists() else ""
    state, *fields = status.rpartition(")")[2].split()
    return "-" if state == "Z" else fields[18]
