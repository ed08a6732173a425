"""``bullscows openings``: positions proved, kept when it is killed, and searched again."""

from pathlib import Path

import pytest

from bullscows.analysis.openings import read_openings
from bullscows.game.rules import Rules
from bullscows.shipping.openings import make
from tests.engine.cli.test_commands import run

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


def test_interrupted_work_goes_on_where_it_was(tmp_path: Path) -> None:
    lines: list[str] = []

    def interrupt(line: str) -> None:
        lines.append(line)
        if len(lines) == 4:
            raise KeyboardInterrupt

    rules = Rules.parse(GAME)
    with pytest.raises(KeyboardInterrupt):
        make(rules, tmp_path, progress=interrupt)
    made, _ = make(rules, tmp_path, progress=lines.append)
    assert len(lines) == len(made) + 1, "only the fourth position is searched twice"
    assert [path.name for path in file_of(tmp_path).parent.iterdir()] == [f"{GAME}.json"]
