"""The HTTP server in processes of its own, against clients that mean no good, and at its end."""

import http.client
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bullscows_web.server.limits import Limits, network
from tests import ROOT
from tests.app.server.test_processes import free_port
from tests.support.processes import end_group, start

LAUNCH = """
from bullscows_web.server.limits import Limits
from bullscows_web.server.processes import run
if __name__ == "__main__":
    run("tests.support.toyapp:create_app", host="127.0.0.1", port={port}, workers={workers},
          limits={limits!r})
"""
HALF_OPEN = [
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx",
]
HURRIED = Limits(connections=20, head_seconds=1, body_seconds=1, stall_seconds=1, linger_seconds=1)

pytestmark = pytest.mark.process


@dataclass
class Server:
    process: subprocess.Popen[str]
    port: int
    clients: ExitStack = field(default_factory=ExitStack)

    def connect(self, content: bytes = b"", source: str = "") -> socket.socket:
        """Return a connection on which this has been sent; it is closed with the server."""
        address, own = ("127.0.0.1", self.port), (source, 0)
        client = self.clients.enter_context(socket.create_connection(address, 20, own))
        client.sendall(content)
        return client

    def status(self, path: str = "/") -> int:
        """Return the status of a request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()


@contextmanager
def serving(
    folder: Path,
    limits: Limits = HURRIED,
    workers: int = 1,
    before: Callable[[], None] | None = None,
) -> Iterator[Server]:
    port, script = free_port(), folder / "launch.py"
    script.write_text(LAUNCH.format(port=port, workers=workers, limits=limits))
    log = folder / "log"
    with log.open("w") as output:
        process = start(
            [sys.executable, str(script)],
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=before,
            env={"PYTHONPATH": str(ROOT)},
        )
    server = Server(process, port)
    try:
        wait_for(lambda: answers(server), log)
        yield server
    finally:
        server.clients.close()
        end_group(process, 30)


def answers(server: Server) -> bool:
    try:
        return server.status() == 200
    except OSError:
        return False


def wait_for(condition: Callable[[], bool], log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


def all_that_comes(client: socket.socket) -> bytes:
    """Return what the server sends until it closes the connection, however it does."""
    content = b""
    try:
        while piece := client.recv(1 << 20):
            content += piece
    except ConnectionError:
        pass
    return content


def head(length: int) -> bytes:
    """Return a request whose first line and headers are that long."""
    first, last = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: ", b"\r\n\r\n"
    return first + b"x" * (length - len(first) - len(last)) + last


def is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_what_the_start_made_is_not_looked_through_for_garbage(server: Server):
    client = server.connect(b"GET /collector HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert all_that_comes(client).endswith(b"\r\nTrue True")


@pytest.mark.parametrize("content", HALF_OPEN)
def test_half_open_connections_make_room(server: Server, content: bytes):
    clients = [server.connect(content) for _ in range(3 * HURRIED.connections)]
    assert server.status() == 200
    assert sum(map(is_closed, clients)) >= 2 * HURRIED.connections


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 has to be set up first")
def test_crowd_from_one_address_costs_others_nothing(server: Server):
    visitor = server.connect(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert ask(visitor, b"").endswith(b"hello")
    for _ in range(3 * HURRIED.connections):
        server.connect(b"GET / HT", "127.0.0.2")
    assert server.status() == 200
    assert ask(visitor, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").endswith(b"hello")


def test_more_half_open_connections_than_files(tmp_path: Path):
    few = (640, 640)  # 64 connections
    limit_files = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, few)  # noqa: E731
    with serving(tmp_path, Limits(), before=limit_files) as server:
        for _ in range(800):
            server.connect(b"GET / HT")
        assert server.status() == 200
        assert "LimitNOFILE" in (tmp_path / "log").read_text()


def test_request_that_does_not_come_is_not_waited_for(server: Server):
    for client in [server.connect(content) for content in HALF_OPEN]:
        answer = all_that_comes(client)
        assert answer.startswith(b"HTTP/1.1 408 ") or not answer


def test_request_byte_by_byte_is_not_waited_for(server: Server):
    client = server.connect(b"GET / HTTP/1.1\r\nX: ")
    closed = time.monotonic() + 20

    def drip() -> None:
        while time.monotonic() < closed:
            client.send(b"x")
            time.sleep(0.05)

    with pytest.raises(ConnectionError):
        drip()


def test_network_of_a_visitor():
    assert network("192.0.2.1") != network("192.0.2.2")
    assert network("2001:db8::1") == network("2001:db8::ffff:0:0:1%eth0")
    assert network("2001:db8:0:1::1") != network("2001:db8::1")


def test_longest_head(server: Server):
    assert all_that_comes(server.connect(head(16_384))).startswith(b"HTTP/1.1 200 ")
    assert all_that_comes(server.connect(head(16_385))).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"431"), (b"GET /", b"414")],
)
def test_endless_head_is_refused_and_the_answer_arrives(
    server: Server, content: bytes, status: bytes
):
    client = server.connect(content + b"x" * (2 << 20))
    assert all_that_comes(client).split()[1] == status


def test_endless_trailer_is_not_read(server: Server):
    content = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
    client = server.connect(content + b"x" * (4 << 20) + b"\r\n\r\n")
    assert all_that_comes(client) == b""


def test_heads_that_come_together_count_singly(server: Server):
    content = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9_999 + b"\r\n\r\n"
    answer = all_that_comes(server.connect(content + content + head(9_999)))
    assert answer.count(b"HTTP/1.1 200 ") == 3


def test_endless_line_of_requests_is_cut(server: Server):
    client = server.connect(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1_000)
    answer = all_that_comes(client)
    assert 0 < answer.count(b"HTTP/1.1 200 ") <= HURRIED.pipelined + 1
    assert answer.count(b"connection: close") == 1


def test_answer_that_nobody_reads_is_not_kept(server: Server):
    client = server.connect(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
    time.sleep(3.5 * HURRIED.stall_seconds)
    assert len(all_that_comes(client)) < 32 << 20


def test_answer_that_is_read_slowly_arrives(server: Server):
    client = server.connect(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    content = b""
    for _ in range(4):
        content += client.recv(4 << 20)
        time.sleep(0.4 * HURRIED.stall_seconds)
    assert len(content + all_that_comes(client)) > 32 << 20


def test_newcomer_is_refused_when_all_are_being_answered(server: Server):
    waiting = [
        server.connect(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        for _ in range(HURRIED.connections)
    ]
    assert all_that_comes(server.connect(b"")).startswith(b"HTTP/1.1 503 ")
    assert all(all_that_comes(client).startswith(b"HTTP/1.1 200 ") for client in waiting)


@dataclass
class Tally:
    """What became of the requests of all clients."""

    answered: int = 0
    lost: list[str] = field(default_factory=list)


def visit(port: int, keep_alive: bool, tally: Tally, end: threading.Event) -> None:
    """Send one request after the other, until told to end or no connection is made any more."""
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: %b\r\n\r\n"
    request %= b"keep-alive" if keep_alive else b"close"
    while not end.is_set():
        try:
            client = socket.create_connection(("127.0.0.1", port), timeout=5)
        except OSError:
            return
        with client:
            answer = b""
            while b"connection: close" not in answer and not end.is_set():
                answer = ask(client, request)
                if not answer.endswith(b"hello"):
                    tally.lost.append(repr(answer))
                    break
                tally.answered += 1


def ask(client: socket.socket, request: bytes) -> bytes:
    """Send a request; return the answer, as far as it comes."""
    answer = b""
    try:
        client.sendall(request)
        while not answer.endswith(b"hello") and (piece := client.recv(4096)):
            answer += piece
    except OSError as error:
        return answer + repr(error).encode()
    return answer


@pytest.mark.parametrize(
    ("workers", "ending"),
    [
        (2, signal.SIGTERM),
        pytest.param(1, signal.SIGTERM, marks=pytest.mark.slow),
        (2, signal.SIGHUP),
    ],
)
def test_no_request_is_lost_at_the_end(tmp_path: Path, workers: int, ending: signal.Signals):
    tally, end = Tally(), threading.Event()
    with serving(tmp_path, Limits(), workers) as server:
        clients = [
            threading.Thread(target=visit, args=(server.port, number % 2 == 0, tally, end))
            for number in range(16)
        ]
        for client in clients:
            client.start()
        wait_for(lambda: tally.answered > 20 * len(clients), tmp_path / "log")
        server.process.send_signal(ending)
        if ending is signal.SIGHUP:
            replaced = lambda: (tmp_path / "log").read_text().count("Finished server") == 2  # noqa: E731
            wait_for(replaced, tmp_path / "log")
        else:
            server.process.wait(timeout=30)
        end.set()
        for client in clients:
            client.join()
    assert tally.answered > len(clients)
    assert not tally.lost
