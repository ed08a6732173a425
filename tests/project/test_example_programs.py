"""The programs in docs/examples, run against a real server."""

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from bullscows.game.rules import Rules, respond
from tests import ROOT

FOLDER = ROOT / "docs" / "examples"
CLIENT, BOT, MATCH_BOT = (FOLDER / f"{name}.py" for name in ("client", "bot", "match_bot"))

pytestmark = pytest.mark.process


def printed(program: Path, *words: str) -> list[str]:
    command = [sys.executable, str(program), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


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


def test_client_raises_the_problem_of_the_server(real_server: str) -> None:
    program = "; ".join(
        (
            f"import sys; sys.path.insert(0, {str(FOLDER)!r})",
            "from client import Client, Problem",
            f"client = Client({real_server!r})",
            "print(issubclass(Problem, Exception))",
            "client.analyse('p3c6n', {'guess': '012', 'bulls': 2, 'cows': 1})",
        )
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "True\n"
    assert "client.Problem" in done.stderr


@pytest.fixture
def plain_server() -> Iterator[str]:
    """A server that answers 503 with HTML, as a proxy does."""

    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(503)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<h1>busy</h1>")

        def log_message(self, format: str, *words: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_client_reports_the_status_of_a_response_without_json(plain_server: str) -> None:
    command = [sys.executable, str(CLIENT), plain_server]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "httpx.HTTPStatusError" in done.stderr
    assert "503 Service Unavailable" in done.stderr
    assert "JSONDecodeError" not in done.stderr


def test_client_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 80
