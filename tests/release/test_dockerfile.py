"""The Dockerfile, without a container engine: linted, and its steps done in a plain folder.

What is not done here is what only an engine can: to take the base image, to make the user, and to
forbid writing.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.drivers.server import HERE, free_port, wait_until_ready
from tests.support.processes import end_group, start

FILE = ROOT / "Dockerfile"
ELSEWHERE = re.compile(r"(?<![\w.])/(?=opt/|src\b|dist\b|var/)")
"""Where a path of the image begins."""


@dataclass(frozen=True)
class Step:
    stage: str
    keyword: str
    text: str


def steps() -> Iterator[Step]:
    """Yield the instructions of the Dockerfile, each on one line."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", FILE.read_text(), flags=re.M))
    stage = ""
    for line in filter(None, joined.splitlines()):
        keyword, _, text = line.partition(" ")
        if keyword == "FROM":
            stage = text.partition(" AS ")[2]
        yield Step(stage, keyword, text)


def only(keyword: str, stage: str) -> str:
    (found,) = (step.text for step in steps() if (step.keyword, step.stage) == (keyword, stage))
    return found


# -- what it says ------------------------------------------------------------------------------


@pytest.mark.process
def test_hadolint_finds_nothing(tmp_path: Path) -> None:
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    found = subprocess.run([hadolint, FILE], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "")
    worse = tmp_path / "Dockerfile"
    worse.write_text(FILE.read_text().replace("WORKDIR /src", "WORKDIR src"))
    assert subprocess.run([hadolint, worse], capture_output=True).returncode == 1


def test_both_images_stand_on_what_was_tested() -> None:
    """An engine leaves out the stages that nothing is taken from."""
    taken: dict[str, set[str]] = {}
    for step in steps():
        base = re.match(r"(\S+) AS ", step.text) if step.keyword == "FROM" else None
        copied = re.match(r"--from=(\S+)", step.text) if step.keyword == "COPY" else None
        if found := base or copied:
            taken.setdefault(step.stage, set()).add(found[1])
    for image in ("server", "analysis"):
        needed, before = {image}, set[str]()
        while needed != before:
            before = set(needed)
            needed |= {source for stage in before for source in taken.get(stage, ())}
        assert "tested" in needed, image
    assert list(steps())[-1].stage == "server", "the image that is built by default"


