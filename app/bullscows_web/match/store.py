"""Database of matches and results: tables, the engine, migrations and transactions.

SQLite by default, PostgreSQL by `BULLSCOWS_DATABASE_URL`.  A change is one transaction that locks
its match first: in SQLite all writers wait for each other (``BEGIN IMMEDIATE``), in PostgreSQL
those of the same match (``SELECT ... FOR UPDATE``).  Every error of the database becomes a
`StoreError`.

Nobody waits longer than `BUSY_SECONDS` for a lock.  Readers of SQLite wait for none (WAL mode), so
opening a database that needs no migration only reads.

Importing this module imports SQLAlchemy, so `service` does it with the first match.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from math import ceil
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError, TimeoutError

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.match.rules import (
    BUSY_SECONDS,
    KEPT,
    FullError,
    LockedError,
    Match,
    MatchError,
    Move,
    News,
    Once,
    Player,
    Seat,
    StoreError,
)

HEAD = "0003"
"""The newest migration; a database that has it needs no Alembic."""
CONNECTIONS = 8
"""The most connections of a process."""
SQLITE_BUSY = 5
"""Primary result code of SQLite for a lock that another connection holds."""
LOCK_NOT_AVAILABLE = "55P03"
"""Error code of PostgreSQL for a lock that was not obtained in time."""
MIGRATION_LOCK = 8_091_876
"""Number of the lock of PostgreSQL under which one process migrates."""


def _table(name: str, columns: str, *typed: sa.ColumnClause[Any]) -> sa.TableClause:
    """Return a table of the migrations, which have the types."""
    return sa.table(name, *map(sa.column, columns.split()), *typed)


MATCHES = _table("matches", "id kind rules size begins created moved version rematch")
FLAGS = sa.column("plays", sa.Boolean), sa.column("resigned", sa.Boolean)
PLAYERS = _table("players", "match_id seat token secret name seen", *FLAGS)
TURNS = _table("turns", "match_id seat turn guess answer at")
RESULTS = _table("results", "day rules turns players")
REQUESTS = _table("requests", "key request match_id token")
COUNT = sa.text(
    "INSERT INTO results (day, rules, turns, players) VALUES (:day, :rules, :turns, 1) "
    "ON CONFLICT (day, rules, turns) DO UPDATE SET players = results.players + 1"
)
"""Counts one more player."""
KEEP_TIME = sa.text(
    "INSERT INTO clock (id, latest, behind) VALUES (1, :latest, :behind) "
    "ON CONFLICT (id) DO UPDATE SET latest = excluded.latest, behind = excluded.behind "
    "WHERE clock.latest < excluded.latest"
)
"""Stores a time, unless another process has stored a later one."""
LATEST = sa.text(
    "SELECT max(latest), max(behind) FROM (SELECT latest, behind FROM clock "
    "UNION ALL SELECT max(moved), NULL FROM matches) AS times"
)
"""The latest time that is stored, as such or with a match."""
LOCK_KEY = sa.text("SELECT pg_advisory_xact_lock(:number)")
NEWS = (
    sa.select(MATCHES.c.id, MATCHES.c.version, MATCHES.c.moved, PLAYERS.c.token, PLAYERS.c.seen)
    .join_from(MATCHES, PLAYERS, MATCHES.c.id == PLAYERS.c.match_id)
    .where(MATCHES.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(PLAYERS.c.seat)
)
SEEN = (
    sa.update(PLAYERS)
    .where((PLAYERS.c.match_id == sa.bindparam("id")) & (PLAYERS.c.seat == sa.bindparam("of")))
    .values(seen=sa.bindparam("at"))
)


class Transaction:
    """A transaction; what it reads is of one moment."""

    def __init__(self, connection: sa.Connection, now: float, *, locks: bool) -> None:
        self._connection = connection
        self.now = now
        """Unix time."""
        self._locks = locks

    def load(self, id: str) -> Match | None:
        """Return a match, locked in a transaction that writes; None if there is none."""
        return next(iter(self.load_all([id])), None)

    def load_all(self, ids: Collection[str]) -> list[Match]:
        """Return those of some matches that exist, in no order; locked as by `load`."""
        wanted = sa.select(MATCHES).where(MATCHES.c.id.in_(ids))
        rows = self._connection.execute(wanted.with_for_update() if self._locks else wanted).all()
        if not rows:
            return []
        turns: dict[tuple[str, Seat], list[Move]] = {}
        made = sa.select(TURNS).where(TURNS.c.match_id.in_(ids))
        for turn in self._connection.execute(made.order_by(TURNS.c.seat, TURNS.c.turn)):
            made_by = turns.setdefault((turn.match_id, turn.seat), [])
            made_by.append(Move(turn.guess, turn.answer, turn.at))
        players: dict[str, list[Player]] = {}
        seats = sa.select(PLAYERS).where(PLAYERS.c.match_id.in_(ids)).order_by(PLAYERS.c.seat)
        for player in self._connection.execute(seats).mappings():
            fields = dict(player)
            id = fields.pop("match_id")
            own = tuple(turns.get((id, player["seat"]), ()))
            players.setdefault(id, []).append(Player(**fields, turns=own))
        return [
            Match(
                **dict(row._mapping) | {"rules": Rules.parse(row.rules)},
                players=tuple(players[row.id]),
                now=self.now,
            )
            for row in rows
        ]

    def has_room(self, most: int) -> bool:
        """Return whether there are fewer than `most` matches, without expired ones if need be."""
        excess = sa.select(sa.func.count() >= most).select_from(MATCHES)
        if self._connection.scalar(excess):
            self.purge()
        return not self._connection.scalar(excess)

    def news(self, ids: Collection[str]) -> dict[str, News]:
        """Return what polls need to know of matches; those that do not exist have nothing."""
        found: dict[tuple[str, int, float], list[tuple[str, float]]] = {}
        for id, version, moved, token, seen in self._connection.execute(NEWS, {"ids": list(ids)}):
            found.setdefault((id, version, moved), []).append((token, seen))
        return {
            id: News(version, moved, *zip(*players, strict=True))
            for (id, version, moved), players in found.items()
        }

    def request(self, key: str) -> tuple[str, str, str] | None:
        """Return the request of a key, the id of its match and its token; others wait for it."""
        if self._locks and self._connection.dialect.name == "postgresql":
            number = int.from_bytes(bytes.fromhex(key)[:8], "big", signed=True)
            self._connection.execute(LOCK_KEY, {"number": number})
        wanted = sa.select(REQUESTS.c.request, REQUESTS.c.match_id, REQUESTS.c.token)
        row = self._connection.execute(wanted.where(REQUESTS.c.key == key)).first()
        return None if row is None else (row.request, row.match_id, row.token)

    def latest(self) -> tuple[float, float] | None:
        """Return the latest time that is stored, and how far it was behind the system's clock."""
        latest, behind = self._connection.execute(LATEST).one()
        return None if latest is None else (latest, behind or 0.0)

    # -- changes

    def keep_time(self, behind: float) -> None:
        """Store the time, and how far it is behind the system's clock."""
        self._connection.execute(KEEP_TIME, {"latest": self.now, "behind": behind})

    def keep_request(self, once: Once, match: Match, token: str) -> None:
        """Store which seat a request got: its match, and the encrypted token."""
        self._insert(REQUESTS, asdict(once) | {"match_id": match.id, "token": token})

    def add(self, match: Match, creator: Player) -> Match:
        """Store a new match."""
        self._insert(MATCHES, _fields(MATCHES, match) | {"rules": str(match.rules)})
        self._insert(PLAYERS, _fields(PLAYERS, creator) | {"match_id": match.id})
        return replace(match, players=(creator,))

    def add_player(self, match: Match, player: Player) -> Match:
        """Store a player who joined."""
        self._insert(PLAYERS, _fields(PLAYERS, player) | {"match_id": match.id})
        return self._changed(replace(match, players=(*match.players, player)))

    def add_turn(self, match: Match, player: Player, turn: Move) -> Match:
        """Store a guess with its answer."""
        place = {"match_id": match.id, "seat": player.seat, "turn": len(player.turns) + 1}
        self._insert(TURNS, place | asdict(turn))
        return self._changed(_with(match, replace(player, turns=(*player.turns, turn))))

    def resign(self, match: Match, player: Player) -> Match:
        """Store that a player resigned."""
        this = (PLAYERS.c.match_id == match.id) & (PLAYERS.c.seat == player.seat)
        self._connection.execute(sa.update(PLAYERS).where(this).values(resigned=True))
        return self._changed(_with(match, replace(player, resigned=True)))

    def link(self, match: Match, rematch: str) -> Match:
        """Store the next match of the same players."""
        return self._changed(replace(match, rematch=rematch))

    def see(self, seen: dict[tuple[str, Seat], float]) -> None:
        """Store when players were seen, in an order in which processes do not block each other."""
        rows = [{"id": id, "of": seat, "at": at} for (id, seat), at in sorted(seen.items())]
        self._connection.execute(SEEN, rows)

    def purge(self) -> None:
        """Delete the matches that have expired."""
        old = sa.delete(MATCHES).where(MATCHES.c.moved < self.now - KEPT)
        self._connection.execute(old)

    def count_result(self, puzzle: Puzzle, turns: int) -> None:
        """Count a player who solved the puzzle of a day."""
        values = {"day": puzzle.seed, "rules": str(puzzle.rules), "turns": turns}
        self._connection.execute(COUNT, values)

    def results(self, puzzle: Puzzle) -> list[int]:
        """Return how many players solved the puzzle of a day at turn 1, 2, ..."""
        this = (RESULTS.c.day == puzzle.seed) & (RESULTS.c.rules == str(puzzle.rules))
        wanted = sa.select(RESULTS.c.turns, RESULTS.c.players).where(this)
        counts = {row.turns: row.players for row in self._connection.execute(wanted)}
        return [counts.get(turn, 0) for turn in range(1, max(counts, default=0) + 1)]

    def _insert(self, table: sa.TableClause, fields: dict[str, Any]) -> None:
        self._connection.execute(sa.insert(table).values(fields))

    def _changed(self, match: Match) -> Match:
        """Store the moment and the number of a change; a clock set back does not age a match."""
        moved = max(self.now, match.moved)
        version = match.version + 1
        values = {"moved": moved, "version": version, "rematch": match.rematch}
        self._connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match.id).values(values))
        return replace(match, moved=moved, version=version)


