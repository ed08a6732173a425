"""Hold one worker under load for minutes, and tell what it keeps of it: `make soak`.

`addresses` asks for so many mutated addresses, one after the other on four connections: none may
end in a 5xx, and 999 of 1,000 have to be answered within a quarter of a second.  More clients at
once than that would measure how many there are: each waits for the answers of all others.

`steady` finds the worker's peak with a mixture of what visitors and programs ask, a tenth of it bad
requests, then holds half of that rate for so many minutes.  From the first minute's end to the last
the process may grow by 5 MB, and has to have as many threads and, when the clients have gone, as
many open files as before.

A 503 with `Retry-After` is an answer of a queue that is full, and no fault.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from benchmarks.requests.hammer import server
from benchmarks.throughput import Served, drawn, settle
from bullscows.tree.storage import default_folder
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition

CLIENTS = 32
FUZZERS = 4
FILLING = 6_000
"""Requests of the mixture whose pages take all that is kept of pages, 16 MB."""
SECONDS = 0.25
"""Within which 999 of 1,000 fuzzed addresses have to be answered."""
MEGABYTES = 5
"""By which the process may grow."""
JSON = "Content-Type: application/json\r\n"
BUSY = 503


@dataclass(frozen=True)
class Asked:
    """One request."""

    path: str
    method: str = "GET"
    headers: str = ""
    body: str = ""

    @property
    def text(self) -> bytes:
        """The request as it is sent."""
        length = f"Content-Length: {len(self.body)}\r\n" if self.body else ""
        head = f"{self.method} {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{self.headers}{length}"
        return f"{head}Accept-Encoding: gzip\r\n\r\n{self.body}".encode("utf-8", "surrogateescape")


@dataclass
class Told:
    """What came back."""

    statuses: Counter[int] = field(default_factory=Counter)
    taken: list[tuple[float, str]] = field(default_factory=list)
    """Seconds and address of each answer."""
    faults: list[str] = field(default_factory=list)
    """Requests that ended in a 5xx, or in no answer."""

    def note(self, asked: Asked, status: int, seconds: float) -> None:
        """Add an answer."""
        self.statuses[status] += 1
        self.taken.append((seconds, asked.path))
        if status == 0 or (status >= 500 and status != BUSY):
            self.faults.append(f"{status} {asked.method} {asked.path[:200]}")

    def milliseconds(self, share: float) -> float:
        """Return within how many milliseconds so many of all answers came."""
        ordered = sorted(seconds for seconds, _ in self.taken)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


# -- what is asked -----------------------------------------------------------------------------


def good(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Asked]:
    """Yield what visitors and programs ask of positions, without end."""
    while True:
        position = rng.choice(positions)
        tree = position.entry.name
        turn = len(position.answers)
        before, answer = position.before(turn), position.history[turn - 1].answer
        page, session = f"/play/{position.path}", f"/api/v1/sessions/{position.id}"
        yield from (
            Asked(page),
            Asked(page, headers="HX-Request: true\r\n"),
            Asked(f"/ru{page}", headers='If-None-Match: "none"\r\n'),
            Asked(f"/play?tree={tree}&shuffle=on"),
            Asked(session),
            Asked(
                f"/api/v1/sessions/{before.id}/answers", "POST", JSON, json.dumps(answer._asdict())
            ),
            Asked(f"/trees/{tree}/{'-'.join(position.parts[2:])}"),
            Asked("/static/styles/site.css"),
            Asked("/guess/p4c10n/k3f9/0123"),
        )


def bad() -> Iterator[Asked]:
    """Yield what nobody should ask, without end."""
    answers = "/api/v1/sessions/avg-bulls-cows~0/answers"
    while True:
        yield from (
            Asked("/none"),
            Asked("/play/avg-bulls-cows/0/9.9"),
            Asked("/api/v1/sessions/avg-bulls-cows~0~4.0-4.0"),
            Asked(answers, "POST", JSON, "{"),
            Asked(answers, "POST", "Content-Type: text/plain\r\n", "{}"),
            Asked("/trees", "POST", "Sec-Fetch-Site: cross-site\r\n", "x"),
            Asked("/static/../pyproject.toml"),
            Asked("/play/" + "x" * 5000),
            Asked("/trees", "DELETE"),
            Asked("/guess/p4c10n/%ff/%00"),
        )


def mixture(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Asked]:
    """Yield nine good requests for each bad one."""
    some, others = good(rng, positions), bad()
    while True:
        yield next(others) if rng.random() < 0.1 else next(some)


def mutated(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Asked]:
    """Yield good addresses with some of their characters replaced, left out, doubled or added."""
    odd = "0.-~/%?&=#+:;,abcxyz9 \t\"'<>\\^`{}|é\0" + "%00%ff%2f"
    for asked in good(rng, positions):
        text = list(asked.path)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place] = rng.choice(("", text[place] * 2, rng.choice(odd), rng.choice(odd) * 9))
        path = "".join(text).replace(" ", "%20").replace("\t", "%09").replace("\0", "%00")
        if path.startswith("/"):
            yield Asked(path)


# -- asking ------------------------------------------------------------------------------------


async def client(port: int, queue: Iterator[Asked], told: Told, gap: float, end: float) -> None:
    """Ask one thing after the other on one connection, made anew where the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    due = time.perf_counter()
    while time.perf_counter() < end and (asked := next(queue, None)) is not None:
        due += gap
        await asyncio.sleep(max(0, due - time.perf_counter()))
        started = time.perf_counter()
        try:
            writer.write(asked.text)
            status, is_open = await answer(reader, asked)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            status, is_open = 0, False
        told.note(asked, status, time.perf_counter() - started)
        if not is_open:
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


