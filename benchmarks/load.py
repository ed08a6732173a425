"""Load one server process: ``python -m benchmarks.load`` (needs Linux).

``fuzz`` requests mutated addresses on four connections: none may return a 5xx, and 99.9 % must be
answered within a quarter of a second.  More clients would measure the queue.

``steady`` finds the peak rate with a mixture of what visitors and programs request, a tenth of it
invalid, then holds half of that rate for some minutes.  After the first minute the process may
grow by 5 MB, and must end with as many threads and open files.

``expensive`` requests the most expensive pages with 50 clients without a pause, and measures what
a player waits for the page of a game meanwhile, compared with an idle server.

A 503 with `Retry-After` is the response of a full queue, not a failure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from urllib.request import urlopen

from bullscows.tree.storage import default_folder
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.trees.relabelling import Relabelling

TREE = "avg-bulls-cows"
LARGE_TREE = "best-bulls-cows-5-of-10"
PLAYED = f"/play/{TREE}/k3/0.1-1.1"
EXPENSIVE = {
    "analysis": [f"/play/{LARGE_TREE}/{token}/0.2-1.1?analysis=all" for token in range(50)],
    "exports": [f"/trees/{LARGE_TREE}.{form}" for form in ("json", "text", "dot", "html")],
    "comparison": [f"/compare/{LARGE_TREE}/{LARGE_TREE}"],
    "trees": [f"/trees/{LARGE_TREE}/{answer}?depth=99" for answer in ("0.2", "0.3", "1.2", "1.1")],
    "corrections": [f"/play/{LARGE_TREE}/{token}/0.2-1.1/none" for token in range(50)],
    "review": [f"/guess/p5c10n/k{n}/{'-'.join(['01234'] * 30)}" for n in range(50)],
}
EXPENSIVE["all"] = [paths[n % len(paths)] for n in range(50) for paths in EXPENSIVE.values()]
CLIENTS = 32
FUZZERS = 4
EXPENSIVE_CLIENTS = 50
FILLING = 6_000
"""Requests of the mixture before memory is measured."""
SECONDS = 0.25
"""Limit for 99.9 % of the responses to mutated addresses."""
MEGABYTES = 5
"""Limit for the growth of the process."""
JSON = "Content-Type: application/json\r\n"
OURS = [sys.executable, "-m", "bullscows", "serve"]
"""Command of our server; ``--port`` follows."""


# -- the server ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Served:
    """A running server."""

    port: int
    process: int

    @property
    def ticks(self) -> int:
        """Processor time used, in the system's ticks."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def settle(self) -> None:
        """Wait for three seconds without work."""
        quiet = 0
        while quiet < 3:
            before = self.ticks
            time.sleep(1)
            quiet = quiet + 1 if self.ticks <= before + 10 else 0

    def resources(self) -> Resources:
        """Return what the process uses at present."""
        lines = Path(f"/proc/{self.process}/status").read_text().splitlines()
        stated = dict(line.split(":", 1) for line in lines)
        return Resources(
            int(stated["VmRSS"].split()[0]) / 1024,
            int(stated["VmHWM"].split()[0]) // 1024,
            len(list(Path(f"/proc/{self.process}/fd").iterdir())),
            int(stated["Threads"]),
        )


@dataclass(frozen=True)
class Resources:
    """Memory in MB, open files and threads of a process."""

    megabytes: float
    peak: int
    files: int
    threads: int

    def __str__(self) -> str:
        return f"{self.megabytes:.1f} MB, {self.files} files, {self.threads} threads"


