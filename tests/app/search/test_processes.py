"""The search processes: their limits, their end, and what requests see of it."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.search.searcher import Done, Searcher, Work, is_loaded
from bullscows_web.search.service import Processes
from bullscows_web.server.settings import Settings
from tests import ROOT
from tests.support.searching import (
    HeavyExecutor,
    IdleExecutor,
    ThreadExecutor,
    crash,
    fill,
    process,
    spin,
)
from tests.support.servers.processes import descendants, is_running
from tests.support.servers.serving import running, wait_until, wait_until_it_searches

pytestmark = [pytest.mark.large, pytest.mark.process]

PATH = "/analyse/p3c5n?h=012:0.1"
"""A page whose position takes a search."""


@pytest.fixture
def settings(small_trees: Path) -> Settings:
    return Settings(trees_dir=small_trees, search_processes=1, memory_limit_mb=400)


@pytest.fixture
def processes(settings: Settings) -> Iterator[Processes]:
    pool = Processes(settings)
    yield pool
    pool.close()


def test_task_has_its_time_whatever_tasks_before_it_took(processes: Processes):
    for _ in range(6):
        assert processes.schedule(some_time, 0.5).result().result


def some_time(_: Searcher) -> bool:
    """Take a fifth of the limit."""
    ends = time.process_time() + 0.1
    while time.process_time() < ends:
        pass
    return True


def test_task_that_is_cancelled_ends_at_once_with_its_process(processes: Processes):
    number = processes.schedule(process, 60.0).result().result
    assert isinstance(number, int)
    task = processes.schedule(spin, 600.0)
    wait_until(task.running)
    task.cancel()
    wait_until(lambda: not is_running(number))
    assert processes.schedule(process, 60.0).result().result != number


def test_task_runs_at_a_lower_priority(processes: Processes):
    number = processes.schedule(process, 60.0).result().result
    assert isinstance(number, int)
    assert os.getpriority(os.PRIO_PROCESS, number) >= os.getpriority(os.PRIO_PROCESS, 0) + 5


def wait_for_the_search(client: TestClient, state: str = "ready") -> None:
    wait_until(lambda: client.get("/readyz").json()["search"] == state)


def test_pool_whose_idle_process_was_killed_is_restarted(settings: Settings):
    pool = Processes(settings)
    with TestClient(create_app(settings, pool)) as client:
        wait_for_the_search(client)
        number = pool.schedule(process, 60.0).result().result
        assert isinstance(number, int)
        os.kill(number, signal.SIGKILL)
        wait_until(lambda: not is_running(number))
        wait_until(lambda: client.get(PATH).status_code == 200)


def test_pool_that_has_not_failed_is_kept(processes: Processes):
    number = processes.schedule(process, 60.0).result().result
    processes.restart()
    assert processes.schedule(process, 60.0).result().result == number


def test_processes_that_cannot_start_leave_the_other_pages(small_trees: Path):
    app = create_app(Settings(trees_dir=small_trees, memory_limit_mb=1))
    with TestClient(app) as client:
        wait_for_the_search(client, "none")
        assert client.get(PATH).status_code == 503
        assert client.get("/about").status_code == 200


class ForgetfulExecutor(IdleExecutor):
    """Forgets every task, as a pool does that fails while it starts."""

    restarts = 0

    def has_lost(self, _: Future[Any]) -> bool:
        return True

    def restart(self) -> None:
        self.restarts += 1


def test_task_that_the_pool_forgets_is_not_waited_for(small_trees: Path):
    executor = ForgetfulExecutor()
    with TestClient(create_app(Settings(trees_dir=small_trees), executor)) as client:
        wait_for_the_search(client, "none")
        assert client.get(PATH).status_code == 503
    assert executor.restarts == 1


def test_pool_has_lost_its_tasks_when_it_was_replaced(processes: Processes):
    task = processes.schedule(spin, 600.0)
    wait_until(task.running)
    assert not processes.has_lost(task)
    processes.close()
    assert processes.has_lost(task)
    processes.restart()
    assert processes.has_lost(task)
    again = processes.schedule(process, 60.0)
    assert not processes.has_lost(again)
    again.result()


@pytest.fixture(scope="module")
def heavy(small_trees: Path) -> Iterator[tuple[TestClient, HeavyExecutor]]:
    """A server whose searches are stopped, as long as its executor has a heavy task."""
    settings = Settings(trees_dir=small_trees, search_processes=1, memory_limit_mb=400)
    executor = HeavyExecutor(settings, spin, 0.2)
    with TestClient(create_app(settings, executor), follow_redirects=False) as client:
        wait_for_the_search(client)
        yield client, executor


@pytest.mark.parametrize("work", [spin, fill, crash])
@pytest.mark.parametrize("path", [PATH, "/review/p3c5n?h=012:0.1"])
def test_page_whose_search_is_stopped_is_a_503_and_the_next_one_works(
    heavy: tuple[TestClient, HeavyExecutor], work: Any, path: str
):
    client, executor = heavy
    figures = cast(Any, client.app).state.metrics.figures
    before = figures().total("refusals_total", reason="stopped")
    executor.heavy = work
    response = client.get(path, headers={"Accept": "application/json"})
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) > 0
    assert response.json()["type"].endswith("/search-stopped")
    assert client.get("/about").status_code == 200
    assert figures().total("refusals_total", reason="stopped") == before + 1
    executor.heavy = None
    assert client.get(path).status_code == 200


def test_adversary_answers_if_its_search_is_stopped(heavy: tuple[TestClient, HeavyExecutor]):
    client, executor = heavy
    executor.heavy = spin
    assert client.get("/duel/adversary/p3c5n?guess=012").status_code == 303


def test_task_of_a_client_that_has_gone_is_stopped(settings: Settings):
    executor = HeavyExecutor(settings, spin, 600.0)
    app = create_app(settings, executor)

    async def scene() -> int:
        async with app.router.lifespan_context(app):
            done = await asyncio.wrap_future(executor.schedule(is_loaded, 600.0))
            assert done.result
            return await asyncio.wait_for(leave(app), 60)

    assert asyncio.run(scene()) == 499


async def leave(app: FastAPI) -> int:
    """Ask for a page, and go away; return the status of the response that nobody reads."""
    statuses: list[int] = []
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        return next(messages, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    path, _, query = PATH.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"testserver")],
        "client": ("192.0.2.1", 1),
        "server": ("testserver", 80),
        "scheme": "http",
        "http_version": "1.1",
    }
    await app(scope, receive, send)
    return statuses[0]


class EndlessExecutor(ThreadExecutor):
    """Never ends a task of a request."""

    def schedule(self, work: Work[Any], seconds: float) -> Future[Done[Any]]:
        return super().schedule(work, seconds) if work is is_loaded else Future()


def test_address_with_too_many_searches_gets_a_429(small_trees: Path):
    settings = Settings(trees_dir=small_trees, searches_per_address=2, search_queue_size=2)
    app = create_app(settings, EndlessExecutor(small_trees))

    def client(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://testserver")

    async def wait_for_requests(count: int) -> None:
        while app.state.metrics.figures().total("queue", line="analyses") != count:
            await asyncio.sleep(0.01)

    async def scene() -> None:
        one = client("2001:db8::1")
        neighbour = client("2001:db8::2")
        other = client("192.0.2.1")
        async with app.router.lifespan_context(app):
            held = [asyncio.create_task(each.get(PATH)) for each in (one, neighbour)]
            await wait_for_requests(2)
            refused = await one.get(PATH, headers={"Accept": "application/json"})
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) > 0
            assert refused.json()["type"].endswith("/too-many-searches")
            held.append(asyncio.create_task(other.get(PATH)))
            await wait_for_requests(3)
            assert (await client("192.0.2.2").get(PATH)).status_code == 503, "the queue is full"
            assert (await one.get("/about")).status_code == 200
            for task in held:
                task.cancel()
            await asyncio.gather(*held, return_exceptions=True)
            await wait_for_requests(0)
            again = asyncio.create_task(one.get(PATH))
            await wait_for_requests(1)  # the address has its share again
            again.cancel()

    asyncio.run(asyncio.wait_for(scene(), 120))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no list of processes")
@pytest.mark.parametrize(
    "end", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_server_leaves_no_process_behind(small_trees: Path, tmp_path: Path, end: signal.Signals):
    with running(small_trees, tmp_path / "log") as server:
        wait_until_it_searches(server.address)
        below = descendants(server.process.pid)
        assert len(below) >= 2, "the fork server and a search process"
        server.process.send_signal(end)
        server.process.wait(60)
        wait_until(lambda: not any(map(is_running, below)))


WEB_PROCESS = """
import sys
import time
from pathlib import Path
from starlette.testclient import TestClient
from bullscows_web.main import create_app
from bullscows_web.server.settings import Settings
with TestClient(create_app(Settings(trees_dir=Path(sys.argv[1]), search_processes=1))) as client:
    while client.get("/readyz").json()["search"] == "loading":
        time.sleep(0.05)
    for path in ("/", "/play", "/analyse/p3c5n?h=012:0.1", "/review/p3c5n?h=012:0.1",
                 "/duel/adversary/p3c5n?guess=012"):
        assert client.get(path).status_code == 200, path
    turn = {"guess": "012", "bulls": 0, "cows": 1}
    asked = {"rules": "p3c6n", "turns": [turn]}
    found = client.post("/api/v1/guess", json=asked)
    assert found.json()["status"] == "optimal", found.text
names = ("numba", "llvmlite", "bullscows.kernels.compiling", "bullscows.kernels.recursion")
print(*[name for name in sys.modules if name.startswith(names)])
"""


def test_web_process_loads_no_kernel(small_trees: Path):
    done = subprocess.run(
        [sys.executable, "-c", WEB_PROCESS, str(small_trees)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr
