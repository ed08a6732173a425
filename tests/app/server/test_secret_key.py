"""The secret key: from the settings, or one for all processes, readable by its owner."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from bullscows_web.server.secret_key import FILE, SecretKeyError, default_state, secret_key
from bullscows_web.server.settings import Settings

GIVEN = "x" * 32


@pytest.fixture
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BULLSCOWS_SECRET_KEY")


def test_key_of_the_settings_needs_no_file(tmp_path: Path) -> None:
    settings = Settings(secret_key=SecretStr(GIVEN), state_dir=tmp_path)
    assert secret_key(settings) == GIVEN
    assert not list(tmp_path.iterdir())
    assert GIVEN not in repr(settings)


def test_short_key_is_rejected() -> None:
    with pytest.raises(ValidationError):
        Settings(secret_key=SecretStr("short"))


@pytest.mark.usefixtures("nothing_set")
def test_key_is_created_once_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    key = secret_key(Settings(state_dir=folder))
    assert len(key) == 64
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert secret_key(Settings(state_dir=folder)) == key
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.usefixtures("nothing_set")
def test_workers_starting_at_once_share_a_key(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "state")
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: secret_key(settings), range(64)))
    assert len(keys) == 1


@pytest.mark.usefixtures("nothing_set")
def test_error_names_the_file_without_a_key(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("short")
    with pytest.raises(SecretKeyError, match=r"secret\.key holds no secret key"):
        secret_key(Settings(state_dir=tmp_path))
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SecretKeyError, match="secret key cannot be stored in"):
        secret_key(Settings(state_dir=file))


def test_default_folder_is_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert default_state() == Path("/state/bullscows")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_state() == Path("/home/someone/.local/state/bullscows")


def test_empty_state_folder_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLSCOWS_STATE_DIR", "")
    assert Settings().state_dir is None
