"""Clients that come in the last instant before a server ends."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest
import uvloop

from bullscows_web.server.newcomers import has_newcomers, heed, turn_away
from tests import ROOT

TURN_AWAY = """
import os, socket
from bullscows_web.server.newcomers import turn_away
with socket.create_server(({host!r}, 0), family=socket.{family}) as listener:
    there = socket.create_connection(listener.getsockname()[:2], 5)
    os.geteuid() or os.setuid(65534)  # the administrator might do more than the server may
    turn_away([listener.fileno()])
    try:
        socket.create_connection(listener.getsockname()[:2], 0.5)
    except TimeoutError:
        there.sendall(b"x")
        assert listener.accept()[0].recv(1) == b"x"
        print("alone")
"""
LAST_INSTANT = """
import socket, threading, time
from bullscows_web.server.connection import Configuration
from bullscows_web.server.limits import Limits
from bullscows_web.server.newcomers import turn_away
from bullscows_web.server.processes import LimitedServer
limits = Limits(drain_seconds=2)
app = "tests.support.toyapp:create_app"
config = Configuration(app, limits=limits, factory=True, loop={loop!r}, log_level="error")
server = LimitedServer(config)
with socket.create_server(("127.0.0.1", 0)) as listener:
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 10)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    client = socket.create_connection(listener.getsockname(), 10)
    turn_away([listener.fileno()])  # as the parent does
    steps = {steps}
    for step in steps:
        step()
        time.sleep(0.2)
    print(client.recv(100).partition(b"\\r\\n")[0].decode())
    thread.join()
"""

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="newcomers are turned away on Linux alone"),
]


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("host", "family"), [("127.0.0.1", "AF_INET"), ("::1", "AF_INET6"), ("::", "AF_INET6")]
)
def test_anybody_may_turn_newcomers_away(host: str, family: str):
    if family == "AF_INET6" and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    script = TURN_AWAY.format(host=host, family=family)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("alone\n", "")


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_connection_that_was_being_made_is_heard_once_it_is_heeded(family: socket.AddressFamily):
    if family == socket.AF_INET6 and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    host = "127.0.0.1" if family == socket.AF_INET else "::1"
    with socket.create_server((host, 0), family=family) as listener:
        client = begin(listener)
        turn_away([listener.fileno()])
        assert not has_newcomers([listener.fileno()])
        with client, taken(listener, client) as connection:
            client.sendall(b"second")
            connection.settimeout(0.5)
            with pytest.raises(TimeoutError):
                connection.recv(10)
            heed(connection)
            connection.settimeout(10)
            assert connection.recv(10) == b"second"


def begin(listener: socket.socket) -> socket.socket:
    """Return a connection that is not made before its client sends, as if it were far away."""
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 10)
    client = socket.create_connection(listener.getsockname()[:2], 10)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def taken(listener: socket.socket, client: socket.socket) -> socket.socket:
    """Send what makes the connection; return the server's end of it."""
    client.sendall(b"first")
    listener.settimeout(10)
    connection, _ = listener.accept()
    assert connection.recv(10) == b"first"
    return connection


@pytest.mark.parametrize(
    "loop", [uvloop.new_event_loop, asyncio.new_event_loop], ids=["uvloop", "asyncio"]
)
def test_what_is_closed_is_left_alone(loop: Callable[[], asyncio.AbstractEventLoop]):
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        asyncio.Runner(loop_factory=loop) as it,
    ):
        closed = it.run(closed_connection(listener.getsockname()[1]))
        heed(closed)
        assert closed.fileno() == -1


async def closed_connection(port: int) -> socket.socket:
    """Return what the loop has for a socket, once it is closed."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    connection: socket.socket = writer.get_extra_info("socket")
    writer.close()
    await writer.wait_closed()
    return connection


FIRST, SECOND = (f"lambda: client.sendall({part!r})" for part in (b"GET / HTTP", b"/1.1\r\n"))
REST = r'lambda: client.sendall(b"Host: localhost\r\n\r\n")'
END = "lambda: setattr(server, 'should_exit', True)"


BEFORE, AFTER = (END, FIRST, SECOND, REST), (FIRST, SECOND, END, REST)


@pytest.mark.parametrize(
    ("steps", "loop"),
    [
        pytest.param(BEFORE, "uvloop", id="told before-uvloop"),
        pytest.param(AFTER, "asyncio", id="told after-asyncio"),
        pytest.param(BEFORE, "asyncio", id="told before-asyncio", marks=pytest.mark.slow),
        pytest.param(AFTER, "uvloop", id="told after-uvloop", marks=pytest.mark.slow),
    ],
)
def test_request_on_a_connection_that_was_being_made_is_answered(steps: tuple[str, ...], loop: str):
    """Whether the process hears that it is to end before it takes the connection, or after."""
    script = LAST_INSTANT.format(steps=f"[{', '.join(steps)}]", loop=loop)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("HTTP/1.1 200 OK\n", "")
