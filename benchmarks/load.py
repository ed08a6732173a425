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
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from urllib.request import urlopen

import numpy as np

from benchmarks.client import JSON, Client, Reply, Request, Served, server
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
MILLISECONDS = 250
"""Limit for 99.9 % of the responses to mutated addresses."""
MEGABYTES = 5
"""Limit for the growth of the process."""


# -- requests --------------------------------------------------------------------------------------


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
        page = f"/play/{position.path}"
        session = f"/api/v1/sessions/{position.id}"
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
    some = valid(rng, positions)
    others = cycle(INVALID)
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


# -- commands --------------------------------------------------------------------------------------


def run_clients(
    port: int, queue: Iterator[Request], gap: float, seconds: float, clients: int = CLIENTS
) -> list[Reply]:
    """Run clients that each send a request every `gap` seconds on a connection."""
    client = Client(port, clients, "Accept-Encoding: gzip\r\n")
    end = time.perf_counter() + seconds

    async def send() -> None:
        due = time.perf_counter()
        while time.perf_counter() < end and (request := next(queue, None)) is not None:
            due += gap
            await asyncio.sleep(max(0, due - time.perf_counter()))
            await client.ask(request)

    async def run() -> None:
        await asyncio.gather(*(send() for _ in range(clients)))
        client.close()

    asyncio.run(run())
    return client.replies


def statuses(replies: Iterable[Reply]) -> dict[int, int]:
    """Count replies by status."""
    return dict(sorted(Counter(reply.status for reply in replies).items()))


def percentiles(replies: Iterable[Reply], *shares: float) -> list[float]:
    """Return percentiles of the times in milliseconds."""
    times = [reply.milliseconds for reply in replies]
    return list(map(float, np.percentile(times, shares)))


def failures(replies: Iterable[Reply]) -> list[str]:
    """Return the requests that failed."""
    return [str(reply) for reply in replies if reply.is_failure]


def fuzz(served: Served, positions: Sequence[GamePosition], count: int) -> list[str]:
    """Request mutated addresses; print the responses, return what is wrong."""
    queue = islice(mutated(random.Random(1), positions), count)
    replies = run_clients(served.port, queue, 0, float("inf"), FUZZERS)
    p50, p999 = percentiles(replies, 50, 99.9)
    print(f"{count} mutated addresses, {FUZZERS} clients: {statuses(replies)}")
    print(f"p50 {p50:.1f} ms, p99.9 {p999:.1f} ms; slowest:")
    for reply in sorted(replies, key=lambda reply: -reply.milliseconds)[:5]:
        print(f"  {reply.milliseconds:.0f} ms {reply.request.path[:120]!r}")
    slow = ["p99.9 is above a quarter of a second"] if p999 > MILLISECONDS else []
    return failures(replies) + slow


def steady(served: Served, positions: Sequence[GamePosition], minutes: float) -> list[str]:
    """Hold half of the peak rate; print responses and resources, return what is wrong."""
    queue = mixture(random.Random(1), positions)
    idle = served.resources()
    peak = len(run_clients(served.port, queue, 0, 10)) / 10
    run_clients(served.port, islice(queue, FILLING), 0, float("inf"))
    gap = CLIENTS / (peak / 2)
    first = run_clients(served.port, queue, gap, 60)
    warm = served.resources()
    replies = run_clients(served.port, queue, gap, 60 * minutes - 60)
    time.sleep(5)  # until the server has closed the connections
    after = served.resources()
    rate = len(replies) / (60 * minutes - 60)
    p50, p99 = percentiles(replies, 50, 99)
    print(f"peak {peak:.0f} a second, held {rate:.0f}: {statuses(replies)}")
    print(f"p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"idle: {idle}\nafter a minute: {warm}\nat the end: {after}")
    wrong = failures(first + replies)
    for name, limit in (("megabytes", MEGABYTES), ("files", 0), ("threads", 0)):
        growth = getattr(after, name) - getattr(warm, name)
        if growth > limit:
            wrong.append(f"{growth:.1f} {name} more than after a minute")
    return wrong


def expensive(served: Served, seconds: float, only: str | None) -> None:
    """Print what a player waits while clients request expensive pages."""
    print("| requests | p50 ms | p99 ms | longest | p99 / idle | responses | peak MB |")
    print("| --- | ---: | ---: | ---: | ---: | --- | ---: |")
    _played(served.port, 2)
    idle = 0.0
    for name in ("none", *([only] if only else EXPENSIVE)):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            asked = process.submit(_run_expensive, served.port, name, seconds + 2)
            time.sleep(1)
            p50, p99, longest = _played(served.port, seconds)
            responses = " ".join(f"{count} x {status}" for status, count in asked.result().items())
        idle = idle or p99
        times = f"{p50:.1f} | {p99:.1f} | {longest:.1f} | {p99 / idle:.1f}"
        print(f"| {name} | {times} | {responses} | {served.resources().peak} |", flush=True)


def _run_expensive(port: int, name: str, seconds: float) -> dict[int, int]:
    queue = map(Request, cycle(EXPENSIVE.get(name, ())))
    return statuses(run_clients(port, queue, 0, seconds, EXPENSIVE_CLIENTS))


def _played(port: int, seconds: float) -> list[float]:
    """Request the page of a game 50 times a second; return median, p99 and maximum in ms."""
    taken = []
    end = time.perf_counter() + seconds
    while (started := time.perf_counter()) < end:
        with urlopen(f"http://127.0.0.1:{port}{PLAYED}", timeout=120) as response:
            response.read()
        taken.append(1000 * (time.perf_counter() - started))
        time.sleep(0.02)
    return list(map(float, np.percentile(taken, (50, 99, 100))))


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
