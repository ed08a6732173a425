"""``bullscows openings``: positions proved, kept when it is killed, and searched again."""

import sys
import time
from pathlib import Path

import pytest

from bullscows.analysis.openings import read_openings
from bullscows.game.rules import Rules
from bullscows.shipping import openings as build
from tests.engine.cli.test_commands import run
from tests.support.servers.processes import end_group, start

pytestmark = pytest.mark.large

GAME = "p2c5r"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trees")
    assert run("openings", GAME, "--trees", str(folder)).exit_code == 0
    return folder


def file_of(folder: Path) -> Path:
    return folder / "openings" / f"{GAME}.json"


def test_check_searches_all_again_or_a_few(made: Path) -> None:
    number = len(read_openings(file_of(made), GAME))
    done = run("openings", "--all", "--check", "--trees", str(made))
    assert done.stdout == f"{GAME}: {number} of {number} positions searched again (all), ok\n"
    done = run("openings", GAME, "--check", "--sample", "2", "--trees", str(made))
    assert done.stdout == f"{GAME}: 2 of {number} positions searched again (drawn at random), ok\n"
    assert [path.name for path in file_of(made).parent.iterdir()] == [f"{GAME}.json"]


@pytest.mark.parametrize(
    "words",
    [
        ["openings"],
        ["openings", GAME, "--all"],
        ["openings", GAME, "--sample", "2"],
        ["openings", "p4c99n"],
        ["openings", "p8c16r", "--trees", "."],
        ["openings", "--all", "--check", "--trees", "."],
    ],
)
def test_what_makes_no_sense_is_refused(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.process
def test_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed without notice once something is saved, then run again: the same file comes out."""
    slow = (
        "import bullscows.shipping.openings as build, time, sys\n"
        "from pathlib import Path\n"
        "from bullscows.game.rules import Rules\n"
        "build.SAVE_SECONDS = 0.0\n"
        "wait = lambda _: time.sleep(0.2)\n"
        f"build.make(Rules.parse('{GAME}'), Path(sys.argv[1]), progress=wait)\n"
    )
    process = start([sys.executable, "-c", slow, str(tmp_path)])
    part = tmp_path / "openings" / f".{GAME}.json.part"
    ends = time.monotonic() + 60
    while not part.exists() and time.monotonic() < ends:
        time.sleep(0.05)
    end_group(process)
    begun = read_openings(part, GAME)
    assert len(begun) >= 1
    lines: list[str] = []
    made, _ = build.make(Rules.parse(GAME), tmp_path, progress=lines.append)
    assert len(lines) == len(made) - len(begun)
    assert not part.exists()
