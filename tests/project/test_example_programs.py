"""The programs in docs/examples, run against a real server."""

import subprocess
import sys
from pathlib import Path

import pytest

from bullscows.game.rules import Rules, respond
from tests import ROOT
from tests.support.servers.serving import reserved_port

FOLDER = ROOT / "docs" / "examples"
CLIENT, BOT, MATCH_BOT = (FOLDER / f"{name}.py" for name in ("client", "bot", "match_bot"))

pytestmark = pytest.mark.process


def run(program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(program), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def printed(program: Path, *words: str) -> list[str]:
    done = run(program, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_refused_request_ends_a_bot_in_one_line(real_server: str) -> None:
    for program, words in ((BOT, ("2026-11-21", real_server)), (MATCH_BOT, (real_server,))):
        done = run(program, *words, "p9c9n")
        assert done.returncode == 1
        [line] = done.stderr.splitlines()
        assert line.startswith("error: ")
        assert "p9c9n" in line


def test_programs_end_in_one_line_if_no_server_answers() -> None:
    nowhere = f"http://127.0.0.1:{reserved_port()}"
    for program, words in ((CLIENT, ()), (BOT, ("2026-11-21",)), (MATCH_BOT, ())):
        done = run(program, *words, nowhere)
        assert done.returncode == 1
        assert done.stderr == "error: [Errno 111] Connection refused\n"


def test_client_plays_analyses_and_evaluations(real_server: str) -> None:
    played, advised, priced = printed(CLIENT, real_server)
    assert played.startswith("guesses for 2718: 0123 ")
    assert played.endswith(" 2718")
    assert advised == "best: 0223 optimal"
    assert priced == "2233 costs more: 0.14453125"


@pytest.mark.parametrize(("rules", "day"), [("p4c10n", "2026-11-21"), ("p4c6r", "2026-01-01")])
def test_bot_solves_the_puzzle_of_a_day(real_server: str, rules: str, day: str) -> None:
    """Each printed answer is true for the code that the bot found."""
    turns = [line.split() for line in printed(BOT, day, real_server, rules)]
    game = Rules.parse(rules)
    secret = game.code(game.parse_code(turns[-1][0]))
    true = [(guess, str(respond(game.code(game.parse_code(guess)), secret))) for guess, _ in turns]
    assert [tuple(turn) for turn in turns] == true
    assert turns[-1][1] == "4.0"
    assert len(turns) <= 7


def test_two_bots_play_a_match(real_server: str) -> None:
    one, other, (_, winner) = (line.split() for line in printed(MATCH_BOT, real_server))
    assert len(one) == len(other), "both have the same number of turns"
    found = [
        name
        for name, guess, secret in ((one[0], one[-1], other[1]), (other[0], other[-1], one[1]))
        if guess == secret
    ]
    assert winner == (found[0] if len(found) == 1 else "draw")
    assert found
