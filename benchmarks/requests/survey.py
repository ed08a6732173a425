"""The asking: each request goes to the application in this process, twice."""

from __future__ import annotations

import asyncio
import json
import time
import tracemalloc
from dataclasses import dataclass
from typing import Literal

from fastapi import FastAPI
from starlette.types import Message, Scope

from benchmarks.requests.asked import Asked, requests, unasked
from bullscows_web.main import create_app


@dataclass(frozen=True)
class Cost:
    """What a request took."""

    asked: Asked
    """The request."""
    status: int
    """How it was answered."""
    size: int
    """Bytes of the body, as sent."""
    first: float
    """Of the first time: milliseconds of the processor, or megabytes at the peak."""
    again: float
    """Of the second time."""


async def ask(app: FastAPI, asked: Asked) -> tuple[int, int]:
    """Send one request; return the status of the answer and how many bytes it has."""
    path, _, query = asked.path.partition("?")
    form = isinstance(asked.body, str)
    text = str(asked.body) if form else json.dumps(asked.body)
    content = b"" if asked.body is None else text.encode()
    media = b"application/x-www-form-urlencoded" if form else b"application/json"
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET" if asked.body is None else "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", media),
            (b"accept-encoding", b"gzip"),
            (b"accept", b"*/*"),
        ],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    status = size = 0

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, size
        status = message.get("status", status)
        size += len(message.get("body", b""))

    await app(scope, receive, send)
    return status, size


async def _time(app: FastAPI, asked: Asked) -> tuple[int, int, float]:
    started = time.process_time()
    status, size = await ask(app, asked)
    return status, size, 1000 * (time.process_time() - started)


async def _memory(app: FastAPI, asked: Asked) -> tuple[int, int, float]:
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    status, size = await ask(app, asked)
    return status, size, (tracemalloc.get_traced_memory()[1] - before) / 2**20


def survey(what: Literal["time", "memory"], only: str) -> tuple[list[Cost], list[str]]:
    """Ask everything of a new application; return the costs, and the routes left out."""
    return asyncio.run(_survey(what, only))


async def _survey(what: Literal["time", "memory"], only: str) -> tuple[list[Cost], list[str]]:
    app, costs = create_app(), []
    measure = _time if what == "time" else _memory
    async with app.router.lifespan_context(app):
        await asyncio.to_thread(app.state.preparation.join)
        asked = [item for item in requests(app) if only in item.path]
        asked.sort(key=lambda item: item.sort == "analysis")  # from then on a search is at work
        if what == "memory":
            tracemalloc.start()
        for item in asked:
            if item.sort == "analysis":
                await asyncio.to_thread(app.state.analysis.load().join)
            status, size, first = await measure(app, item)
            _, _, again = await measure(app, item)
            costs.append(Cost(item, status, size, first, again))
        missing = [] if only else unasked(app, asked)
    return costs, missing
