"""Play matches on a server with two workers: ``python -m benchmarks.matches`` (needs Linux).

In each match one of the two players moves every ten seconds on average.  Both browsers follow it:
they poll, or they hold a stream of events and poll now and then, and fetch the board when it has
changed.  Two more clients request pages of a game.  Times count from when a request is due.

Requests share 40 connections, as behind a proxy; each stream has its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.load import JSON, OURS, PLAYED, Request, Served, server

API = "/api/v1/matches"
PACE = 10.0
"""Seconds between two moves of a match, on average."""
POLL, LOOK = 2.0, 12.0
"""Seconds between two polls of a browser without and with a stream."""
CONNECTIONS = 40
KINDS = ("none", "moves", "polls", "streams")


@dataclass
class Load:
    """Requests to a server, and the milliseconds that they took."""

    port: int
    taken: dict[str, list[float]] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    lines: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = field(
        default_factory=asyncio.Queue
    )

    async def ask(self, kind: str, request: Request) -> tuple[dict[str, str], str]:
        """Send a request on a shared connection; return the headers and the body."""
        due = time.perf_counter()
        line = await self.lines.get() or await asyncio.open_connection("127.0.0.1", self.port)
        try:
            line[1].write(request.text.replace(b"Accept-Encoding: gzip\r\n", b""))
            status, headers = await head(line[0])
            size = 0 if status == 304 else int(headers.get("content-length", 0))
            body = (await line[0].readexactly(size)).decode()
        except BaseException:  # also when this is cancelled: the rest of the response is unread
            line[1].close()
            self.lines.put_nowait(None)
            raise
        self.lines.put_nowait(None if headers.get("connection") == "close" else line)
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.taken.setdefault(kind, []).append(1000 * (time.perf_counter() - due))
        return headers, body

    def times(self, kind: str) -> str:
        """Return the median and the 99th percentile of a kind of requests."""
        taken = self.taken.get(kind, [])
        if len(taken) < 2:
            return "| |"
        percentiles = quantiles(taken, n=100)
        return f"{percentiles[49]:.0f} | {percentiles[98]:.0f}"


async def head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Read the status and the headers of a response."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
    return int(lines[0][9:12]), {
        name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])
    }


@dataclass
class Match:
    """A match with the tokens of its players."""

    id: str
    tokens: tuple[str, str]
    turns: int = 0

    async def move(self, load: Load) -> None:
        """Make the next guess."""
        turn, seat = divmod(self.turns, 2)
        body = json.dumps({"guess": "".join(random.sample("1234567", 4)), "turn": turn + 1})
        headers = f"{JSON}Authorization: Bearer {self.tokens[seat]}\r\n"
        await load.ask("move", Request(f"{API}/{self.id}/guesses", "POST", headers, body))
        self.turns += 1


@dataclass
class Browser:
    """A page of a match that is open."""

    match: Match
    seat: int
    version: int = 0
    tag: str = ""
    is_streaming: bool = False
    polled: float = 0.0

    @property
    def cookie(self) -> str:
        """The header that names the player."""
        return f"Cookie: match_{self.match.id}={self.match.tokens[self.seat]}\r\n"

    async def poll(self, load: Load) -> None:
        """Ask whether something has changed, now and then while a stream says it."""
        if self.is_streaming and time.perf_counter() < self.polled + LOOK:
            return
        self.polled = time.perf_counter()
        known = f"{self.cookie}If-None-Match: {self.tag}\r\n"
        poll = Request(f"/match/{self.match.id}/presence", headers=known)
        headers, body = await load.ask("poll", poll)
        self.tag = headers.get("etag", "")
        await self.update(load, json.loads(body)["version"] if body.startswith("{") else 0)

    async def update(self, load: Load, version: int) -> None:
        """Fetch the board if it has changed."""
        if version > self.version:
            is_first, self.version = not self.version, version
            if not is_first:
                known = f"HX-Request: true\r\n{self.cookie}"
                await load.ask("board", Request(f"/match/{self.match.id}", headers=known))

    async def listen(self, load: Load) -> None:
        """Hold streams of versions, one after the other; poll while the server has none left."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", load.port)
            writer.write(Request(f"{API}/{self.match.id}/events").text)
            try:
                self.is_streaming = (await head(reader))[0] == 200
                while self.is_streaming and (line := await reader.readline()):
                    if line.startswith(b"data: "):
                        await self.update(load, int(line[6:]))
                    elif line == b"0\r\n":
                        break
            finally:
                writer.close()
            await asyncio.sleep(1 if self.is_streaming else LOOK)


