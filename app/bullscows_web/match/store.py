"""Where matches are stored: tables, the engine, migrations and transactions.

SQLite by default, PostgreSQL by `BULLSCOWS_DATABASE_URL`.  A change is one transaction that locks
its match first: in SQLite all writers wait for each other (``BEGIN IMMEDIATE``), in PostgreSQL
those of the same match (``SELECT ... FOR UPDATE``).  Every error of the database becomes a
`StoreError`.

Importing this module imports SQLAlchemy, so `service` does it with the first match.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bullscows.game.rules import Rules
from bullscows_web.match.match import KEPT, Match, MatchError, Player, Seat, StoreError, Turn

HEAD = "0001"
"""The newest migration; a database that has it needs no Alembic."""
BUSY_SECONDS = 5
"""How long a change waits for others, and how long a server of databases may take to answer."""
CONNECTIONS = 8
"""The most connections of a process."""
MIGRATION_LOCK = 8_091_876
"""Number of the lock of PostgreSQL under which one process migrates."""

METADATA = sa.MetaData()
MATCHES = sa.Table(
    "matches",
    METADATA,
    sa.Column("id", sa.String(29), primary_key=True),
    sa.Column("kind", sa.String(5), nullable=False),
    sa.Column("rules", sa.String(8), nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("begins", sa.Integer, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("moved", sa.Double, nullable=False, index=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("rematch", sa.String(29)),
)
PLAYERS = sa.Table(
    "players",
    METADATA,
    sa.Column("match_id", sa.ForeignKey(MATCHES.c.id, ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("secret", sa.String(200)),
    sa.Column("name", sa.String(20), nullable=False),
    sa.Column("plays", sa.Boolean, nullable=False),
    sa.Column("resigned", sa.Boolean, nullable=False),
    sa.Column("seen", sa.Double, nullable=False),
)
TURNS = sa.Table(
    "turns",
    METADATA,
    sa.Column("match_id", sa.String(29), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("turn", sa.Integer, primary_key=True),
    sa.Column("guess", sa.Integer, nullable=False),
    sa.Column("answer", sa.Integer, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.ForeignKeyConstraint(
        ["match_id", "seat"], ["players.match_id", "players.seat"], ondelete="CASCADE"
    ),
)


class Transaction:
    """A transaction; what it reads is of one moment."""

    def __init__(self, connection: sa.Connection, now: float, *, locks: bool) -> None:
        self._connection = connection
        self._now = now
        self._locks = locks

    def load(self, id: str) -> Match | None:
        """Return a match, locked in a transaction that writes; None if there is none."""
        wanted = sa.select(MATCHES).where(MATCHES.c.id == id)
        row = self._connection.execute(wanted.with_for_update() if self._locks else wanted).first()
        if row is None:
            return None
        turns: dict[Seat, list[Turn]] = {}
        made = sa.select(TURNS).where(TURNS.c.match_id == id).order_by(TURNS.c.seat, TURNS.c.turn)
        for turn in self._connection.execute(made):
            turns.setdefault(turn.seat, []).append(Turn(turn.guess, turn.answer, turn.at))
        seats = sa.select(PLAYERS).where(PLAYERS.c.match_id == id).order_by(PLAYERS.c.seat)
        players = [
            Player(**fields, turns=tuple(turns.get(fields["seat"], ())))
            for fields in map(_without_match, self._connection.execute(seats))
        ]
        fields = dict(row._mapping) | {"rules": Rules.parse(row.rules)}
        return Match(**fields, players=tuple(players), now=self._now)

    def count(self) -> int:
        """Return the number of matches."""
        return self._connection.scalar(sa.select(sa.func.count()).select_from(MATCHES)) or 0

    def versions(self, ids: Collection[str]) -> dict[str, int]:
        """Return the versions of matches; those that do not exist have none."""
        wanted = sa.select(MATCHES.c.id, MATCHES.c.version).where(MATCHES.c.id.in_(ids))
        return {row.id: row.version for row in self._connection.execute(wanted)}

    # -- changes

    def add(self, match: Match) -> Match:
        """Store a new match."""
        fields = {column.name: getattr(match, column.name) for column in MATCHES.c}
        self._insert(MATCHES, fields | {"rules": str(match.rules)})
        for player in match.players:
            self._insert(PLAYERS, _fields(match, player))
        return replace(match, now=self._now)

    def add_player(self, match: Match, player: Player) -> Match:
        """Store a player who joined."""
        self._insert(PLAYERS, _fields(match, player))
        return self._changed(replace(match, players=(*match.players, player)))

    def add_turn(self, match: Match, player: Player, turn: Turn) -> Match:
        """Store a guess with its answer."""
        place = {"match_id": match.id, "seat": player.seat, "turn": len(player.turns) + 1}
        self._insert(TURNS, place | asdict(turn))
        return self._changed(_with(match, replace(player, turns=(*player.turns, turn))))

    def resign(self, match: Match, player: Player) -> Match:
        """Store that a player resigned."""
        self._update_player(match.id, player.seat, resigned=True)
        return self._changed(_with(match, replace(player, resigned=True)))

    def link(self, match: Match, rematch: str) -> Match:
        """Store the next match of the same players."""
        return self._changed(replace(match, rematch=rematch))

    def see(self, seen: dict[tuple[str, Seat], float]) -> None:
        """Store when players were seen; nobody's view changes by that."""
        for (id, seat), at in seen.items():
            self._update_player(id, seat, seen=at)

    def purge(self) -> None:
        """Delete the matches that have expired."""
        old = sa.delete(MATCHES).where(MATCHES.c.moved < self._now - KEPT)
        self._connection.execute(old)

    def _insert(self, table: sa.Table, fields: dict[str, Any]) -> None:
        self._connection.execute(sa.insert(table).values(fields))

    def _update_player(self, id: str, seat: Seat, **values: object) -> None:
        this = (PLAYERS.c.match_id == id) & (PLAYERS.c.seat == seat)
        self._connection.execute(sa.update(PLAYERS).where(this).values(values))

    def _changed(self, match: Match) -> Match:
        """Store the moment and the number of a change; a clock set back does not age a match."""
        moved, version = max(self._now, match.moved), match.version + 1
        values = {"moved": moved, "version": version, "rematch": match.rematch}
        self._connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match.id).values(values))
        return replace(match, moved=moved, version=version)


