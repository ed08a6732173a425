"""A server whose matches are in an empty database: a file, or a real PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
from tests.support.servers.postgres import database, postgres

__all__ = ["database", "postgres"]


@pytest.fixture
def table(database: str, small_trees: Path) -> Iterator[TestClient]:
    """A server with an empty database."""
    settings = Settings(
        trees_dir=small_trees,
        database_url=SecretStr(database),
        metrics=True,
        search_timeout=60,
        memory_limit_mb=100_000,  # the process of the tests is large already
    )
    with TestClient(create_app(settings)) as client:
        yield client
