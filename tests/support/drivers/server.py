"""A real server in a process of its own, and a line to it that can be cut."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests import ROOT
from tests.support.processes import end_group, start

START_SECONDS = 60
HERE = "127.0.0.1"


@contextmanager
def serving(
    trees: Path, log: Path, app: str = "bullscows_web.main:create_app", **settings: str
) -> Iterator[str]:
    """Run a server process on a free port; yield its address once it answers.

    Settings are named as in the environment, without their prefix.
    """
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "--factory", app]
    settings = {"TREES": str(trees)} | settings
    with log.open("w", encoding="utf-8") as output:
        process = start(
            [*command, "--host", HERE, "--port", str(port)],
            cwd=ROOT,
            env=os.environ | {f"BULLSCOWS_{name}": text for name, text in settings.items()},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://{HERE}:{port}"
    try:
        wait_until_ready(process, f"{address}/readyz", log)
        yield address
    finally:
        end_group(process, 10)


def free_port() -> int:
    """Return a port at which nobody listens just now."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


def searching() -> dict[str, str]:
    """Return the settings of a server that searches from its start and solves nothing unasked."""
    return {"SEARCH_AT_START": "true", "SOLVED_FIRST": "p3c4n", "SEARCH_SECONDS": "30"}


def wait_until_it_searches(address: str) -> None:
    """Return when the search of a server is loaded; what it is asked before, rules answer."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with urlopen(f"{address}/readyz", timeout=5) as response:
            if json.load(response)["search"] == "ready":
                return
        time.sleep(0.1)
    pytest.fail(f"the search of {address} is not loaded")


def wait_until_ready(
    process: subprocess.Popen[str], address: str, log: Path, host: str | None = None
) -> None:
    """Return when the server answers, by the name `host`; fail with its log if it doesn't."""
    asked = Request(address, headers={} if host is None else {"Host": host})
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(asked, timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"the server does not answer:\n{log.read_text(encoding='utf-8')}")


class Relay:
    """Another address of a server; once it is cut, nobody listens there, as if the server ended."""

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
            except OSError:  # it is cut
                return
            far = socket.create_connection((HERE, self._port))
            self._ends += (near, far)
            for ends in ((near, far), (far, near)):
                Thread(target=_pump, args=ends, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and take no more."""
        for end in (self._listener, *self._ends):
            _end(end)
            end.close()
        self._ends.clear()


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Hand on what comes, until one of the two ends."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _end(source)
    _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):  # it may have ended already
        connection.shutdown(socket.SHUT_RDWR)
