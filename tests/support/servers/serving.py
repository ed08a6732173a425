"""A real server in a process of its own, and a relay to it that can be cut."""

import atexit
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from inspect import getsource
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tests import ROOT
from tests.support.servers.processes import descendants, end_group, start

START_SECONDS = 120
HERE = "127.0.0.1"


@dataclass
class Server:
    process: subprocess.Popen[str]
    port: int
    log: Path

    @property
    def address(self) -> str:
        """The origin, for example `http://127.0.0.1:8000`."""
        return f"http://{HERE}:{self.port}"

    def request(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send one request; return the status and the JSON of the answer."""
        connection = http.client.HTTPConnection(HERE, self.port, timeout=60)
        try:
            content = None if body is None else json.dumps(body)
            headers = {"Accept": "application/json", "Content-Type": "application/json"}
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            text = response.read()
            return response.status, json.loads(text) if text else None
        finally:
            connection.close()

    def counters(self) -> dict[str, float]:
        """Return the figures of `/metrics`, by name and labels."""
        with urlopen(f"{self.address}/metrics", timeout=60) as response:
            lines = response.read().decode().splitlines()
        parted = [line.rpartition(" ") for line in lines if not line.startswith("#")]
        return {name: float(value) for name, _, value in parted}

    def workers(self) -> set[int]:
        """Return the processes that answer requests."""
        found = set()
        for number in descendants(self.process.pid):
            with suppress(OSError):  # it has ended meanwhile
                if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes():
                    found.add(number)
        return found

    def send(self, content: bytes) -> bytes:
        """Send bytes; return the first bytes of the answer."""
        with socket.create_connection((HERE, self.port), timeout=60) as connection:
            connection.sendall(content)
            return connection.recv(4096)


@contextmanager
def running(
    trees: Path,
    log: Path,
    *options: str,
    app: str | None = None,
    port: str = "",
    **environment: str,
) -> Iterator[Server]:
    """Run `bullscows serve` with options, or uvicorn with the factory of another application.

    It answers only to its default host names. It is killed if it does not stop within two minutes.
    A given port may still be that of a server whose processes have just been killed.
    """
    number = int(port or reserved_port())
    wait_until(lambda: is_free(number))
    program = ["uvicorn", "--factory", app] if app else ["bullscows", "serve"]
    command = [sys.executable, "-m", *program, "--port", str(number), *options]
    inherited = {name: value for name, value in os.environ.items() if not name.endswith("_HOSTS")}
    given = inherited | {"BULLSCOWS_TREES_DIR": str(trees)} | environment
    with log.open("w", encoding="utf-8") as output:
        process = start(command, cwd=ROOT, env=given, stdout=output, stderr=output)
    server = Server(process, number, log)
    try:
        wait_until_it_answers(server)
        yield server
    finally:
        end_group(process, 120)


def wait_until(condition: Callable[[], bool], log: Path | None = None) -> None:
    """Return when a condition holds; name it, with a log, if it does not within two minutes."""
    deadline = time.monotonic() + START_SECONDS
    while not condition():
        assert time.monotonic() < deadline, getsource(condition) + (log.read_text() if log else "")
        time.sleep(0.02)


def wait_until_it_answers(server: Server) -> None:
    """Return when a server answers; fail with its log if it does not."""
    wait_until_ready(server.process, f"{server.address}/healthz", server.log)


@contextmanager
def serving(
    trees: Path, log: Path, app: str = "bullscows_web.main:create_app", **settings: str
) -> Iterator[str]:
    """Run a server, and yield its address; settings have no `BULLSCOWS_` prefix."""
    environment = {f"BULLSCOWS_{name}": text for name, text in settings.items()}
    with running(trees, log, app=app, **environment) as server:
        yield server.address


def reserved_port() -> int:
    """Return a port that nobody else gets until this process ends, and on which servers may listen.

    It stays bound here without listening, so connections are refused until a server listens.
    """
    holder = socket.socket()
    atexit.register(holder.close)
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
    holder.bind((HERE, 0))
    return int(holder.getsockname()[1])


def is_free(port: int) -> bool:
    """Return whether no process listens on a port."""
    with socket.socket() as probe, suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HERE, port))
        return True
    return False


def searching() -> dict[str, str]:
    """Return the settings of a server that loads its search at the start."""
    return {"SEARCH_TIMEOUT": "30"}


def wait_until_it_searches(address: str) -> None:
    def searches() -> bool:
        with urlopen(f"{address}/readyz", timeout=60) as response:
            return bool(json.load(response)["search"] == "ready")

    wait_until(searches)


def wait_until_ready(
    process: subprocess.Popen[str], address: str, log: Path, host: str | None = None
) -> None:
    """Return when the server answers; fail with its log if it does not."""
    asked = Request(address, headers={} if host is None else {"Host": host})

    def answers() -> bool:
        assert process.poll() is None, f"the server has ended:\n{log.read_text(encoding='utf-8')}"
        with suppress(OSError), urlopen(asked, timeout=1):
            return True
        return False

    wait_until(answers, log)


class Relay:
    """Another address of a server, which can be cut as if the server had ended."""

    def __init__(self, site: str) -> None:
        self._port = urlsplit(site).port
        self._listener = socket.create_server((HERE, 0))
        self._ends: list[socket.socket] = []
        self.address = f"http://{HERE}:{self._listener.getsockname()[1]}"
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:  # closed by `cut`
                return
            far = socket.create_connection((HERE, self._port))
            self._ends += (near, far)
            for ends in ((near, far), (far, near)):
                Thread(target=_pump, args=ends, daemon=True).start()

    def cut(self) -> None:
        """Close all connections and the address."""
        for end in (self._listener, *self._ends):
            _end(end)
            end.close()
        self._ends.clear()


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Copy data until one side closes."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _end(source)
    _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):  # it may have ended already
        connection.shutdown(socket.SHUT_RDWR)
