"""The published packages: wheel and source archive in empty environments, with the README.

`make release-check` runs these tests on the files in `dist/`; they install dependencies.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.fences import SERVER, Fence, fences
from tests.support.servers.processes import end_group, start
from tests.support.servers.serving import HERE, reserved_port, wait_until_ready

README = fences(ROOT / "README.md")
DIST = os.environ.get("RELEASE_FILES", "")

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(not DIST, reason="make release-check names the files to test"),
]


@pytest.fixture(scope="module", params=["*.whl", "*.tar.gz"])
def scripts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a new environment in which a file was installed by pip."""
    (file,) = (ROOT / DIST).glob(request.param)
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", f"{file}[web]", "httpx"], check=True)
    return folder / "bin"


def run(scripts: Path, command: list[str | Path], folder: Path) -> str:
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if "BULLSCOWS" not in name}
    done = subprocess.run(
        command, cwd=folder, env=kept | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def blocks(language: str, text: str) -> list[Fence]:
    found = [one for one in README if one.language == language and text in one.text]
    assert found, f"the README has no {language} block with {text}"
    return found


def untimed(text: str) -> str:
    """Return a result without nodes and seconds."""
    return re.sub(r"\([0-9,]+ nodes, [0-9.]+ s\)", "", text)


def test_commands_of_the_readme_print_what_it_shows(scripts: Path, tmp_path: Path) -> None:
    for block in blocks("sh", "bullscows "):
        found = "".join(run(scripts, ["sh", "-c", one], tmp_path) for one in block.commands)
        assert block.following is not None
        assert untimed(found) == untimed(block.following.text)


def test_library_examples_of_the_readme_are_right(scripts: Path, tmp_path: Path) -> None:
    assert blocks("pycon", ">>> import bullscows")
    copy = tmp_path / "README.md"
    copy.write_text((ROOT / "README.md").read_text(encoding="utf-8"), encoding="utf-8")
    run(scripts, [scripts / "python", "-m", "doctest", copy], tmp_path)


@pytest.fixture
def server(scripts: Path, tmp_path: Path) -> Iterator[str]:
    port = reserved_port()
    log = tmp_path / "log"
    command = [str(scripts / "bullscows"), "serve", "--port", str(port)]
    with log.open("w") as output:
        process = start(command, cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT)
    try:
        wait_until_ready(process, f"http://{HERE}:{port}/readyz", log)
        yield f"http://{HERE}:{port}"
    finally:
        end_group(process, 120)


def test_requests_of_the_readme_are_answered(scripts, server, tmp_path):
    for block in blocks("sh", "curl "):
        for command in block.commands:
            said = run(scripts, ["sh", "-c", command.replace(SERVER, server)], tmp_path)
            assert '"guess":"1456"' in said