async def repeat(seconds: float, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    """Do something again and again, from a random moment on."""
    due = time.perf_counter() + random.uniform(0, seconds)
    while True:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await work()
        due += seconds


@asynccontextmanager
async def doing(*works: Coroutine[Any, Any, Any]) -> AsyncIterator[None]:
    """Do something meanwhile."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        yield
    finally:
        failed = [task.exception() for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if failed:
        raise RuntimeError(f"{len(failed)} clients failed") from failed[0]


async def created(load: Load) -> Match:
    """Create a match of two players."""
    made = Request(API, "POST", JSON, json.dumps({"rules": "p4c10n", "secret": "8910"}))
    creator = json.loads((await load.ask("create", made))[1])
    join = Request(f"{API}/{creator['id']}/join", "POST", JSON, '{"secret": "9801"}')
    guest = json.loads((await load.ask("create", join))[1])
    return Match(creator["id"], (creator["player"], guest["player"]))


async def run(kind: str, served: Served, matches: list[Match], seconds: float) -> str:
    """Run a load; return its row of the table."""
    load, watched = connected(served.port), matches if kind in ("polls", "streams") else []
    browsers = [Browser(match, seat) for match in watched for seat in (0, 1)]
    page = Request(PLAYED)
    works = [repeat(0.1, lambda: load.ask("page", page)) for _ in range(2)]
    works += [repeat(POLL, lambda browser=browser: browser.poll(load)) for browser in browsers]  # type: ignore[misc]
    if kind == "streams":
        works += [browser.listen(load) for browser in browsers]
    async with doing(*works):
        await asyncio.sleep(LOOK if browsers else 1)
        load.taken.clear()
        played = matches if kind != "none" else ()
        moves = [repeat(PACE, lambda match=match: match.move(load)) for match in played]  # type: ignore[misc]
        ticks = of_workers(served)
        async with doing(*moves):
            await asyncio.sleep(seconds)
    taken = (of_workers(served) - ticks) / os.sysconf("SC_CLK_TCK")
    others = {status: count for status, count in load.statuses.items() if status >= 400}
    columns = " | ".join(load.times(name) for name in ("move", "board", "poll", "page"))
    return f"| {kind} | {columns} | {taken:.1f} | {os.getloadavg()[0]:.1f} | {others or ''} |"


def connected(port: int) -> Load:
    """Return a load with connections that are opened when they are needed."""
    load = Load(port)
    for _ in range(CONNECTIONS):
        load.lines.put_nowait(None)
    return load


def of_workers(served: Served) -> int:
    """Return the processor time of a server and its workers, in ticks."""
    found = Path(f"/proc/{served.process}/task/{served.process}/children").read_text().split()
    return sum(Served(served.port, int(each)).ticks for each in (served.process, *found))


def settle(served: Served) -> None:
    """Wait for three seconds in which the workers prepare nothing any more."""
    quiet = 0
    while quiet < 3:
        before = of_workers(served)
        time.sleep(1)
        quiet = quiet + 1 if 0 < of_workers(served) <= before + 10 else 0


async def measure(served: Served, kinds: list[str], count: int, seconds: float) -> None:
    """Print the table."""
    load = connected(served.port)
    matches = [await created(load) for _ in range(count)]
    print(f"{count} matches, {seconds:.0f} s, {os.cpu_count()} processors")
    times = " | ".join(f"{kind} p50 | p99" for kind in ("move", "board", "poll", "page"))
    print(f"| load | {times} | CPU s | machine | failed |")
    print("| --- |" + " ---: |" * 10 + " --- |")
    for kind in kinds:
        print(await run(kind, served, matches, seconds), flush=True)


def main() -> None:
    """Run the loads."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches", description=__doc__)
    parser.add_argument("loads", nargs="*", metavar="LOAD", help=", ".join(KINDS))
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    os.environ["BULLSCOWS_MATCHES_PER_HOUR"] = str(10 * options.matches)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BULLSCOWS_STATE_DIR"] = folder
        with server([*OURS, "--workers", "2"]) as served:
            settle(served)
            asyncio.run(
                measure(served, options.loads or [*KINDS, "none"], options.matches, options.seconds)
            )


if __name__ == "__main__":
    main()
