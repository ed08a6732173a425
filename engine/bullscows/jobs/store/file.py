"""The file of the store: opening, checks, and error messages.

A store is trusted only after a check: SQLite's own of the whole file, the version of its layout,
and the version of the engine that filled it, because results of different engines are not mixed.  A
file that fails is left as it is; the message says what to do.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bullscows.errors import EngineError

LAYOUT = 4
"""The version of the tables."""

_APPLICATION = 0x42434A53
"""Marks the file as a job store: SQLite's application_id."""

_WAIT_SECONDS = 60.0
_PAUSE_SECONDS = 0.02
_READER_SECONDS = 2.0

_EMPTYING_MILLISECONDS = 200
"""The time to wait for readers before emptying the log is left to the next change."""

_LITTLE_ROOM = 1 << 20
"""With less free space, in bytes, an error of the disk counts as a full disk."""

_TABLES = """
CREATE TABLE engine (version TEXT NOT NULL);
CREATE TABLE tasks (
    key TEXT PRIMARY KEY NOT NULL,
    question TEXT NOT NULL,
    budget INTEGER NOT NULL,
    estimate INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'taken', 'done', 'failed')),
    lower INTEGER NOT NULL,
    upper INTEGER,
    sliced INTEGER NOT NULL,
    guesses TEXT,
    seconds REAL NOT NULL,
    runs INTEGER NOT NULL,
    deaths INTEGER NOT NULL,
    reason TEXT,
    owner TEXT,
    lease REAL NOT NULL,
    checksum TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tasks_by_state ON tasks (state, estimate);
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    budget INTEGER NOT NULL,
    line TEXT NOT NULL,
    checksum TEXT NOT NULL
);
"""


class JobsError(EngineError, OSError):
    """The store cannot be used, and its contents are unchanged; or there are no workers."""


def damaged(path: Path, what: str) -> JobsError:
    """Return the error of a file that is not what was written: flipped bytes, or no store."""
    return JobsError(
        f"the job store {path} is damaged ({what}): nothing of it was used; "
        "put back a copy, or move it away and start again"
    )


def connect(path: Path, version: str) -> sqlite3.Connection:
    """Open a store that engine `version` may use, and check it; create it if there is none.

    Raises `JobsError` if the store is damaged, full, held by others, or of another version.
    """
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            _prepare(path, connection, version)
        except BaseException:
            connection.close()
            raise
        return connection


def connect_to_read(path: Path, version: str) -> sqlite3.Connection:
    """Open a store that engine `version` may read, without a check of the whole file.

    Without a log no process has the store open, and it is read as an immutable file, so that SQLite
    creates no log in a folder that the reader may not write to.  Raises `JobsError` as `connect`.
    """
    with translated(path):
        is_open = path.with_name(f"{path.name}-wal").exists()
        uri = f"{path.absolute().as_uri()}?mode=ro" + ("" if is_open else "&immutable=1")
        connection = sqlite3.connect(uri, uri=True, timeout=_READER_SECONDS, isolation_level=None)
        try:
            _check_versions(path, connection, version)
        except BaseException:
            connection.close()
            raise
        return connection


def _prepare(path: Path, connection: sqlite3.Connection, version: str) -> None:
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise damaged(path, str(found).splitlines()[0])
        _check_versions(path, connection, version)
    _use_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    # Two processes may make the store at once: the second finds it made.
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute("INSERT INTO engine VALUES (?)", (version,))
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {LAYOUT}")
    connection.execute("COMMIT")
    empty_log(connection)


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL, and wait for others that create the store, which SQLite does not do here."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)


def empty_log(connection: sqlite3.Connection) -> None:
    """Move the changes from the log into the file, as soon as there are no readers.

    SQLite takes a frame that fails its checksum for the end of its log, without an error, so one
    flipped bit could undo many changes.  If emptying fails, the changes stay in the log.
    """
    connection.execute(f"PRAGMA busy_timeout = {_EMPTYING_MILLISECONDS}")
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    connection.execute(f"PRAGMA busy_timeout = {1000 * _WAIT_SECONDS:.0f}")


def _check_versions(path: Path, connection: sqlite3.Connection, version: str) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise damaged(path, "it is another program's database")
    layout = connection.execute("PRAGMA user_version").fetchone()[0]
    if layout != LAYOUT:
        raise JobsError(
            f"the job store {path} has layout {layout}, this engine uses {LAYOUT}: "
            "name another file, or move it away"
        )
    made_by = connection.execute("SELECT version FROM engine").fetchone()
    if made_by is None:
        raise damaged(path, "it does not say which engine filled it")
    if made_by[0] != version:
        raise JobsError(
            f"the job store {path} was made by engine {made_by[0]}, this is {version}, and their "
            "results can't be mixed: name another file, move it away, or use that engine"
        )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and the system into those of this module."""
    try:
        yield
    except JobsError:
        raise
    except sqlite3.Error as error:
        raise _explained(path, error) from error
    except UnicodeDecodeError as error:
        raise damaged(path, str(error)) from error
    except OSError as error:
        raise JobsError(f"the job store {path} can't be used: {error}") from error


def _is_full(path: Path) -> bool:
    """Return whether the disk is full, for which SQLite may report an I/O error."""
    try:
        return shutil.disk_usage(path.parent).free < _LITTLE_ROOM
    except OSError:
        return False


def _explained(path: Path, error: sqlite3.Error) -> JobsError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary of an extended code
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path, str(error))
    what = f"failed ({error})"
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path)):
        what = "has no room on the disk: what was finished before is kept; make room and run again"
    elif code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        what = f"can't be opened for writing ({error}): allow it, or name another file"
    elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        what = f"is held by another program ({error})"
    elif code == sqlite3.SQLITE_IOERR:
        what = (
            f"can't be read or written ({error}): the disk may fail, or be full, or files may be "
            "limited in size; what was finished before is kept"
        )
    return JobsError(f"the job store {path} {what}")
