"""Before the server starts: environment variables, the address, the secret key."""

import os
import re
import socket
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError
from typer.testing import CliRunner

from bullscows.cli.main import commands
from bullscows_web.server.cli import check_address
from bullscows_web.server.settings import VARIABLES, Settings, read_settings, unknown_variables
from bullscows_web.web.encrypted_state import FILE, SecretKeyError, secret_key
from tests import ROOT
from tests.support.servers.processes import run_bullscows
from tests.support.servers.serving import reserved_port

SOURCES = ("app", "engine", "docs", "benchmarks", "tests/support")
FILES = ("compose.yaml", "Dockerfile", "Makefile", "README.md", "tests/conftest.py")


@pytest.mark.parametrize(
    ("name", "closest"),
    [
        ("BULLSCOWS_HOST", "BULLSCOWS_ALLOWED_HOSTS"),
        ("BULLSCOWS_MEMORY_MB", "BULLSCOWS_MEMORY_LIMIT_MB"),
        ("BULLSCOWS_SECRET", "BULLSCOWS_SECRET_KEY"),
        ("bullscows_metric", "BULLSCOWS_METRICS"),
    ],
)
def test_unknown_variable_ends_the_start_and_names_the_closest(
    monkeypatch: pytest.MonkeyPatch, name: str, closest: str
):
    monkeypatch.setenv(name, "1")
    no_address = ["--host", "203.0.113.1"]  # of no machine, so that no server can start
    done = CliRunner().invoke(commands, ["serve", *no_address], env={"COLUMNS": "500"})
    assert done.exit_code == 2
    assert f"{name} is unknown; the closest known variable is {closest}" in done.stderr


def test_unknown_variable_and_invalid_value_are_reported_together(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BULLSCOWS_ZZZ", "")
    monkeypatch.setenv("BULLSCOWS_MEMORY_LIMIT_MB", "much")
    with pytest.raises(
        ValueError, match=r"BULLSCOWS_ZZZ is unknown.*; BULLSCOWS_MEMORY_LIMIT_MB: "
    ):
        read_settings()


@pytest.mark.parametrize("name", ["TREES_DIR", "STATIC_DIR", "TEMPLATES_DIR"])
def test_a_folder_that_does_not_exist_ends_the_start(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(f"BULLSCOWS_{name}", "/nowhere/at-all")
    with pytest.raises(ValueError, match=f"^BULLSCOWS_{name}: there is no folder /nowhere/at-all$"):
        read_settings()


def test_a_folder_that_cannot_be_read_ends_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root can read any folder
    monkeypatch.setenv("BULLSCOWS_TREES_DIR", str(tmp_path))
    with pytest.raises(ValueError, match=f"TREES_DIR: the folder {tmp_path} cannot be read"):
        read_settings()


def test_every_variable_that_the_project_names_is_known() -> None:
    kinds = {".py", ".md", ".yaml", ".service", ".conf"}
    files = [ROOT / name for name in FILES]
    files += [file for top in SOURCES for file in (ROOT / top).rglob("*") if file.suffix in kinds]
    named = {
        word
        for file in files
        for word in re.findall(r"\bBULLSCOWS_[A-Z_]*[A-Z]\b", file.read_text(encoding="utf-8"))
    }
    assert {"BULLSCOWS_ALLOWED_HOSTS", "BULLSCOWS_STATE_DIR"} <= named
    assert unknown_variables(named) == []
    assert unknown_variables(f"BULLSCOWS_{name}" for name in VARIABLES) == []
    assert unknown_variables(["PATH", "BULLSCOWS"]) == []


@pytest.fixture
def used_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield int(listener.getsockname()[1])


@pytest.mark.process
def test_server_on_a_used_port_exits_with_4(used_port: int):
    done = run_bullscows("serve", "--workers", "2", "--port", str(used_port), cwd=ROOT)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.splitlines() == [
        f"bullscows: cannot listen on 127.0.0.1 port {used_port}: Address already in use; "
        "choose another with --port"
    ]


def test_free_port_can_be_bound_again_after_the_check(used_port: int):
    check_address("127.0.0.1", 0)
    free = reserved_port()
    assert free != used_port
    check_address("127.0.0.1", free)
    with socket.create_server(("127.0.0.1", free)):
        pass


def test_host_that_is_no_address_of_this_machine_is_refused() -> None:
    with pytest.raises(OSError, match=r"cannot listen on 192\.0\.2\.1 port 8000.*--host"):
        check_address("192.0.2.1", 8000)
    with pytest.raises(OSError, match="--host"):
        check_address("no host", 8000)


GIVEN = "x" * 32


@pytest.fixture
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BULLSCOWS_SECRET_KEY")


def test_key_of_the_settings_needs_no_file(tmp_path: Path):
    settings = Settings(secret_key=SecretStr(GIVEN), state_dir=tmp_path)
    assert secret_key(settings) == GIVEN
    assert not list(tmp_path.iterdir())
    assert GIVEN not in repr(settings)


def test_short_key_is_rejected() -> None:
    with pytest.raises(ValidationError):
        Settings(secret_key=SecretStr("short"))


@pytest.mark.usefixtures("nothing_set")
def test_key_is_created_once_for_its_owner_only(tmp_path: Path):
    folder = tmp_path / "state"
    key = secret_key(Settings(state_dir=folder))
    assert len(key) == 64
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert secret_key(Settings(state_dir=folder)) == key
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.usefixtures("nothing_set")
def test_workers_starting_at_once_share_a_key(tmp_path: Path):
    settings = Settings(state_dir=tmp_path / "state")
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: secret_key(settings), range(64)))
    assert len(keys) == 1


@pytest.mark.usefixtures("nothing_set")
def test_error_names_the_file_without_a_key(tmp_path: Path):
    (tmp_path / FILE).write_text("short")
    with pytest.raises(SecretKeyError, match=r"secret\.key holds no secret key"):
        secret_key(Settings(state_dir=tmp_path))
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SecretKeyError, match="secret key cannot be stored in"):
        secret_key(Settings(state_dir=file))


def test_empty_state_folder_counts_as_unset(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BULLSCOWS_STATE_DIR", "")
    assert Settings().state_dir is None
