"""No request takes much time or memory of a server, whatever the game: a process of its own."""

import http.client
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from fastapi import FastAPI

from benchmarks.expensive import Request, expensive, worst
from bullscows.analysis.analyst import Analyst
from bullscows.analysis.memory import resident
from bullscows_web.server.settings import Settings
from tests.support.servers.processes import descendants, megabytes, processor_seconds
from tests.support.servers.serving import Server, running, wait_until_it_searches

pytestmark = [
    pytest.mark.large,
    pytest.mark.process,
    pytest.mark.skipif(resident() is None, reason="resident memory is unknown on this system"),
]

SECONDS = 4.0
"""Of the processor: twice what a request may take, as one that is shared is slower."""
MEGABYTES = 200
"""Above what the server has when it rests."""
LIMIT = Settings().memory_limit_mb


@pytest.fixture
def server(shipped_trees: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that has searched nothing yet; its searches take their time, however busy it is."""
    Analyst().load(("p3c4n",))  # who compiles the kernels keeps the compiler's memory
    settings = {"BULLSCOWS_SEARCH_PROCESSES": "1", "BULLSCOWS_STATE_DIR": str(tmp_path)}
    with running(shipped_trees, tmp_path / "log", **settings) as server:
        wait_until_it_searches(server.address)
        yield server


def ask(server: Server, request: Request) -> None:
    """Send a request; an answer may also be that no code fits."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    method, body = ("GET", None) if request.body is None else ("POST", json.dumps(request.body))
    connection.request(method, request.path, body, {"Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    assert status in (200, 303, 409, 422), request


SAME_TURN = "-".join(["134041:0.1"] * 20)
NAMED = [
    Request("review", f"/review/p6c11r?h={SAME_TURN}"),
    Request("review of both", f"/review/p6c11r?h={SAME_TURN}&theirs={SAME_TURN}"),
    Request("adversary", "/duel/adversary/p5c8r/17735:0.1?guess=64356"),
    Request("adversary", "/duel/adversary/p5c10n?guess=72160"),
    Request("levels", "/duel/p4c10r"),
]
"""Requests that once took from 5 to 29 seconds."""


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_no_request_takes_much_time_or_memory(server: Server, shipped_app: FastAPI, step: int):
    """Quick runs send every eighth request about a position."""
    some = islice(expensive(), 0, None, step)
    for request in (*NAMED, *worst(shipped_app), *some):
        processes = {server.process.pid, *descendants(server.process.pid)}
        rests = {each: megabytes(each, "VmRSS") for each in processes}
        before = {each: processor_seconds(each) for each in processes}
        for each in processes:
            Path(f"/proc/{each}/clear_refs").write_text("5")  # the peak is counted from here on
        ask(server, request)
        for each in processes:
            assert processor_seconds(each) - before[each] <= SECONDS, request
            assert megabytes(each, "VmHWM") - rests[each] <= MEGABYTES, request
            assert megabytes(each, "VmHWM") <= LIMIT, request