async def answer(reader: asyncio.StreamReader, asked: Asked) -> tuple[int, bool]:
    """Read one answer; return its status, and whether the connection stays open."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head[9:12])
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:-2])
    if "content-length" in fields and asked.method != "HEAD" and status != 304:
        await reader.readexactly(int(fields["content-length"]))
    elif fields.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return status, fields.get("connection") != "close"


async def crowd(
    port: int, queue: Iterator[Asked], gap: float, seconds: float, clients: int = CLIENTS
) -> Told:
    """Let so many clients ask for so long; return what came back."""
    told, end = Told(), time.perf_counter() + seconds
    await asyncio.gather(*(client(port, queue, told, gap, end) for _ in range(clients)))
    return told


# -- what it keeps -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """What a process holds (Linux)."""

    megabytes: float
    files: int
    threads: int

    @classmethod
    def of(cls, process: int) -> Kept:
        """Look at a process."""
        folder = Path(f"/proc/{process}")
        pages = int((folder / "statm").read_text().split()[1])
        megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
        return cls(
            megabytes, len(list((folder / "fd").iterdir())), len(list((folder / "task").iterdir()))
        )


def addresses(served: Served, positions: Sequence[GamePosition], count: int) -> list[str]:
    """Ask for mutated addresses; print what came, return what is wrong."""
    queue = islice(mutated(random.Random(1), positions), count)
    told = asyncio.run(crowd(served.port, queue, 0, float("inf"), FUZZERS))
    print(f"{count} mutated addresses, {FUZZERS} at once: {dict(sorted(told.statuses.items()))}")
    print(f"p50 {told.milliseconds(0.5):.1f} ms, p99.9 {told.milliseconds(0.999):.1f} ms; slowest:")
    for seconds, path in sorted(told.taken, reverse=True)[:5]:
        print(f"  {1000 * seconds:.0f} ms {path[:120]!r}")
    slow = told.milliseconds(0.999) > 1000 * SECONDS
    return [*told.faults, *(["p99.9 is above a quarter of a second"] if slow else [])]


def steady(served: Served, positions: Sequence[GamePosition], minutes: float) -> list[str]:
    """Hold half of the peak; print what came and what was kept, return what is wrong."""
    queue = mixture(random.Random(1), positions)
    idle = Kept.of(served.process)
    peak = len(asyncio.run(crowd(served.port, queue, 0, 10)).taken) / 10
    asyncio.run(crowd(served.port, islice(queue, FILLING), 0, float("inf")))
    gap = CLIENTS / (peak / 2)
    first = asyncio.run(crowd(served.port, queue, gap, 60))
    warm = Kept.of(served.process)
    told = asyncio.run(crowd(served.port, queue, gap, 60 * minutes - 60))
    time.sleep(5)  # closed connections are waited for
    after = Kept.of(served.process)
    rate = len(told.taken) / (60 * minutes - 60)
    print(f"peak {peak:.0f} a second, held {rate:.0f}: {dict(sorted(told.statuses.items()))}")
    print(f"p50 {told.milliseconds(0.5):.1f} ms, p99 {told.milliseconds(0.99):.1f} ms")
    for name, kept in (("idle", idle), ("after a minute", warm), ("at the end", after)):
        print(f"{name}: {kept.megabytes:.1f} MB, {kept.files} files, {kept.threads} threads")
    wrong = first.faults + told.faults
    if after.megabytes - warm.megabytes > MEGABYTES:
        wrong.append(f"it grew by {after.megabytes - warm.megabytes:.1f} MB")
    if after.files > warm.files:
        wrong.append(f"{after.files - warm.files} files stay open")
    if after.threads > warm.threads:
        wrong.append(f"{after.threads - warm.threads} threads stay")
    return wrong


def main() -> None:
    """Soak, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--addresses", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    positions = drawn(Library.open(default_folder()).tree("avg-bulls-cows"))
    with server() as (port, process):
        served = Served(port, process)
        settle(served)
        wrong = addresses(served, positions, options.addresses)
        wrong += steady(served, positions, options.minutes)
    print("\n".join(wrong[:50]) or "nothing is wrong")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
