"""Load one server process: ``python -m benchmarks.load`` (needs Linux).

``fuzz`` requests mutated addresses on four connections: none may return a 5xx, and 99.9 % must be
answered within a quarter of a second.  More clients would measure the queue.

``steady`` finds the peak rate with a mixture of what visitors and programs request, a tenth of it
invalid, then holds half of that rate for some minutes.  After the first minute the process may
grow by 5 MB, and must end with as many threads and open files.

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
from itertools import cycle, islice

from benchmarks.client import JSON, Client, Reply, Request, Served, percentiles, server
from bullscows.tree.storage import default_folder
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.trees.relabelling import Relabelling

TREE = "avg-bulls-cows"
CLIENTS = 32
FUZZERS = 4
FILLING = 6_000
"""Requests of the mixture before memory is measured."""
MILLISECONDS = 250
"""Limit for 99.9 % of the responses to mutated addresses."""
LIMITS = {"megabytes": 5, "files": 0, "threads": 0}
"""Limits for the growth of the process."""


# -- requests --------------------------------------------------------------------------------------


def drawn(entry: Entry, count: int) -> list[GamePosition]:
    """Return random positions of shuffled games after one to three answers, none finished."""
    rng = random.Random(1)
    positions: list[GamePosition] = []
    while len(positions) < count:
        nodes = entry.tree.play(rng.randrange(entry.rules.size))
        turn = min(rng.randint(1, 3), len(nodes) - 1)
        answers = [answer for _, answer in entry.tree.path(nodes[turn])]
        if answers:
            root = GamePosition.at_root(entry, Relabelling.draw(entry.rules))
            positions.append(root.after(*answers))
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
        answers = f"/api/v1/sessions/{before.id}/answers"
        yield Request(page)
        yield Request(page, headers="HX-Request: true\r\nAccept-Encoding: gzip\r\n")
        yield Request(f"/ru{page}", headers='If-None-Match: "none"\r\n')
        yield Request(f"/play?tree={tree}&shuffle=on")
        yield Request(f"/api/v1/sessions/{position.id}")
        yield Request(answers, "POST", JSON, last_answer(position))
        yield Request(f"/trees/{tree}/{'-'.join(position.parts[2:])}")
        yield Request("/static/styles/site.css")
        yield Request("/guess/p4c10n/k3f9/0123")


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


# -- loads -----------------------------------------------------------------------------------------


async def send(
    port: int, queue: Iterator[Request], clients: int, gap: float = 0, seconds: float = float("inf")
) -> list[Reply]:
    """Run clients that each send a request every `gap` seconds on a connection."""
    client = Client(port, clients)
    end = time.perf_counter() + seconds

    async def run() -> None:
        due = time.perf_counter()
        while time.perf_counter() < end and (request := next(queue, None)) is not None:
            due += gap
            await asyncio.sleep(max(0, due - time.perf_counter()))
            await client.ask(request)

    await asyncio.gather(*(run() for _ in range(clients)))
    client.close()
    return client.replies


def statuses(replies: Iterable[Reply]) -> dict[int, int]:
    """Count replies by status."""
    return dict(sorted(Counter(reply.status for reply in replies).items()))


def failures(replies: Iterable[Reply]) -> list[str]:
    """Return the requests that failed."""
    failed = [reply for reply in replies if reply.is_failure]
    return [f"{one.status} {one.request.method} {one.request.path[:200]}" for one in failed]


async def fuzz(served: Served, positions: Sequence[GamePosition], count: int) -> list[str]:
    """Request mutated addresses; print the responses, return what is wrong."""
    queue = islice(mutated(random.Random(1), positions), count)
    replies = await send(served.port, queue, FUZZERS)
    p50, p999 = percentiles(replies, 50, 99.9)
    print(f"{count} mutated addresses, {FUZZERS} clients: {statuses(replies)}")
    print(f"p50 {p50:.1f} ms, p99.9 {p999:.1f} ms; slowest:")
    for reply in sorted(replies, key=lambda reply: -reply.milliseconds)[:5]:
        print(f"  {reply.milliseconds:.0f} ms {reply.request.path[:120]!r}")
    slow = ["p99.9 is above a quarter of a second"] if p999 > MILLISECONDS else []
    return failures(replies) + slow


async def steady(served: Served, positions: Sequence[GamePosition], minutes: float) -> list[str]:
    """Hold half of the peak rate; print responses and resources, return what is wrong."""
    queue = mixture(random.Random(1), positions)
    idle = served.resources()
    peak = len(await send(served.port, queue, CLIENTS, seconds=10)) / 10
    await send(served.port, islice(queue, FILLING), CLIENTS)
    gap = CLIENTS / (peak / 2)
    first = await send(served.port, queue, CLIENTS, gap, 60)
    warm = served.resources()
    replies = await send(served.port, queue, CLIENTS, gap, 60 * minutes - 60)
    time.sleep(5)  # until the server has closed the connections
    after = served.resources()
    rate = len(replies) / (60 * minutes - 60)
    p50, p99 = percentiles(replies, 50, 99)
    print(f"peak {peak:.0f} a second, held {rate:.0f}: {statuses(replies)}")
    print(f"p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"idle: {idle}\nafter a minute: {warm}\nat the end: {after}")
    wrong = failures(first + replies)
    for name, limit in LIMITS.items():
        growth = getattr(after, name) - getattr(warm, name)
        if growth > limit:
            wrong.append(f"{growth:.1f} {name} more than after a minute")
    return wrong


def main() -> None:
    """Run the given loads, or fuzz and steady; fail if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("loads", nargs="*", metavar="LOAD", help="fuzz, steady")
    parser.add_argument("--addresses", type=int, default=100_000, help="of fuzz (100,000)")
    parser.add_argument("--minutes", type=float, default=10, help="of steady (10)")
    options = parser.parse_args()
    loads = options.loads or ["fuzz", "steady"]
    if unknown := set(loads) - {"fuzz", "steady"}:
        parser.error(f"unknown LOAD {min(unknown)!r}: write fuzz or steady")
    positions = drawn(Library.open(default_folder()).tree(TREE), 10_000)
    wrong: list[str] = []
    with server() as served:
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if "fuzz" in loads:
            wrong += asyncio.run(fuzz(served, positions, options.addresses))
        if "steady" in loads:
            wrong += asyncio.run(steady(served, positions, options.minutes))
    if wrong:
        raise SystemExit("\n".join(wrong[:50]))


if __name__ == "__main__":
    main()
