"""Queue: bounded concurrency, bounded waiting time."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bullscows_web.trees.downloads import Exports
from bullscows_web.web.exceptions import RETRY_SECONDS, BusyError
from bullscows_web.web.queue import WorkQueue

pytestmark = pytest.mark.large


def test_different_things_are_made_one_after_the_other():
    running, most = 0, 0

    def make() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        time.sleep(0.01)
        running -= 1

    async def scene() -> None:
        queue = WorkQueue()
        await asyncio.gather(*(queue.make(make) for _ in range(10)))

    asyncio.run(scene())
    assert most == 1


def test_patience_has_an_end():
    async def scene(queue: WorkQueue) -> None:
        async with queue.turn():
            with pytest.raises(BusyError):
                async with queue.turn():
                    pass
        async with queue.turn():  # the next one comes in again
            pass

    asyncio.run(scene(WorkQueue(patience=0.01)))


def test_the_line_has_an_end():
    async def scene() -> None:
        queue = WorkQueue(patience=60, line=1)
        async with queue.turn():
            waiting = asyncio.create_task(queue.make(lambda: "made"))
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="2 requests are waiting: retry in 2 seconds"):
                await queue.make(lambda: "never")
        assert await waiting == "made"

    asyncio.run(scene())


EXPENSIVE = (
    *("/play/small-bulls-cows/0?analysis=all", "/play/small-bulls-cows/0/none"),
    *("/trees/small-bulls-cows?depth=2", "/trees/small-bulls-cows.json"),
    *("/compare/small-bulls-cows/small-bulls-cows", "/statistics/small-bulls-cows"),
    *("/guess/p3c5n/k3f9?hints=on", "/guess/p3c5n/k3f9/reveal"),
)


@pytest.fixture
def crowded(client: TestClient, tmp_path: Path) -> Iterator[TestClient]:
    """A server whose queue has no place free, and that has written no file of a tree."""
    state = cast(FastAPI, client.app).state
    queue = state.queue
    exports = state.exports
    state.queue = WorkQueue(places=0, patience=0.01)
    state.exports = Exports(tmp_path)
    yield client
    state.queue = queue
    state.exports = exports


@pytest.mark.parametrize("path", EXPENSIVE)
def test_busy_response_says_when_to_retry(crowded: TestClient, path: str):
    response = crowded.get(path, headers={"Accept": "text/html"})
    assert response.status_code == 503
    assert response.headers["retry-after"] == str(RETRY_SECONDS)
    assert "Too many requests at once." in response.text
    problem = crowded.get(path, headers={"Accept": "application/json"}).json()
    assert problem["type"].endswith("/busy")


def test_a_game_does_not_wait_in_the_queue(crowded: TestClient):
    for path in (
        "/play/small-bulls-cows/0",
        "/guess/p3c5n/k3f9/012",
        "/",
        "/api/v1/trees/small-bulls-cows",
        "/trees/small-bulls-cows",
    ):
        assert crowded.get(path).status_code == 200
