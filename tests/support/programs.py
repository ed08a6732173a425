"""Programs that tests start: where they are found, and what happens without one.

A program is found on the PATH, in a folder that Debian keeps out of the PATH, or in a wheel of the
dependency groups. Tests of a missing program are skipped, and a run of the tests ends with a line
that counts them; with `CI=true` they fail. `make programs` runs this module.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Program:
    name: str
    package: str
    """The Debian package that has the program, and others that it needs, with spaces."""
    commands: tuple[str, ...] = ()
    """Commands that start the program, best first; empty: its name."""
    folders: str = ""
    """A pattern of folders outside the PATH; the last one counts first."""
    wheel: str = ""
    """A folder in a Python package that has the program."""

    def find(self) -> str | None:
        """Return the path, or None if the program is not installed."""
        places = os.pathsep.join([os.environ.get("PATH", ""), *self._folders()])
        found = (shutil.which(each, path=places) for each in self.commands or (self.name,))
        return next(filter(None, found), None)

    def _folders(self) -> Iterator[str]:
        if self.folders:
            yield from sorted(map(str, Path("/").glob(self.folders)), reverse=True)
        package, _, folder = self.wheel.partition("/")
        if package and (spec := find_spec(package)) and spec.origin:
            yield str(Path(spec.origin).with_name(folder))
        yield str(Path(sys.executable).parent)  # programs that wheels install as scripts


CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The shell has no window and takes half the work."""

PROGRAMS = (
    Program("caddy", "caddy"),
    Program("chromium", "chromium-headless-shell libatomic1", CHROMIUM),  # node of Playwright
    Program("curl", "curl"),
    Program("node", "nodejs", wheel="playwright/driver"),
    Program("postgres", "postgresql", folders="usr/lib/postgresql/*/bin"),
    Program("sqlite3", "sqlite3"),
    Program("systemd-analyze", "systemd"),
    Program("tsc", "node-typescript"),
)


def program(name: str) -> str:
    """Return the path of a program; if it is missing, skip the test, or fail it with `CI=true`."""
    (wanted,) = (each for each in PROGRAMS if each.name == name)
    found = wanted.find()
    if found is not None:
        return found
    reason = f"needs {name} (Debian: {wanted.package})"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def not_tested(reasons: Iterable[str]) -> str:
    """Return a line that counts the tests of each missing program; empty if none is missing."""
    found = (re.search(r"\bneeds ([\w-]+) \(Debian: ", reason) for reason in reasons)
    counts = Counter(match[1] for match in found if match)
    named = ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
    return f"Not tested, because programs are missing: {named}. {advice(PROGRAMS)}" if named else ""


def advice(wanted: Iterable[Program]) -> str:
    """Say how to install all missing programs."""
    packages = " ".join(each.package for each in wanted if each.find() is None)
    return (
        f"To test all: sudo apt-get install {packages} (Debian, Ubuntu),"
        " or add the programs to the PATH."
    )


def apt(tool: str, *words: str) -> bool:
    """Run a tool of Debian's package manager; return whether it succeeds."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = [f"apt-{tool}", *words]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False
    )
    return done.returncode == 0


def install(wanted: Sequence[Program], user: int, apt: Callable[..., bool]) -> int:
    """Install what is missing, as root on Debian or Ubuntu; return 1 if something stays missing."""
    missing = " ".join(each.package for each in wanted if each.find() is None).split()
    if missing and user == 0 and shutil.which("apt-get"):
        print("installing", *missing)
        apt("get", "update", "-qq")
        known = [package for package in missing if apt("cache", "show", package)]
        apt("get", "install", "-qq", "--yes", "--no-install-recommends", *known)
    remaining = [each.name for each in wanted if each.find() is None]
    if remaining:
        print("missing:", ", ".join(remaining), file=sys.stderr)
        print(advice(wanted), file=sys.stderr)
    return 1 if remaining else 0


if __name__ == "__main__":
    sys.exit(install(PROGRAMS, os.getuid(), apt))
