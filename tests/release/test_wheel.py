"""The wheel and the source archive: what is in them, the same bytes each time, nobody's names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from zipfile import ZipFile

import numpy
import pytest

from bullscows import __version__
from tests import ROOT
from tests.support.drivers.server import HERE, free_port, wait_until_ready
from tests.support.processes import end_group, start

LAYOUT = {
    "engine/bullscows": "bullscows",
    "app/bullscows_web": "bullscows_web",
    "static": "bullscows_web/static",
    "templates": "bullscows_web/templates",
    "trees": "bullscows/trees",
}
"""Folders of a checkout, and where a wheel has them."""
TREE = "avg-bulls-cows-3-of-6"
PLAYED = "avg-bulls-cows"

pytestmark = pytest.mark.process


def build(target: str, checkout: Path, folder: Path) -> Path:
    """Build `target` of a checkout as pip does, without isolation, and return the file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, check=True, capture_output=True, cwd=checkout)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive in another folder, where every file is as old as the archive says."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder / f"bullscows-{__version__}"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an empty environment with the wheel; what it needs is lent by this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "--quiet"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", wheel], check=True)
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "lent.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")
    return folder / "bin"


@pytest.fixture
def neighbour(tmp_path: Path) -> Path:
    """A folder with data of the same names, which the installed package must not read."""
    for name in ("nonadaptive", "templates", "trees"):
        (tmp_path / name).mkdir()
    return tmp_path


def environment(folder: Path, **more: str) -> Mapping[str, str]:
    """The environment of a command whose modules are looked for in `folder` first."""
    kept = {name: value for name, value in os.environ.items() if "BULLSCOWS" not in name}
    return kept | {"PYTHONPATH": str(folder), "XDG_STATE_HOME": str(folder / "state")} | more


def run(*command: str | Path, folder: Path, **more: str) -> str:
    """Run a command beside a neighbour's packages, and return what it says."""
    found = subprocess.run(
        command, cwd=folder, env=environment(folder, **more), capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as file:
        return set(file.namelist())


# -- what is inside ----------------------------------------------------------------------------


def test_the_wheel_has_the_sources_and_data_of_the_checkout(wheel: Path) -> None:
    wanted = {
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}": path.read_bytes()
        for folder, inside in LAYOUT.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not {"__pycache__", "checkpoints"} & set(path.parts)
        and ".sqlite" not in path.name
    }
    with ZipFile(wheel) as file:
        found = {name: file.read(name) for name in file.namelist() if ".dist-info/" not in name}
    assert found.keys() == wanted.keys()
    assert found == wanted
    for ending in ("messages.po", "published.json", "py.typed", "__init__.pyi", "p4c10n.json"):
        assert any(name.endswith(ending) for name in found), ending


def test_the_wheel_carries_its_licence_and_needs(wheel: Path) -> None:
    info = f"bullscows-{__version__}.dist-info"
    assert f"{info}/licenses/LICENSE" in names(wheel)
    with ZipFile(wheel) as file:
        metadata = file.read(f"{info}/METADATA").decode()
    needs = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    plain = {line.split()[1].split(">")[0] for line in needs if "extra ==" not in line}
    assert plain == {"lazy-loader", "numba<0.69,", "numpy", "rich", "typer"}
    assert any(line.startswith("Requires-Dist: fastapi") and "'web'" in line for line in needs)


def test_the_archive_has_what_tests_and_builds_need(unpacked: Path) -> None:
    for name in ("tests", "Makefile", "requirements-dev.lock"):
        assert (unpacked / name).exists(), name
    for name in (".venv", ".git", "dist"):
        assert not (unpacked / name).exists(), name


# -- the same bytes ----------------------------------------------------------------------------


@pytest.mark.slow  # that of the archive is built from other files, and is the same too
def test_a_wheel_built_twice_is_the_same(wheel: Path, tmp_path: Path) -> None:
    assert build("wheel", ROOT, tmp_path).read_bytes() == wheel.read_bytes()


def test_the_wheel_of_the_archive_is_that_of_the_checkout(
    wheel: Path, unpacked: Path, tmp_path: Path
) -> None:
    for path in unpacked.rglob("*.py"):
        os.utime(path, (1e9, 1e9))
        path.chmod(0o600)
    assert build("wheel", unpacked, tmp_path).read_bytes() == wheel.read_bytes()


def test_an_archive_built_twice_is_the_same(archive: Path, tmp_path: Path) -> None:
    assert build("sdist", ROOT, tmp_path).read_bytes() == archive.read_bytes()


# -- installed ---------------------------------------------------------------------------------


def test_it_verifies_the_trees_that_it_brings(installed: Path, neighbour: Path) -> None:
    found = json.loads(run(installed / "bullscows", "verify", "--json", folder=neighbour))
    assert {tree["name"] for tree in found["trees"]} == {
        path.stem for path in (ROOT / "trees").glob("*.json")
    }
    assert all(tree["ok"] for tree in found["trees"])


def test_the_module_runs_the_command_line(installed: Path, neighbour: Path) -> None:
    found = run(installed / "python", "-m", "bullscows", "--version", folder=neighbour)
    assert found == f"bullscows {__version__}\n"


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_it_serves_pages_in_both_languages_and_the_api(
    installed: Path, neighbour: Path, tmp_path: Path, workers: int
) -> None:
    """One process plays the trees that the wheel brings; of two each would verify them again."""
    own = {}
    if workers > 1:
        (tmp_path / "few").mkdir()
        shutil.copy(ROOT / "trees" / f"{PLAYED}.json", tmp_path / "few")
        shutil.copy(ROOT / "trees" / f"{TREE}.json", tmp_path / "few")
        own = {"BULLSCOWS_TREES": str(tmp_path / "few")}
    port, log = free_port(), neighbour / "log"
    command = [str(installed / "bullscows"), "serve", "--port", str(port), "--workers"]
    with log.open("w") as output:
        process = start(
            [*command, str(workers)],
            cwd=neighbour,
            env=environment(neighbour, BULLSCOWS_SEARCH_AT_START="false", **own),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    site = f"http://{HERE}:{port}"
    try:
        wait_until_ready(process, f"{site}/readyz", log)
        assert 'data-guess="' in read(f"{site}/play/{PLAYED}/k3")
        assert 'lang="ru"' in read(f"{site}/ru/")
        assert json.loads(read(f"{site}/api/v1/trees/{TREE}"))["engine_version"]
        for file in ("vendor/htmx-4.0.1.min.js", "icons/favicon.svg"):
            assert read(f"{site}/static/{file}") == (ROOT / "static" / file).read_text()
    finally:
        end_group(process, 20)
    assert "Traceback" not in log.read_text()


def read(address: str) -> str:
    with urlopen(address, timeout=20) as answer:
        return str(answer.read().decode())


@pytest.mark.slow
def test_it_solves_and_builds(installed: Path, neighbour: Path, tmp_path: Path) -> None:
    """It has to compile the search first, in its own folder."""
    mine, bullscows = tmp_path / "mine", installed / "bullscows"
    mine.mkdir()
    found: Any = json.loads(run(bullscows, "solve", "p3c6n", "--json", folder=neighbour))
    assert (found["total"], found["optimal"]) == (436, True)
    built = ("build", TREE, "--threads", "2")
    run(bullscows, *built, folder=neighbour, BULLSCOWS_TREES=str(mine))
    assert (mine / f"{TREE}.json").read_bytes() == (ROOT / "trees" / f"{TREE}.json").read_bytes()
    shutil.rmtree(mine)
