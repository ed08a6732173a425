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
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.client import JSON, OURS, Client, Reply, Request, Served, percentiles, server
from benchmarks.load import TREE

API = "/api/v1/matches"
PACE = 10.0
"""Seconds between two moves of a match, on average."""
POLL, LOOK = 2.0, 12.0
"""Seconds between two polls of a browser without and with a stream."""
CONNECTIONS = 40
LOADS = ("none", "moves", "polls", "streams")
KINDS = ("move", "board", "poll", "page")


@dataclass
class Match:
    """A match with the tokens of its players."""

    id: str
    tokens: tuple[str, str]
    turns: int = 0

    async def move(self, client: Client) -> None:
        """Make the next guess."""
        turn, seat = divmod(self.turns, 2)
        body = json.dumps({"guess": "".join(random.sample("1234567", 4)), "turn": turn + 1})
        headers = f"{JSON}Authorization: Bearer {self.tokens[seat]}\r\n"
        await client.ask(Request(f"{API}/{self.id}/guesses", "POST", headers, body, "move"))
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

    async def poll(self, client: Client) -> None:
        """Ask whether something has changed, now and then while a stream says it."""
        if self.is_streaming and time.perf_counter() < self.polled + LOOK:
            return
        self.polled = time.perf_counter()
        known = f"{self.cookie}If-None-Match: {self.tag}\r\n"
        poll = Request(f"/match/{self.match.id}/presence", headers=known, kind="poll")
        response = await client.ask(poll)
        self.tag = response.headers.get("etag", "")
        if response.body.startswith("{"):
            await self.update(client, json.loads(response.body)["version"])

    async def update(self, client: Client, version: int) -> None:
        """Fetch the board if it has changed since the first version."""
        if version > self.version:
            is_first = not self.version
            self.version = version
            if not is_first:
                known = f"HX-Request: true\r\n{self.cookie}"
                await client.ask(Request(f"/match/{self.match.id}", headers=known, kind="board"))

    async def listen(self, client: Client) -> None:
        """Hold streams of versions, one after the other; poll while the server has none left."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
            stream = Reply(Request(f"{API}/{self.match.id}/events"))
            writer.write(stream.request.text())
            try:
                await stream.read_head(reader)
                self.is_streaming = stream.status == 200
                while self.is_streaming and (line := await reader.readline()):
                    if line.startswith(b"data: "):
                        await self.update(client, int(line[6:]))
                    elif line == b"0\r\n":
                        break
            finally:
                writer.close()
            await asyncio.sleep(1 if self.is_streaming else LOOK)


async def repeat(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do something again and again, from a random moment on."""
    due = time.perf_counter() + random.uniform(0, seconds)
    while True:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await work()
        due += seconds


async def created(client: Client) -> Match:
    """Create a match of two players."""
    body = json.dumps({"rules": "p4c10n", "secret": "8910"})
    creator = json.loads((await client.ask(Request(API, "POST", JSON, body))).body)
    join = Request(f"{API}/{creator['id']}/join", "POST", JSON, '{"secret": "9801"}')
    guest = json.loads((await client.ask(join)).body)
    return Match(creator["id"], (creator["player"], guest["player"]))


async def run(load: str, served: Served, matches: list[Match], seconds: float) -> str:
    """Run a load; return its row of the table."""
    client = Client(served.port, CONNECTIONS)
    page = Request(f"/play/{TREE}/k3/0.1-1.1", kind="page")
    watched = matches if load in ("polls", "streams") else []
    browsers = [Browser(match, seat) for match in watched for seat in (0, 1)]
    works = [repeat(0.1, partial(client.ask, page)) for _ in range(2)]
    works += [repeat(POLL, partial(browser.poll, client)) for browser in browsers]
    works += [browser.listen(client) for browser in browsers if load == "streams"]
    moves = [repeat(PACE, partial(match.move, client)) for match in matches if load != "none"]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work) for work in works]
        await asyncio.sleep(LOOK if browsers else 1)
        client.replies.clear()
        before = served.seconds
        tasks += [group.create_task(move) for move in moves]
        await asyncio.sleep(seconds)
        taken = served.seconds - before
        for task in tasks:
            task.cancel()
    client.close()
    columns = ""
    for kind in KINDS:
        found = percentiles((r for r in client.replies if r.request.kind == kind), 50, 99)
        columns += "".join(f"{share:.0f} | " for share in found) or " | | "
    failed = Counter(reply.status for reply in client.replies if not 0 < reply.status < 400)
    return f"| {load} | {columns}{taken:.1f} | {os.getloadavg()[0]:.1f} | {dict(failed) or ''} |"


async def measure(served: Served, loads: list[str], count: int, seconds: float) -> None:
    """Print the table."""
    client = Client(served.port, CONNECTIONS)
    matches = [await created(client) for _ in range(count)]
    client.close()
    print(f"{count} matches, {seconds:.0f} s, {os.cpu_count()} processors")
    heads = " | ".join(f"{kind} p50 | p99" for kind in KINDS)
    print(f"| load | {heads} | CPU s | machine | failed |")
    print("| --- |" + " ---: |" * 10 + " --- |")
    for load in loads:
        print(await run(load, served, matches, seconds), flush=True)


def main() -> None:
    """Run the loads."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches", description=__doc__)
    parser.add_argument("loads", nargs="*", metavar="LOAD", help=", ".join(LOADS))
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    os.environ["BULLSCOWS_MATCHES_PER_HOUR"] = str(10 * options.matches)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BULLSCOWS_STATE_DIR"] = folder
        with server([*OURS, "--workers", "2"]) as served:
            loads = options.loads or [*LOADS, "none"]
            asyncio.run(measure(served, loads, options.matches, options.seconds))


if __name__ == "__main__":
    main()
