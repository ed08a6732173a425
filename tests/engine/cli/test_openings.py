"""``bullscows openings``: positions proved, kept when it is killed, and searched again."""

import json
import sys
import time
from pathlib import Path

import pytest

from bullscows.analysis.openings import read_openings
from bullscows.build import openings as build
from bullscows.game.rules import Rules
from bullscows.tree.storage import dump_record
from tests.engine.cli.test_commands import run, run_json
from tests.support.processes import end_group, start

GAME = "p2c5r"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trees")
    assert run("openings", GAME, "--trees", str(folder)).exit_code == 0
    return folder


def file_of(folder: Path) -> Path:
    return folder / "openings" / f"{GAME}.json"


def test_command_makes_a_file(tmp_path: Path) -> None:
    value = run_json("openings", GAME, "--trees", str(tmp_path))
    found = read_openings(file_of(tmp_path), GAME)
    assert value["games"] == [{"rules": GAME, "proved": len(found), "left_out": [], "ok": True}]
    assert [path.name for path in file_of(tmp_path).parent.iterdir()] == [f"{GAME}.json"]


def test_check_searches_all_again_or_a_few(made: Path) -> None:
    number = len(read_openings(file_of(made), GAME))
    done = run("openings", "--all", "--check", "--trees", str(made))
    assert done.stdout == (f"{GAME}: {number} of {number} positions searched again (all), ok\n")
    done = run("openings", GAME, "--check", "--sample", "2", "--trees", str(made))
    assert done.stdout == (
        f"{GAME}: 2 of {number} positions searched again (drawn at random), ok\n"
    )


@pytest.mark.parametrize("less", [(1, 0), (0, 1)])
def test_check_finds_a_wrong_value_under_a_right_digest(
    made: Path, tmp_path: Path, less: tuple[int, int]
) -> None:
    """Either the total is wrong or the least last turn is."""
    record = json.loads(file_of(made).read_text())
    positions = record["aims"][0]["positions"]
    wrong = next(iter(positions))
    guess, *costs = positions[wrong].split()
    lowered = [int(cost) - lost for cost, lost in zip(costs, less, strict=True)]
    positions[wrong] = " ".join([guess, *map(str, lowered)])
    file_of(tmp_path).parent.mkdir()
    file_of(tmp_path).write_text(dump_record(record))
    value = run_json("openings", GAME, "--check", "--trees", str(tmp_path), code=1)
    assert not value["ok"]
    assert wrong in value["games"][0]["error"]


def test_check_refuses_a_damaged_file(made: Path, tmp_path: Path) -> None:
    file_of(tmp_path).parent.mkdir()
    file_of(tmp_path).write_text(file_of(made).read_text()[:-9])
    done = run("openings", GAME, "--check", "--trees", str(tmp_path))
    assert done.exit_code == 1
    assert f"{GAME}: FAILED: {GAME}.json: not JSON" in done.stdout


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
def test_what_makes_no_sense_is_refused(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")


def test_too_little_time_leaves_positions_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_over(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(build, "_proved", is_over)
    value = run_json("openings", GAME, "--trees", str(tmp_path), "--time-limit", "0.01")
    (row,) = value["games"]
    assert row["proved"] == 0
    assert f"{GAME} average,worst - 01:0.0" in row["left_out"]
    assert list((tmp_path / "openings").iterdir()) == []


def test_interrupted_goes_on_where_it_was(tmp_path: Path) -> None:
    searched = []

    def interrupt(text: str) -> None:
        searched.append(text)
        if len(searched) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build.make(Rules.parse(GAME), tmp_path, progress=interrupt)
    assert [path.name for path in (tmp_path / "openings").iterdir()] == [f".{GAME}.json.part"]
    made = build.make(Rules.parse(GAME), tmp_path, progress=searched.append)
    assert len(searched) == len(made.openings) + 1
    assert len(set(searched)) == len(made.openings)
    assert read_openings(file_of(tmp_path), GAME) == made.openings


@pytest.mark.process
def test_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed without notice once something is saved, then run again: the same file comes out."""
    slow = (
        "import bullscows.build.openings as build, time, sys\n"
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
    made = build.make(Rules.parse(GAME), tmp_path, progress=lines.append)
    assert len(lines) == len(made.openings) - len(begun)
    assert not part.exists()