def _fields(table: sa.TableClause, value: Match | Player) -> dict[str, Any]:
    names = (column.name for column in table.c)
    return {name: getattr(value, name) for name in names if name != "match_id"}


def _with(match: Match, changed: Player) -> Match:
    players = (changed if one.seat == changed.seat else one for one in match.players)
    return replace(match, players=tuple(players))


class Store:
    """The database, migrated; raises `StoreError` if it cannot be opened."""

    def __init__(self, url: str) -> None:
        with _errors():
            self._engine = _engine(sa.make_url(url))
            self._is_sqlite = self._engine.dialect.name == "sqlite"
            try:
                self._migrate()
            except BaseException:
                self.close()
                raise

    @contextmanager
    def transaction(
        self, now: float, *, writes: bool, until: float | None = None
    ) -> Iterator[Transaction]:
        """Read from one snapshot, or change: it is stored if the block ends without exception.

        Waits for locks `until` a time of `time.monotonic`, by default for `BUSY_SECONDS`.
        """
        until = time.monotonic() + BUSY_SECONDS if until is None else until
        with _errors(), self._begun(writes=writes, until=until) as connection:
            yield Transaction(connection, now, locks=writes)

    @contextmanager
    def _begun(self, *, writes: bool, until: float) -> Iterator[sa.Connection]:
        """Begin a transaction that waits for locks until a time of `time.monotonic`."""
        level = {} if writes or self._is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self._engine.connect().execution_options(**level) as connection, connection.begin():
            wait = ceil(1000 * max(until - time.monotonic(), 0.001))
            if self._is_sqlite:
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {wait}")
                connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
            else:  # a read waits too, while a newer server changes a table
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {wait}")
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _migrate(self) -> None:
        """Bring the database to `HEAD`, if it is older, while other processes wait."""
        with self._engine.connect() as connection:
            if _revision(connection) == HEAD:
                return
        with self._begun(writes=True, until=time.monotonic() + BUSY_SECONDS) as connection:
            if not self._is_sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
            if _revision(connection) != HEAD:
                _upgrade(connection)


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return found


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:  # the migration of a newer server
        raise StoreError(f"the database cannot be migrated: {error}") from error


