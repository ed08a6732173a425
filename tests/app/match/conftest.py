"""A server whose matches are in an empty database: a file, or a real PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.match.clock import Clock
from bullscows_web.match.service import Matches
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


def new_app(trees: Path) -> FastAPI:
    return create_app(Settings(trees_dir=trees, metrics=True, search_timeout=60))


@pytest.fixture(scope="session")
def match_app(small_trees: Path) -> FastAPI:
    """The application of servers of which one runs at a time: its templates are compiled once."""
    return new_app(small_trees)


@contextmanager
def serving_matches(
    app: FastAPI, database: str, *, has_processes: bool = False, **limits: int
) -> Iterator[TestClient]:
    """A server that has just been started, with the matches of a database.

    Its search runs in a thread, or in search processes as it does in earnest.
    """
    trees = app.state.settings.trees_dir
    given = {"database_url": SecretStr(database), **limits}
    settings = app.state.settings.model_copy(update=given)
    app.state.matches = Matches(settings, app.state.cipher, app.state.metrics)
    app.state.executor = None if has_processes else ThreadExecutor(trees, 60, loaded=True)
    with TestClient(app) as client:
        yield client


@pytest.fixture
def table(database: str, match_app: FastAPI) -> Iterator[TestClient]:
    """A server with an empty database."""
    with serving_matches(match_app, database) as client:
        yield client