def _without_match(row: sa.Row[Any]) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if name != "match_id"}


def _fields(match: Match, player: Player) -> dict[str, Any]:
    own = {
        column.name: getattr(player, column.name)
        for column in PLAYERS.c
        if column.name != "match_id"
    }
    return own | {"match_id": match.id}


def _with(match: Match, changed: Player) -> Match:
    players = (changed if one.seat == changed.seat else one for one in match.players)
    return replace(match, players=tuple(players))


class Store:
    """The database, migrated.

    Raises
    ------
    StoreError
        If it cannot be opened.
    """

    def __init__(self, url: str) -> None:
        with _errors():
            self._engine = _engine(sa.make_url(url))
            self._is_sqlite = self._engine.dialect.name == "sqlite"
            # SQLite's own waiting is not fair: within this process writers stand in line.
            self._turn = Lock() if self._is_sqlite else nullcontext()
            self._migrate()

    @contextmanager
    def reading(self, now: float) -> Iterator[Transaction]:
        """Read, from one snapshot."""
        level = {} if self._is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with _errors(), self._engine.connect() as connection:
            connection = connection.execution_options(**level)
            with connection.begin():
                yield Transaction(connection, now, locks=False)

    @contextmanager
    def writing(self, now: float) -> Iterator[Transaction]:
        """Change; what the block has done is stored if it ends without an exception."""
        with _errors(), self._turn, self._engine.connect() as connection:
            connection = connection.execution_options(writes=True)
            with connection.begin():
                yield Transaction(connection, now, locks=True)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _migrate(self) -> None:
        """Bring the database to `HEAD`, while other processes wait."""
        with self._engine.connect() as connection:
            connection = connection.execution_options(writes=True)
            with connection.begin():
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
        raise StoreError("unavailable", f"the database cannot be migrated: {error}") from error


def _engine(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() != "sqlite":
        url = url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url
        arguments = {"connect_timeout": BUSY_SECONDS}
        return sa.create_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=CONNECTIONS,
            max_overflow=0,
            connect_args=arguments,
        )
    _make_file(Path(url.database or ""))
    engine = sa.create_engine(
        url,
        hide_parameters=True,
        pool_size=CONNECTIONS,
        max_overflow=0,
        connect_args={"timeout": BUSY_SECONDS},
    )
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _make_file(path: Path) -> None:
    """Create the file of the database: only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _set_up(connection: Any, _: object) -> None:
    connection.isolation_level = None  # this module begins transactions itself
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _errors() -> Iterator[None]:
    """Turn errors of the database, of its folder and of a missing driver into `StoreError`."""
    try:
        yield
    except (MatchError, StoreError):
        raise
    except (SQLAlchemyError, OSError, ImportError) as error:
        is_full = re.search("full|no space", str(error), re.IGNORECASE)
        what: Literal["unavailable", "full"] = "full" if is_full else "unavailable"
        raise StoreError(what, f"the database of matches failed: {error}") from error
