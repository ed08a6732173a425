"""No request about one position takes much of a server, whatever the game: a process of its own."""

import http.client
import json
import os
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.expensive import Request, expensive
from bullscows.analysis.analyst import MEMORY, Analyst
from bullscows.analysis.memory import MEGABYTE, resident
from tests.support.servers.processes import megabytes
from tests.support.servers.serving import Server, running, wait_until_it_searches

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(resident() is None, reason="resident memory is unknown on this system"),
]

SECONDS = 4.0
"""Of the processor: twice what a request may take, as one that is shared is slower."""
MEGABYTES = 200
"""Above what the server has when it rests."""
REST_SECONDS = 60
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def wait_until_it_rests(process: int) -> None:
    """Return when a process does nothing of its own accord any more."""
    deadline = time.monotonic() + REST_SECONDS
    before = -1.0
    while (now := processor_seconds(process)) > before:
        assert time.monotonic() < deadline, "the server is still busy"
        before = now
        time.sleep(0.5)


@pytest.fixture
def server(small_trees: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that searches; it has solved nothing larger than three digits."""
    Analyst().load(("p3c4n",))  # who compiles the kernels keeps the compiler's memory
    settings = {"BULLSCOWS_PRELOAD_SEARCH": "true", "BULLSCOWS_PRESOLVE": "p3c4n"}
    with running(small_trees, tmp_path / "log", **settings) as server:
        wait_until_it_searches(f"http://127.0.0.1:{server.port}")
        wait_until_it_rests(server.process.pid)
        yield server


def ask(server: Server, request: Request) -> None:
    """Send a request; an answer may also be that no code fits."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    method, body = ("GET", None) if request.body is None else ("POST", json.dumps(request.body))
    connection.request(method, request.path, body, {"Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    assert status in (200, 409), request


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_no_position_takes_much_time_or_memory(server: Server, step: int):
    """Quick runs send every eighth request."""
    process = server.process.pid
    for request in islice(expensive(), 0, None, step):
        rests = megabytes(process, "VmRSS")
        before = processor_seconds(process)
        Path(f"/proc/{process}/clear_refs").write_text("5")  # the peak is counted from here on
        ask(server, request)
        assert processor_seconds(process) - before <= SECONDS, request
        peak = megabytes(process, "VmHWM")
        assert peak - rests <= MEGABYTES, request
        assert peak <= MEMORY // MEGABYTE, request