@contextmanager
def server(command: Sequence[str] = OURS) -> Iterator[Served]:
    """Run a server on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.2)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        process.wait()


# -- requests --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """An HTTP request."""

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


def drawn(entry: Entry, count: int) -> list[GamePosition]:
    """Return random positions of shuffled games after one to three answers, none finished."""
    rng = random.Random(1)
    positions: list[GamePosition] = []
    while len(positions) < count:
        nodes = entry.tree.play(rng.randrange(entry.rules.size))
        turn = min(rng.randint(1, 3), len(nodes) - 1)
        answers = [answer for _, answer in entry.tree.path(nodes[turn])]
        position = GamePosition.at_root(entry, Relabelling.draw(entry.rules)).after(*answers)
        if answers:
            positions.append(position)
    return positions


def last_answer(position: GamePosition) -> str:
    """Return the body that posts the last answer of a position."""
    return json.dumps(position.history[-1].answer._asdict())


def valid(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Request]:
    """Yield what visitors and programs request, without end."""
    while True:
        position = rng.choice(positions)
        tree = position.entry.name
        before = position.before(len(position.answers))
        page, session = f"/play/{position.path}", f"/api/v1/sessions/{position.id}"
        answers = f"/api/v1/sessions/{before.id}/answers"
        yield from (
            Request(page),
            Request(page, headers="HX-Request: true\r\n"),
            Request(f"/ru{page}", headers='If-None-Match: "none"\r\n'),
            Request(f"/play?tree={tree}&shuffle=on"),
            Request(session),
            Request(answers, "POST", JSON, last_answer(position)),
            Request(f"/trees/{tree}/{'-'.join(position.parts[2:])}"),
            Request("/static/styles/site.css"),
            Request("/guess/p4c10n/k3f9/0123"),
        )


INVALID = (
    Request("/none"),
    Request(f"/play/{TREE}/0/9.9"),
    Request(f"/api/v1/sessions/{TREE}~0~4.0-4.0"),
    Request(f"/api/v1/sessions/{TREE}~0/answers", "POST", JSON, "{"),
    Request(f"/api/v1/sessions/{TREE}~0/answers", "POST", "Content-Type: text/plain\r\n", "{}"),
    Request("/trees", "POST", "Sec-Fetch-Site: cross-site\r\n", "x"),
    Request("/static/../pyproject.toml"),
    Request("/play/" + "x" * 5000),
    Request("/trees", "DELETE"),
    Request("/guess/p4c10n/%ff/%00"),
)


def mixture(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Request]:
    """Yield nine valid requests for each invalid one."""
    some, others = valid(rng, positions), cycle(INVALID)
    while True:
        yield next(others) if rng.random() < 0.1 else next(some)


def mutated(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Request]:
    """Yield valid addresses with characters replaced, removed, doubled or added."""
    odd = "0.-~/%?&=#+:;,abcxyz9 \t\"'<>\\^`{}|é\0" + "%00%ff%2f"
    for request in valid(rng, positions):
        text = list(request.path)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place] = rng.choice(("", text[place] * 2, rng.choice(odd), rng.choice(odd) * 9))
        path = "".join(text).replace(" ", "%20").replace("\t", "%09").replace("\0", "%00")
        if path.startswith("/"):
            yield Request(path)


# -- clients ---------------------------------------------------------------------------------------


@dataclass
class Report:
    """The responses of a load."""

    statuses: Counter[int] = field(default_factory=Counter)
    taken: list[tuple[float, str]] = field(default_factory=list)
    """Seconds and address of each response."""
    failures: list[str] = field(default_factory=list)
    """Requests with a 5xx other than 503, or without a response."""

    def add(self, request: Request, status: int, seconds: float) -> None:
        """Add a response."""
        self.statuses[status] += 1
        self.taken.append((seconds, request.path))
        if status == 0 or (status >= 500 and status != 503):
            self.failures.append(f"{status} {request.method} {request.path[:200]}")

    def milliseconds(self, share: float) -> float:
        """Return the time within which a share of all responses came."""
        ordered = sorted(seconds for seconds, _ in self.taken)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


async def _client(
    port: int, queue: Iterator[Request], report: Report, gap: float, end: float
) -> None:
    """Send requests on one connection, which is opened again when the server closes it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    due = time.perf_counter()
    while time.perf_counter() < end and (request := next(queue, None)) is not None:
        due += gap
        await asyncio.sleep(max(0, due - time.perf_counter()))
        started = time.perf_counter()
        try:
            writer.write(request.text)
            status, is_open = await _response(reader)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            status, is_open = 0, False
        report.add(request, status, time.perf_counter() - started)
        if not is_open:
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


