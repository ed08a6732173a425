"""A real PostgreSQL for tests, in a temporary folder."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.programs import program
from tests.support.servers.processes import end_group, start
from tests.support.servers.serving import wait_until

USER = "postgres"
"""PostgreSQL refuses to run as root; this user comes with its Debian package."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL that runs for the session and listens on a socket file only."""
    programs = Path(program("postgres")).parent
    folder = tempfile.mkdtemp(prefix="bullscows-postgres-")
    user = {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}
    if user:
        shutil.chown(folder, USER, USER)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    data = f"{folder}/data"
    initdb = [str(programs / "initdb"), "-D", data, "-U", USER, "-A", "trust", "--no-sync"]
    subprocess.run(initdb, check=True, **quiet, **user)  # type: ignore[call-overload]
    server = [str(programs / "postgres"), "-D", data, "-k", folder, "-c", "listen_addresses="]
    process = start([*server, "-F"], **quiet, **user)
    url = f"postgresql://{USER}@/postgres?host={folder}"
    try:
        wait_until(lambda: answers(url))
        yield url
    finally:
        end_group(process, 60)
        shutil.rmtree(folder)


def answers(url: str) -> bool:
    try:
        execute(url, "SELECT 1")
    except sa.exc.OperationalError:
        return False
    return True


def execute(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Execute statements; return the rows of the last one, if it has any."""
    rows: list[tuple[Any, ...]] = []
    engine = sa.create_engine(
        url.replace("postgresql:", "postgresql+psycopg:"), poolclass=sa.NullPool
    )
    with engine.begin() as connection:
        for statement in statements:
            found = connection.execute(sa.text(statement))
            rows = [tuple(row) for row in found] if found.returns_rows else []
    engine.dispose()
    return rows


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.process)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'matches.sqlite'}"
    url: str = request.getfixturevalue("postgres")
    execute(url, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return url
