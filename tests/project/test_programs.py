"""Tests of missing programs are skipped, counted and named; with CI=true they fail."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import programs
from tests.support.programs import PROGRAMS, Program


def executable(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.process
def test_programs_of_wheels_need_no_path(monkeypatch):
    monkeypatch.setenv("PATH", "")
    found = {each.name: each.find() for each in PROGRAMS}
    for name in ("caddy", "node"):
        assert Path(str(found[name])).is_relative_to(sys.prefix)
    version = subprocess.check_output([str(found["node"]), "--version"], text=True)
    assert version.startswith("v")


TESTS = """
from tests.support.programs import program

def test_scripts():
    program("tsc")

def test_units():
    program("systemd-analyze")

def test_others():
    pass
"""


@pytest.mark.large
def test_run_without_programs_passes_and_ends_with_what_was_not_tested(pytester, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    pytester.makeconftest("from tests.conftest import pytest_sessionfinish")
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_inprocess("-p", "no:xdist")
    assert done.ret == 0
    done.assert_outcomes(passed=1, skipped=2)
    last = done.outlines[-1]
    assert last.startswith(
        "Not tested, because programs are missing: systemd-analyze (1), tsc (1). "
    )
    assert re.search(r"apt-get install .*\bsystemd\b.*\bnode-typescript\b", last)


def test_missing_program_fails_a_test_in_ci(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"needs tsc \(Debian: node-typescript\)"):
        programs.program("tsc")


class Machine:
    """A machine on which apt-get installs programs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, ...]] = []
        executable(folder, "apt-get")
        monkeypatch.setenv("PATH", str(folder))

    def install(self, user: int) -> int:
        wanted = (Program("bulls", "bulls"), Program("cows", "cows-debian"))
        return programs.install(wanted, user, self.apt)

    def apt(self, tool: str, *words: str) -> bool:
        self.asked.append((tool, *words))
        if words[0] == "install":
            executable(self.folder, "cows")
        return words != ("show", "bulls")


def test_root_installs_the_packages_that_exist(tmp_path, monkeypatch, capsys):
    machine = Machine(monkeypatch, tmp_path)
    assert machine.install(user=0) == 1
    quietly = ("-qq", "--yes", "--no-install-recommends")
    assert machine.asked[-1] == ("get", "install", *quietly, "cows-debian")
    said = capsys.readouterr()
    assert said.out == "installing bulls cows-debian\n"
    assert said.err.startswith("missing: bulls\n")
    executable(tmp_path, "bulls")
    assert machine.install(user=0) == 0


def test_other_users_are_told_what_is_missing(tmp_path, monkeypatch, capsys):
    machine = Machine(monkeypatch, tmp_path)
    assert machine.install(user=1000) == 1
    assert machine.asked == []
    assert "sudo apt-get install bulls cows-debian" in capsys.readouterr().err