async def _response(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """Read a response; return its status, and whether the connection stays open."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head[9:12])
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:-2])
    if "content-length" in fields and status != 304:
        await reader.readexactly(int(fields["content-length"]))
    elif fields.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return status, fields.get("connection") != "close"


def run_clients(
    port: int, queue: Iterator[Request], gap: float, seconds: float, clients: int = CLIENTS
) -> Report:
    """Run clients that each send a request every `gap` seconds; return the responses."""
    report, end = Report(), time.perf_counter() + seconds

    async def run() -> None:
        await asyncio.gather(*(_client(port, queue, report, gap, end) for _ in range(clients)))

    asyncio.run(run())
    return report


# -- commands --------------------------------------------------------------------------------------


def fuzz(served: Served, positions: Sequence[GamePosition], count: int) -> list[str]:
    """Request mutated addresses; print the responses, return what is wrong."""
    queue = islice(mutated(random.Random(1), positions), count)
    report = run_clients(served.port, queue, 0, float("inf"), FUZZERS)
    p999 = report.milliseconds(0.999)
    print(f"{count} mutated addresses, {FUZZERS} clients: {dict(sorted(report.statuses.items()))}")
    print(f"p50 {report.milliseconds(0.5):.1f} ms, p99.9 {p999:.1f} ms; slowest:")
    for seconds, path in sorted(report.taken, reverse=True)[:5]:
        print(f"  {1000 * seconds:.0f} ms {path[:120]!r}")
    slow = p999 > 1000 * SECONDS
    return [*report.failures, *(["p99.9 is above a quarter of a second"] if slow else [])]


def steady(served: Served, positions: Sequence[GamePosition], minutes: float) -> list[str]:
    """Hold half of the peak rate; print responses and resources, return what is wrong."""
    queue = mixture(random.Random(1), positions)
    idle = served.resources()
    peak = len(run_clients(served.port, queue, 0, 10).taken) / 10
    run_clients(served.port, islice(queue, FILLING), 0, float("inf"))
    gap = CLIENTS / (peak / 2)
    first = run_clients(served.port, queue, gap, 60)
    warm = served.resources()
    report = run_clients(served.port, queue, gap, 60 * minutes - 60)
    time.sleep(5)  # until the server has closed the connections
    after = served.resources()
    rate = len(report.taken) / (60 * minutes - 60)
    print(f"peak {peak:.0f} a second, held {rate:.0f}: {dict(sorted(report.statuses.items()))}")
    print(f"p50 {report.milliseconds(0.5):.1f} ms, p99 {report.milliseconds(0.99):.1f} ms")
    print(f"idle: {idle}\nafter a minute: {warm}\nat the end: {after}")
    wrong = first.failures + report.failures
    if after.megabytes - warm.megabytes > MEGABYTES:
        wrong.append(f"the process grew by {after.megabytes - warm.megabytes:.1f} MB")
    if after.files > warm.files:
        wrong.append(f"{after.files - warm.files} files stay open")
    if after.threads > warm.threads:
        wrong.append(f"{after.threads - warm.threads} threads stay")
    return wrong


def expensive(served: Served, seconds: float, only: str | None) -> None:
    """Print what a player waits while clients request expensive pages."""
    print("| requests | p50 ms | p99 ms | longest | p99 / idle | responses | peak MB |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: |")
    _played(served.port, 2)
    idle = _played(served.port, seconds)
    print(_row("none", idle, idle, "", served), flush=True)
    for name in [only] if only else EXPENSIVE:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            asked = process.submit(_run_expensive, served.port, name, seconds + 2)
            time.sleep(1)
            taken = _played(served.port, seconds)
            responses = " ".join(f"{count} x {status}" for status, count in asked.result().items())
        print(_row(name, taken, idle, responses, served), flush=True)


def _run_expensive(port: int, name: str, seconds: float) -> Counter[int]:
    queue = map(Request, cycle(EXPENSIVE[name]))
    return run_clients(port, queue, 0, seconds, EXPENSIVE_CLIENTS).statuses


def _played(port: int, seconds: float) -> tuple[float, float, float]:
    """Request the page of a game 50 times a second; return median, p99 and maximum in ms."""
    taken, end = [], time.perf_counter() + seconds
    while (started := time.perf_counter()) < end:
        with urlopen(f"http://127.0.0.1:{port}{PLAYED}", timeout=120) as response:
            response.read()
        taken.append(1000 * (time.perf_counter() - started))
        time.sleep(0.02)
    percentiles = quantiles(taken, n=100)
    return percentiles[49], percentiles[98], max(taken)


def _row(
    name: str,
    taken: tuple[float, float, float],
    idle: tuple[float, float, float],
    responses: str,
    served: Served,
) -> str:
    times = " | ".join(f"{value:.1f}" for value in taken)
    peak = served.resources().peak
    return f"| {name} | {times} | {taken[1] / idle[1]:.1f} | {responses} | {peak} |"


def main() -> None:
    """Run the given loads, or fuzz and steady; fail if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("loads", nargs="*", metavar="LOAD", help="fuzz, steady, expensive")
    parser.add_argument("--addresses", type=int, default=100_000, help="of fuzz (100,000)")
    parser.add_argument("--minutes", type=float, default=10, help="of steady (10)")
    parser.add_argument("--seconds", type=float, default=15, help="of each row of expensive (15)")
    parser.add_argument("--only", choices=EXPENSIVE, help="one row of expensive")
    options = parser.parse_args()
    loads = options.loads or ["fuzz", "steady"]
    if unknown := set(loads) - {"fuzz", "steady", "expensive"}:
        parser.error(f"unknown LOAD {min(unknown)!r}: write fuzz, steady or expensive")
    positions = drawn(Library.open(default_folder()).tree(TREE), 10_000)
    wrong: list[str] = []
    with server() as served:
        served.settle()
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if "fuzz" in loads:
            wrong += fuzz(served, positions, options.addresses)
        if "steady" in loads:
            wrong += steady(served, positions, options.minutes)
        if "expensive" in loads:
            expensive(served, options.seconds, options.only)
    if wrong:
        raise SystemExit("\n".join(wrong[:50]))


if __name__ == "__main__":
    main()
