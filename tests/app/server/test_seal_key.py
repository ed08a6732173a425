"""The key of sealed addresses: of the settings, or one for all processes, readable by its owner."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from bullscows_web.server.seal_key import FILE, SealKeyError, default_state, seal_key
from bullscows_web.server.settings import Settings

TOLD = "x" * 32


@pytest.fixture
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BULLSCOWS_SEAL_KEY")


def test_key_of_the_settings_needs_no_file(tmp_path: Path) -> None:
    settings = Settings(seal_key=SecretStr(TOLD), state=tmp_path)
    assert seal_key(settings) == TOLD
    assert not list(tmp_path.iterdir())
    assert TOLD not in repr(settings)


def test_short_key_is_refused() -> None:
    with pytest.raises(ValidationError):
        Settings(seal_key=SecretStr("short"))


@pytest.mark.usefixtures("nothing_set")
def test_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    key = seal_key(Settings(state=folder))
    assert len(key) == 64
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert seal_key(Settings(state=folder)) == key
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.usefixtures("nothing_set")
def test_workers_that_start_together_agree(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path / "state")
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: seal_key(settings), range(64)))
    assert len(keys) == 1


@pytest.mark.usefixtures("nothing_set")
def test_broken_or_impossible_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("short")
    with pytest.raises(SealKeyError, match=r"seal\.key holds no key"):
        seal_key(Settings(state=tmp_path))
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SealKeyError, match="no key can be kept at"):
        seal_key(Settings(state=file))


def test_default_folder_is_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert default_state() == Path("/state/bullscows")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_state() == Path("/home/someone/.local/state/bullscows")


def test_empty_state_folder_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BULLSCOWS_STATE", "")
    assert Settings().state is None
