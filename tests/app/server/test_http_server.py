"""A real server in a process of its own: the command that visitors' requests meet."""

import http.client
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bullscows_web.server.http_server import FIELDS
from tests import ROOT
from tests.support.servers.processes import end_group, start
from tests.support.servers.serving import (
    Server,
    reserved_port,
    running,
    wait_until,
    wait_until_it_answers,
)

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def server(small_trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(small_trees, tmp_path_factory.mktemp("server") / "log") as server:
        yield server


@pytest.fixture(scope="module")
def shared_pair(small_trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Two processes that count together."""
    folder = tmp_path_factory.mktemp("pair")
    asked = {"BULLSCOWS_METRICS": "true", "TMPDIR": str(folder), "BULLSCOWS_LOG_FORMAT": "json"}
    with running(small_trees, folder / "log", "--workers", "2", **asked) as server:
        yield server
    assert not list(folder.glob("bullscows-metrics-*"))


@pytest.fixture
def pair(shared_pair: Server) -> Server:
    """The two processes, both answering: tests may kill them."""
    wait_for_two(shared_pair)
    return shared_pair


def wait_for_two(pair: Server) -> None:
    """Wait until each of two processes answers while the other one rests."""
    wait_until(lambda: len(pair.workers()) == 2, pair.log)
    for worker in pair.workers():
        with stopped(worker):
            wait_until_it_answers(pair)


@contextmanager
def stopped(worker: int) -> Iterator[None]:
    """Let a process rest, so that another one answers."""
    os.kill(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(worker, signal.SIGCONT)


@pytest.mark.parametrize(
    "first_line",
    [
        *(b"GET /api/v1/trees/" + b"x" * 10_000, b"GET /play/" + b"0.1-" * 2_500),
        *(b"GET /api/v1/trees/\x00", b"GET /api/v1/trees/\xff\xfe"),
        *(b"GET /api/v1/sessions/small-mastermind~0~\xd9\xa0.\xd9\xa1", b"GET /../../etc/passwd"),
        *(b"GET http://evil.example/api/v1/none", b"NONSENSE /api/v1/trees"),
        *(b"OPTIONS *", b"GET *", b"POST *", b"CONNECT localhost:80", b"GET ", b"GET ?x", b"GET x"),
        *(b"GET http://localhost", b"OPTIONS http://localhost/", b"GET //x"),
    ],
)
def test_bad_first_line_is_refused(server: Server, first_line: bytes):
    answer = server.send(first_line + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.split()[1][:1] == b"4"
    assert server.request("GET", "/healthz")[0] == 200


@pytest.mark.parametrize("hosts", [b"", b"Host:\r\n"], ids=["missing", "empty"])
def test_request_without_a_host_is_refused(server: Server, hosts: bytes):
    for version in (b"1.0", b"1.1"):
        first = b"GET /healthz HTTP/" + version + b"\r\n"
        answer = server.send(first + hosts + b"Connection: close\r\n\r\n")
        assert answer.split()[1] == b"400"


def test_large_body_is_refused_and_the_answer_arrives(server: Server):
    head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n"
    answer = server.send(head + b"x" * 4_000_000)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"application/problem+json" in answer


def test_uvicorn_with_the_documented_configuration_writes_json_lines(
    small_trees: Path, tmp_path: Path
):
    log = tmp_path / "log"
    configuration = ROOT / "docs" / "operations" / "uvicorn-log.json"
    options = ("--log-config", str(configuration))
    app = "bullscows_web.main:create_app"
    with running(small_trees, log, *options, app=app, BULLSCOWS_LOG_FORMAT="json") as server:
        assert server.request("GET", "/healthz?secret")[0] == 200
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert {"uvicorn.error", "bullscows_web.requests"} <= {line["logger"] for line in lines}
    assert "secret" not in log.read_text(encoding="utf-8")
    known = {"time", "level", "logger", "message", *FIELDS}
    assert [line for line in lines if not set(line) <= known] == []


def test_nothing_is_said_of_the_software(server: Server):
    answer = server.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert b"server:" not in answer.lower()


def test_head_leaves_the_connection_open(server: Server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/about")
    length = len(connection.getresponse().read())
    for _ in range(2):
        connection.request("HEAD", "/about")
        response = connection.getresponse()
        assert response.status == 200
        assert int(response.headers["content-length"]) == length
        assert not response.read()
    connection.close()
    assert "Traceback" not in server.log.read_text()


def test_game_goes_on_in_another_server(server: Server, pair: Server):
    """So it survives a restart: nothing of it is kept."""
    body = {"tree": "small-bulls-cows", "shuffle": True}
    _, session = server.request("POST", "/api/v1/sessions", body)
    assert pair.request("GET", f"/api/v1/sessions/{session['id']}") == (200, session)


ASKED = 'bullscows_requests_total{method="GET",route="/api/v1/trees",status="200"}'
"""Requests that only tests of counters send."""


def count_once_more(pair: Server, count: float) -> None:
    """Send a request, and wait until it is counted: a process answers it first."""
    pair.request("GET", "/api/v1/trees")
    wait_until(lambda: pair.counters().get(ASKED) == count + 1, pair.log)


def test_counters_of_two_processes_never_fall(pair: Server):
    before = pair.counters()
    at_start = before.get(ASKED, 0)
    for number, worker in enumerate(3 * sorted(pair.workers())):
        with stopped(worker):
            count_once_more(pair, at_start + number)
            counters = pair.counters()
        assert all(counters[name] >= value for name, value in before.items())
        before = counters
    assert before[ASKED] == at_start + 6
    assert before['bullscows_trees{state="playable"}'] == 2


def test_log_as_json_has_one_object_a_line(pair: Server):
    pair.request("GET", "/api/v1/sessions/small-mastermind~0")
    wait_until(lambda: "/api/v1/sessions/{id}" in pair.log.read_text(), pair.log)
    lines = [json.loads(line) for line in pair.log.read_text().splitlines()]
    asked = [(line["class"], line["status"]) for line in lines if "{id}" in line.get("route", "")]
    assert set(asked) == {("api", 200)}
    assert all({"time", "level", "logger"} <= line.keys() for line in lines)
    said = [str(line.get("message")) for line in lines]
    assert any("answering to localhost" in text for text in said), "what the server says itself"
    assert any("Application startup complete" in text for text in said), "and what uvicorn does"
    assert not any("HTTP/1.1" in text for text in said), "no request twice"


def test_counters_outlive_the_process_that_counted(pair: Server):
    """Nobody waits for the process that replaces it: that can take as long as a health check."""
    first, second = pair.workers()
    before = pair.counters().get(ASKED, 0)
    with stopped(second):
        for number in range(10):
            count_once_more(pair, before + number)
        os.kill(first, signal.SIGKILL)
    counters = pair.counters()
    assert counters[ASKED] == before + 10
    assert counters['bullscows_trees{state="playable"}'] == 2


def test_start_says_what_is_closed(server: Server):
    log = server.log.read_text().partition("Started server process")[0]
    assert "without protection" not in log, "nobody else reaches this address"
    assert is_refused(server, b"game.example")
    assert "answering to localhost, 127.0.0.1, [::1]" in log
    assert "/metrics is off" in log
    assert "WARNING" not in log


def is_refused(server: Server, host: bytes) -> bool:
    """Whether a request under this name gets 400, and not 200."""
    first_line = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n"
    status = server.send(first_line + b"Host: " + host + b"\r\n\r\n").split()[1]
    assert status in (b"200", b"400")
    return status == b"400"


@pytest.mark.parametrize(
    ("environment", "options", "said", "ending", "code"),
    [
        (
            {},
            ("--host", "0.0.0.0"),
            [
                "listening on 0.0.0.0, but answering to localhost, 127.0.0.1",
                "listening on 0.0.0.0 without protection from slow clients",
            ],
            signal.SIGTERM,
            -signal.SIGTERM,
        ),
        (
            {"BULLSCOWS_ALLOWED_HOSTS": "*", "BULLSCOWS_METRICS": "true"},
            (),
            ["answering to any host name", "/metrics is on"],
            signal.SIGINT,
            0,
        ),
    ],
)
def test_server_says_who_is_answered_and_ends_when_asked(
    small_trees: Path,
    tmp_path: Path,
    environment: dict[str, str],
    options: Sequence[str],
    said: Sequence[str],
    ending: signal.Signals,
    code: int,
):
    """If SIGTERM ends the server, its exit status says so."""
    with running(small_trees, tmp_path / "log", *options, **environment) as server:
        assert is_refused(server, b"game.example") == ("BULLSCOWS_ALLOWED_HOSTS" not in environment)
        server.process.send_signal(ending)
        assert server.process.wait(timeout=120) == code
        log = server.log.read_text()
    assert all(sentence in log for sentence in said)
    assert ("WARNING" in log) == bool(options)
    assert "Application shutdown complete" in log
    assert "Traceback" not in log


LAUNCH = """
from bullscows_web.server.http_server import run
if __name__ == "__main__":
    run("tests.support.servers.toyapp:create_app", host="127.0.0.1", port={port}, connections=3)
"""
"""A server of an application that starts at once, with a low concurrency limit."""


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Server]:
    port = reserved_port()
    log = tmp_path / "log"
    script = tmp_path / "launch.py"
    script.write_text(LAUNCH.format(port=port))
    given = os.environ | {"PYTHONPATH": str(ROOT)}
    with log.open("w") as output:
        process = start([sys.executable, str(script)], env=given, stdout=output, stderr=output)
    try:
        wait_until(lambda: "Uvicorn running" in log.read_text(), log)
        yield Server(process, port, log)
    finally:
        end_group(process, 120)


def test_request_in_progress_is_answered_after_the_signal_to_stop(toy: Server):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
    with socket.create_connection(("127.0.0.1", toy.port), 30) as client:
        client.sendall(head)
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")
        toy.process.terminate()
        wait_until(lambda: "Shutting down" in toy.log.read_text(), toy.log)
        client.sendall(b"ok")
        answer = b"".join(iter(lambda: client.recv(1000), b""))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"hello")
    assert toy.process.wait(120) == -signal.SIGTERM


def test_connections_beyond_the_limit_get_503(toy: Server):
    line = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert toy.send(line).startswith(b"HTTP/1.1 200 ")
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(socket.create_connection(("127.0.0.1", toy.port), 30))
        assert toy.send(line).startswith(b"HTTP/1.1 503 ")
    wait_until(lambda: toy.send(line).startswith(b"HTTP/1.1 200 "), toy.log)
