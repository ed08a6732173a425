"""The systemd units of `docs/operations`: what they share, and what they must not."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bullscows_web.server.start import VARIABLES
from tests import ROOT

FOLDER = ROOT / "docs" / "operations"
UNITS = sorted(path.name for path in FOLDER.glob("*.service"))
ROOTS = {"%S": "/var/lib", "%C": "/var/cache"}
"""What systemd puts there for units of the system."""


def settings(unit: str) -> list[tuple[str, str]]:
    """Return a unit's names and values in order; a name may come again, as `Environment` does."""
    text = (FOLDER / unit).read_text(encoding="utf-8")
    return re.findall(r"^(\w+)=(.*)$", text, re.M)


def environment(unit: str) -> dict[str, str]:
    """Return the variables that a unit sets, with the places that systemd fills in."""
    given = [value.partition("=") for name, value in settings(unit) if name == "Environment"]
    return {name: re.sub(r"%[SC]", lambda one: ROOTS[one[0]], text) for name, _, text in given}


@pytest.mark.process
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """Where a program of ours is not installed, one that always is stands for it."""
    if (analyze := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd is not installed")
    for unit in UNITS:
        text = (FOLDER / unit).read_text(encoding="utf-8")
        (tmp_path / unit).write_text(
            text.replace("/opt/bullscows/.venv/bin/bullscows", "/bin/true")
        )
    done = subprocess.run([analyze, "verify", *tmp_path.iterdir()], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", ["StateDirectory", "CacheDirectory"])
def test_each_unit_has_folders_of_its_own(kind: str) -> None:
    """A dynamic user's folder is moved to where another unit's user does not come."""
    folders = [dict(settings(unit))[kind] for unit in UNITS]
    assert len(folders) > 1
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_kept_lies_in_the_unit_s_own_folders(unit: str) -> None:
    """All else is read-only to it: machine code would be compiled at each start."""
    names, variables = dict(settings(unit)), environment(unit)
    assert variables["NUMBA_CACHE_DIR"] == f"/var/cache/{names['CacheDirectory']}"
    state = {"BULLSCOWS_STATE", "BULLSCOWS_JOBS"} & set(variables)
    assert state
    for name in state:
        place = f"{variables[name]}/"
        assert place.startswith(f"/var/lib/{names['StateDirectory']}/")
    assert names["ProtectSystem"] == "strict"


def test_the_server_may_be_let_into_the_folder_of_the_jobs() -> None:
    """By the group that the page names, and to the file that the jobs' unit names."""
    jobs = dict(settings("bullscows-jobs.service"))
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    dropped = dict(re.findall(r"^    (SupplementaryGroups|Environment)=(.*)$", page, re.M))
    assert dropped["SupplementaryGroups"] == jobs["User"]
    assert jobs["StateDirectoryMode"] == "0750"
    shown = environment("bullscows-jobs.service")["BULLSCOWS_JOBS"]
    assert dropped["Environment"] == f"BULLSCOWS_SHOWN_JOBS={shown}"
    assert f"useradd --system --user-group --home-dir /var/lib/{jobs['StateDirectory']}" in page


def test_variables_are_settings() -> None:
    for unit in UNITS:
        assert set(environment(unit)) <= VARIABLES | {"NUMBA_CACHE_DIR"}