def test_the_build_runs_the_quick_tests() -> None:
    (ran,) = (step.text for step in steps() if step.stage == "tested" and "pytest" in step.text)
    quick = re.search(r"^quick:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), flags=re.M)
    assert quick is not None
    wanted = quick[1].replace("\\\n", " ").replace("$(BIN)/pytest", "").replace("$(ARGS)", "")
    assert shlex.split(ran.partition(" && ")[0])[3:] == shlex.split(wanted)


def test_nobody_is_root_and_what_is_written_is_a_volume() -> None:
    assert only("USER", "runtime") == "10001"
    assert not [step for step in steps() if step.keyword == "USER" and step.stage != "runtime"]
    assert json.loads(only("VOLUME", "runtime")) == ["/var/lib/bullscows"]
    assert json.loads(only("VOLUME", "analysis")) == ["/var/cache/bullscows"]


def test_the_base_is_named_once() -> None:
    bases = [step.text.split()[0] for step in steps() if step.keyword == "FROM"]
    stages = {step.stage for step in steps()}
    assert {base for base in bases if base not in stages} == {"${PYTHON}"}
    assert re.fullmatch(
        r"PYTHON=python:3\.\d+\.\d+-slim-\w+(@sha256:[0-9a-f]{64})?", only("ARG", "")
    )


# -- what it does ------------------------------------------------------------------------------


class Plant:
    """A folder that stands for the file system of the stages, and their steps done in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "src").mkdir()
        (root / "opt").mkdir()
        self.folder = root / "src"
        _copy_context(self.folder)

    def here(self, text: str) -> str:
        """Put the paths of the image into the folder."""
        return ELSEWHERE.sub(f"{self.root}/", text)

    def do(self, stage: str) -> None:
        """Do the steps of a stage; the context is there already."""
        for step in steps():
            if step.stage == stage and step.keyword == "RUN":
                self.run(step.text)
            elif step.stage == stage and step.keyword == "WORKDIR":
                self.folder = self.root / step.text.lstrip("/")

    def run(self, text: str) -> None:
        done = subprocess.run(
            self.here(text),
            shell=True,
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=_environment() | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1"},
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def _environment() -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    own = str(Path(sys.executable).parent)
    return kept | {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""}


def _copy_context(target: Path) -> None:
    """Copy what an engine would be sent: all that `.dockerignore` does not name."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]

    def is_left_out(place: Path) -> bool:
        return any(
            fnmatch(place.name, text[3:]) if text.startswith("**/") else fnmatch(str(place), text)
            for text in patterns
        )

    def ignored(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if is_left_out(Path(folder, name).relative_to(ROOT))}

    shutil.copytree(ROOT, target, ignore=ignored, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Plant:
    """The plant in which the server's image was built.

    The environment of the tests is this one, which was made from the same lock.
    """
    plant = Plant(tmp_path_factory.mktemp("plant"))
    plant.do("packages")
    (plant.root / "opt/tests/bin").mkdir(parents=True)
    python = plant.root / "opt/tests/bin/python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    for step in steps():
        if step.stage == "tested" and step.keyword == "RUN" and "requirements-dev" not in step.text:
            plant.run(step.text)
    plant.do("builder")
    return plant


@pytest.mark.slow
@pytest.mark.process
def test_the_image_of_the_server_plays_and_is_healthy(plant: Plant) -> None:
    assert not list(plant.root.glob("opt/bullscows/lib/*/site-packages/numba"))
    _serve(plant, {})


@pytest.mark.slow
@pytest.mark.process
def test_the_image_of_the_analysis_has_its_machine_code(plant: Plant) -> None:
    plant.do("searcher")
    kept = {"NUMBA_CACHE_DIR": plant.here("/var/cache/bullscows")}
    code = sorted(path.name for path in (plant.root / "var/cache/bullscows").rglob("*.nbc"))
    assert code
    _serve(plant, kept)
    bullscows = plant.here("/opt/bullscows/bin/bullscows")
    asked = [bullscows, "solve", "p4c6r", "--json"]
    done = subprocess.run(
        asked, check=True, capture_output=True, text=True, env=_environment() | kept
    )
    assert json.loads(done.stdout)["total"] == 5625
    assert "compiling" not in done.stderr
    assert subprocess.run([plant.here("/opt/bullscows/bin/dask"), "--version"]).returncode == 0


def _serve(plant: Plant, more: dict[str, str]) -> None:
    """Start the image's command, and ask for its health as an engine does, by another name."""
    port, log = free_port(), plant.root / "log"
    own = {"PATH": f"{plant.root}/opt/bullscows/bin:{os.environ['PATH']}"}
    state = {
        "BULLSCOWS_STATE": f"{plant.root}/state",
        "BULLSCOWS_HOSTS": "*.game.example,localhost",
    }
    environment = os.environ | own | state | more
    health = json.loads(only("HEALTHCHECK", "runtime").partition("CMD ")[2])
    asked = [word.replace("8000", str(port)) for word in health]
    command = [*json.loads(only("CMD", "runtime")), "--port", str(port)]
    command[command.index("0.0.0.0")] = HERE
    with log.open("w") as output:
        process = start(command, env=environment, stdout=output, stderr=output, cwd="/")
    try:
        wait_until_ready(process, f"http://localhost:{port}/readyz", log)
        assert subprocess.run(asked, env=environment).returncode == 0
    finally:
        end_group(process, 20)
    assert subprocess.run(asked, env=environment, capture_output=True).returncode == 1
