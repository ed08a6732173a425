"""The wheel and the source archive: their contents, and the wheel installed and used."""

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import numpy
import pytest

from bullscows import __version__
from bullscows.tree.storage import tree_files
from tests import ROOT
from tests.support.servers.processes import end_group, start
from tests.support.servers.serving import HERE, reserved_port, wait_until_ready

LAYOUT = {
    "engine/bullscows": "bullscows",
    "app/bullscows_web": "bullscows_web",
    "static": "bullscows_web/static",
    "templates": "bullscows_web/templates",
    "trees": "bullscows/trees",
}
"""Folders of a checkout, and their places in a wheel."""
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
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a new environment with the wheel; it borrows the dependencies of this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "--quiet"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", wheel], check=True)
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "borrowed.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")
    return folder / "bin"


@pytest.fixture
def neighbour(tmp_path: Path) -> Path:
    """A folder with data of the same names, which the installed package must not read."""
    for name in ("static", "templates", "trees"):
        (tmp_path / name).mkdir()
    return tmp_path


def environment(folder: Path, **more: str) -> Mapping[str, str]:
    """Return an environment in which modules of `folder` are found first."""
    kept = {name: value for name, value in os.environ.items() if "BULLSCOWS" not in name}
    return kept | {"PYTHONPATH": str(folder), "XDG_STATE_HOME": str(folder / "state")} | more


def run(*command: str | Path, folder: Path, **more: str) -> str:
    found = subprocess.run(
        command, cwd=folder, env=environment(folder, **more), capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_wheel_has_the_sources_and_data_of_the_checkout(wheel: Path) -> None:
    """Without the largest proofs it has less than 5 MB."""
    wanted = {
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}": path.read_bytes()
        for folder, inside in LAYOUT.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not {"__pycache__", "checkpoints"} & set(path.parts)
        and ".sqlite" not in path.name
        and not (".proof" in path.suffixes and path.stat().st_size > 500_000)
    }
    with ZipFile(wheel) as file:
        found = {name: file.read(name) for name in file.namelist() if ".dist-info/" not in name}
    assert found.keys() == wanted.keys()
    assert found == wanted
    assert wheel.stat().st_size < 5_000_000


def test_wheel_of_the_source_archive_is_that_of_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Byte for byte, although the files have other times and permissions."""
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as file:
        # Python 3.11.2, that of Debian 12, has no filters.
        file.extraction_filter = getattr(tarfile, "data_filter", None)
        file.extractall(tmp_path)
    unpacked = tmp_path / f"bullscows-{__version__}"
    for name in ("tests", "Makefile", "requirements-dev.lock"):
        assert (unpacked / name).exists(), name
    for name in (".venv", ".git", "dist"):
        assert not (unpacked / name).exists(), name
    for path in unpacked.rglob("*.py"):
        os.utime(path, (1e9, 1e9))
        path.chmod(0o600)
    assert build("wheel", unpacked, tmp_path / "wheel").read_bytes() == wheel.read_bytes()


def test_installed_command_verifies_its_trees(installed: Path, neighbour: Path) -> None:
    found = json.loads(run(installed / "bullscows", "verify", "--json", folder=neighbour))
    assert {tree["name"] for tree in found["trees"]} == {
        path.stem for path in tree_files(ROOT / "trees")
    }
    assert all(tree["ok"] for tree in found["trees"])
    version = run(installed / "python", "-m", "bullscows", "--version", folder=neighbour)
    assert version == f"bullscows {__version__}\n"


def test_installed_server_serves_pages_in_both_languages_and_the_api(installed, neighbour):
    port = reserved_port()
    log = neighbour / "log"
    command = [str(installed / "bullscows"), "serve", "--port", str(port)]
    given = environment(neighbour)
    with log.open("w") as output:
        process = start(command, cwd=neighbour, env=given, stdout=output, stderr=output)
    site = f"http://{HERE}:{port}"
    try:
        wait_until_ready(process, f"{site}/readyz", log)
        assert 'data-guess="' in read(f"{site}/play/{PLAYED}/k3")
        assert 'lang="ru"' in read(f"{site}/ru/")
        assert json.loads(read(f"{site}/api/v1/trees/{TREE}"))["engine_version"]
        for file in ("vendor/htmx-4.0.1.min.js", "icons/favicon.svg"):
            assert read(f"{site}/static/{file}") == (ROOT / "static" / file).read_text()
    finally:
        end_group(process, 120)
    assert "Traceback" not in log.read_text()


def read(address: str) -> str:
    with urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())
