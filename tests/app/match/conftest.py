"""A server whose matches are in an empty database: a file, or a real PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from pydantic import SecretStr
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.match.clock import Clock
from bullscows_web.server.settings import Settings
from tests.support.searching import ThreadExecutor
from tests.support.servers.postgres import database, postgres

__all__ = ["database", "postgres"]


@contextmanager
def listening(event: str, function: Callable[..., None]) -> Iterator[None]:
    """Call a function at an event of every database engine meanwhile."""
    sa.event.listen(sa.Engine, event, function)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, event, function)


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements that databases execute meanwhile."""
    executed: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        executed.append(statement)

    with listening("before_cursor_execute", note):
        yield executed


@contextmanager
def stopped_clock(client: TestClient) -> Iterator[None]:
    """Stop the clock of a server's matches meanwhile."""
    matches = cast(Any, client).app.state.matches
    clock = matches.clock
    now = clock()
    matches.clock = Clock(lambda: now, lambda: 0.0)
    try:
        yield
    finally:
        matches.clock = clock


@contextmanager
def serving_matches(
    trees: Path, database: str, *, has_processes: bool = False
) -> Iterator[TestClient]:
    """A server whose search runs in a thread, or in search processes as it does in earnest."""
    url = SecretStr(database)
    settings = Settings(trees_dir=trees, database_url=url, metrics=True, search_timeout=60)
    executor = None if has_processes else ThreadExecutor(trees, 60, loaded=True)
    with TestClient(create_app(settings, executor)) as client:
        yield client


@pytest.fixture
def table(database: str, small_trees: Path) -> Iterator[TestClient]:
    """A server with an empty database."""
    with serving_matches(small_trees, database) as client:
        yield client