def _engine(url: sa.URL) -> sa.Engine:
    is_sqlite = url.get_backend_name() == "sqlite"
    if is_sqlite:
        _make_file(Path(url.database or ""))
    elif url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    engine = sa.create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=not is_sqlite,
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=BUSY_SECONDS,
        connect_args={"timeout" if is_sqlite else "connect_timeout": int(BUSY_SECONDS)},
    )
    if is_sqlite:
        sa.event.listen(engine, "connect", _set_up)
    return engine


def _make_file(path: Path) -> None:
    """Create the file of the database: only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _set_up(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `Store` begins transactions itself
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


@contextmanager
def _errors() -> Iterator[None]:
    """Turn errors of the database, of its folder and of a missing driver into `StoreError`."""
    try:
        yield
    except (MatchError, StoreError):
        raise
    except (SQLAlchemyError, OSError, ImportError) as error:
        if _is_locked(error):
            raise LockedError(f"the database of matches is locked: {error}") from error
        is_full = re.search("full|no space", str(error), re.IGNORECASE)
        kind = FullError if is_full else StoreError
        raise kind(f"the database of matches failed: {error}") from error


def _is_locked(error: Exception) -> bool:
    """Return whether a lock, or a connection, was not obtained in time."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, TimeoutError)
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return code == SQLITE_BUSY or getattr(error.orig, "sqlstate", "") == LOCK_NOT_AVAILABLE
