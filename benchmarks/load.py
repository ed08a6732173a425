"""Load a server of its own: ``python -m benchmarks.load SCENARIO...`` (needs Linux).

``fuzz`` requests mutated addresses on four connections: none may return a 5xx, and 99.9 % must be
answered within a quarter of a second.  More clients would measure the queue.

``steady`` finds the peak rate with a mixture of what visitors and programs request, a tenth of it
invalid, then holds half of that rate for some minutes.  After the first minute the process may
grow by 5 MB, and must end with as many threads and open files.

``kinds`` prints for each kind of request, for different positions of shuffled games, the processor
time of the server in milliseconds, which other programs do not change, and the 99th percentile of
the latency with 32 clients, which they do change.

``matches`` plays matches on two workers: one of the two players moves every ten seconds, and both
browsers poll the match and fetch the board after each move.  Requests share 40 connections, as
behind a proxy.

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np

from bullscows.tree.storage import default_folder
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.trees.relabelling import Relabelling
from tests.support.servers import processes
from tests.support.servers.serving import Server, running, searching, wait_until_it_searches

TREE = "avg-bulls-cows"
CLIENTS = 32
FUZZERS = 4
FILLING = 6_000
"""Requests of the mixture before memory is measured."""
MILLISECONDS = 250
"""Limit for 99.9 % of the responses to mutated addresses."""
LIMITS = {"MB": 5, "files": 0, "threads": 0}
"""Limits for the growth of the process."""
KIND_SECONDS = 5
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Request:
    """A request; `kind` is its row in a table."""

    path: str
    """Path and query, sent as they are, valid or not."""
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Reply:
    """The response to a request; status 0 if there is none."""

    request: Request
    status: int
    milliseconds: float
    """Time from the request to the end of the response, with the wait for a connection."""


@contextmanager
def server(*options: str, **environment: str) -> Iterator[Server]:
    """Run a server that has compiled its search."""
    with TemporaryDirectory() as folder:
        ours = {f"BULLSCOWS_{name}": text for name, text in searching().items()}
        ours["BULLSCOWS_STATE_DIR"] = folder
        log = Path(folder) / "log"
        with running(default_folder(), log, *options, **ours, **environment) as found:
            wait_until_it_searches(found.address)
            yield found


def processor_seconds(served: Server) -> float:
    """Return the processor time used by a server and its workers."""
    number = served.process.pid
    return sum(map(processes.processor_seconds, (number, *processes.descendants(number))))


def resources(served: Server) -> dict[str, int]:
    """Return the memory, open files and threads of a server."""
    process = served.process.pid
    return {
        "MB": processes.megabytes(process, "VmRSS"),
        "files": len(os.listdir(f"/proc/{process}/fd")),
        "threads": len(os.listdir(f"/proc/{process}/task")),
    }


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


def kinds_of(position: GamePosition) -> dict[str, Request]:
    """Return what visitors and programs request about a position, by the kind of request."""
    tree = position.entry.name
    page = f"/play/{position.path}"
    answers = "-".join(str(turn.answer) for turn in position.turns)
    before = position.before(len(position.answers)).id
    last = json.dumps(position.turns[-1].answer._asdict())
    return {
        "JSON answer": Request(f"/api/v1/sessions/{before}/answers", "POST", JSON, last),
        "JSON session": Request(f"/api/v1/sessions/{position.id}"),
        "JSON node": Request(f"/api/v1/trees/{tree}/nodes?answers={answers}"),
        "304 of a page": Request(page, headers={"If-None-Match": "*"}),
        "static file": Request("/static/styles/site.css"),
        "fragment": Request(page, headers={"HX-Request": "true"}),
        "page": Request(page),
        "Russian page": Request(f"/ru{page}"),
        "new game": Request(f"/play?tree={tree}&shuffle=on"),
        "guess page": Request("/guess/p4c10n/k3f9/0123-4567"),
        "tree page": Request(f"/trees/{tree}/{answers}"),
    }


INVALID = (
    Request("/none"),
    Request(f"/play/{TREE}/0/9.9"),
    Request(f"/api/v1/sessions/{TREE}~0~4.0-4.0"),
    Request(f"/api/v1/sessions/{TREE}~0/answers", "POST", JSON, "{"),
    Request(f"/api/v1/sessions/{TREE}~0/answers", "POST", {"Content-Type": "text/plain"}, "{}"),
    Request("/trees", "POST", {"Sec-Fetch-Site": "cross-site"}, "x"),
    Request("/static/../pyproject.toml"),
    Request("/play/" + "x" * 5000),
    Request("/trees", "DELETE"),
    Request("/guess/p4c10n/%ff/%00"),
)


def mixture(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Request]:
    """Yield valid requests without end, and after nine of them an invalid one."""
    for invalid in cycle(INVALID):
        valid = (kinds_of(rng.choice(positions)).values() for _ in range(9))
        yield from map(rng.choice, map(list, valid))
        yield invalid


def mutated(rng: random.Random, positions: Sequence[GamePosition]) -> Iterator[Request]:
    """Yield valid addresses with characters replaced, removed, doubled or added."""
    odd = "0.-~/%?&=#+:;,abcxyz9 \t\"'<>\\^`{}|\0" + "%00%ff%2f%c3%a9"
    while True:
        text = list(rng.choice(list(kinds_of(rng.choice(positions)).values())).path)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place] = rng.choice(("", text[place] * 2, rng.choice(odd), rng.choice(odd) * 9))
        path = "".join(text).replace(" ", "%20").replace("\t", "%09").replace("\0", "%00")
        if path.startswith("/"):
            yield Request(path)


# -- loads -----------------------------------------------------------------------------------------


def connected(port: int, connections: int) -> httpx.AsyncClient:
    """Return a client with at most `connections` connections to a server of this machine."""
    limits = httpx.Limits(max_connections=connections)
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=None)


async def ask(client: httpx.AsyncClient, request: Request) -> Reply:
    """Send a request and wait for the whole response."""
    started = time.perf_counter()
    target = {"target": request.path.encode()}
    try:
        response = await client.request(
            request.method, "/", headers=request.headers, content=request.body, extensions=target
        )
        status = response.status_code
    except httpx.HTTPError:
        status = 0
    return Reply(request, status, 1000 * (time.perf_counter() - started))


async def send(
    port: int, queue: Iterator[Request], clients: int, gap: float = 0, seconds: float = float("inf")
) -> list[Reply]:
    """Run clients that each send a request every `gap` seconds on a connection."""
    end = time.perf_counter() + seconds
    replies: list[Reply] = []
    async with connected(port, clients) as client:

        async def run() -> None:
            due = time.perf_counter()
            while time.perf_counter() < end and (request := next(queue, None)) is not None:
                due += gap
                await asyncio.sleep(max(0, due - time.perf_counter()))
                replies.append(await ask(client, request))

        await asyncio.gather(*(run() for _ in range(clients)))
    return replies


def percentiles(replies: Iterable[Reply], *shares: float) -> list[float]:
    """Return percentiles of the times in milliseconds."""
    times = [reply.milliseconds for reply in replies]
    return list(map(float, np.percentile(times, shares))) if times else []


def failures(replies: Sequence[Reply]) -> list[str]:
    """Return the requests that failed; print how many replies had each status."""
    statuses = Counter(reply.status for reply in replies)
    print(f"{len(replies)} requests, by status: {dict(sorted(statuses.items()))}")
    return [
        f"{one.status} {one.request.method} {one.request.path[:200]}"
        for one in replies
        if one.status == 0 or (one.status >= 500 and one.status != 503)
    ]


async def fuzz(positions: Sequence[GamePosition], options: argparse.Namespace) -> list[str]:
    """Request mutated addresses; print the responses, return what is wrong."""
    with server() as served:
        queue = islice(mutated(random.Random(1), positions), options.addresses)
        replies = await send(served.port, queue, FUZZERS)
    wrong = failures(replies)
    p50, p999 = percentiles(replies, 50, 99.9)
    print(f"p50 {p50:.1f} ms, p99.9 {p999:.1f} ms; slowest:")
    for reply in sorted(replies, key=lambda reply: -reply.milliseconds)[:5]:
        print(f"  {reply.milliseconds:.0f} ms {reply.request.path[:120]!r}")
    return [*wrong, "p99.9 is above a quarter of a second"] if p999 > MILLISECONDS else wrong


async def steady(positions: Sequence[GamePosition], options: argparse.Namespace) -> list[str]:
    """Hold half of the peak rate; print responses and resources, return what is wrong."""
    queue = mixture(random.Random(1), positions)
    rest = 60 * options.minutes - 60
    with server() as served:
        idle = resources(served)
        peak = len(await send(served.port, queue, CLIENTS, seconds=10)) / 10
        await send(served.port, islice(queue, FILLING), CLIENTS)
        gap = CLIENTS / (peak / 2)
        first = await send(served.port, queue, CLIENTS, gap, 60)
        warm = resources(served)
        replies = await send(served.port, queue, CLIENTS, gap, rest)
        time.sleep(5)  # until the server has closed the connections
        after = resources(served)
    wrong = failures(first + replies)
    p50, p99 = percentiles(replies, 50, 99)
    print(f"peak {peak:.0f} a second, held {len(replies) / rest:.0f}")
    print(f"p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"idle: {idle}\nafter a minute: {warm}\nat the end: {after}")
    growth = {name: after[name] - warm[name] for name in LIMITS}
    over = [name for name in LIMITS if growth[name] > LIMITS[name]]
    return wrong + [f"{growth[name]} {name} more than after a minute" for name in over]


async def kinds(positions: Sequence[GamePosition], _: argparse.Namespace) -> list[str]:
    """Print a row for each kind of request; return the responses that are errors."""
    print("| requests | ms | p99 |\n| --- | ---: | ---: |")
    wrong = []
    with server() as served:
        for kind in kinds_of(positions[0]):
            queue = (kinds_of(position)[kind] for position in cycle(positions))
            before = processor_seconds(served)
            replies = await send(served.port, queue, CLIENTS, seconds=KIND_SECONDS)
            taken = 1000 * (processor_seconds(served) - before) / len(replies)
            (p99,) = percentiles(replies, 99)
            print(f"| {kind} | {taken:.2f} | {p99:.1f} |", flush=True)
            wrong += [f"{kind}: {one.status}" for one in replies if not 0 < one.status < 400]
    return wrong


# -- matches ---------------------------------------------------------------------------------------

API = "/api/v1/matches"
PACE = 10.0
"""Seconds between two moves of a match."""
POLLS = 10
"""Polls of both browsers between two moves."""
CONNECTIONS = 40
MATCH_SECONDS = 30
COLUMNS = ("move", "board", "poll")


async def created(client: httpx.AsyncClient) -> tuple[str, list[dict[str, str]]]:
    """Create a match of two players; return its path and the headers of each."""
    creator = (await client.post(API, json={"rules": "p4c10n", "secret": "8910"})).json()
    path = f"/{creator['id']}"
    guest = (await client.post(f"{API}{path}/join", json={"secret": "9801"})).json()
    return path, [{"Authorization": f"Bearer {one['player']}"} for one in (creator, guest)]


def watched(played: Sequence[tuple[str, list[dict[str, str]]]]) -> Iterator[Request]:
    """Yield the moves of matches in turn, each with what both browsers then request."""
    for turn in count(1):
        for seat in (0, 1):
            for path, players in played:
                guess = json.dumps({"guess": "".join(random.sample("1234567", 4)), "turn": turn})
                headers = JSON | players[seat]
                yield Request(f"{API}{path}/guesses", "POST", headers, guess, "move")
                for player in players:
                    yield Request(f"{API}{path}", headers=player, kind="board")
                for _ in range(POLLS):
                    yield Request(f"/match{path}/presence", kind="poll")


async def matches(_: Sequence[GamePosition], options: argparse.Namespace) -> list[str]:
    """Print milliseconds, the median to p99, by kind of request; return the failures."""
    limit = {"BULLSCOWS_MATCHES_PER_HOUR": str(10 * options.matches)}
    with server("--workers", "2", **limit) as served:
        async with connected(served.port, CONNECTIONS) as client:
            played = [await created(client) for _ in range(options.matches)]
        gap = CONNECTIONS * PACE / ((3 + POLLS) * len(played))
        replies = await send(served.port, watched(played), CONNECTIONS, gap, MATCH_SECONDS)
    print(f"{len(played)} matches\n| request | p50 ms | p99 ms |\n| --- | ---: | ---: |")
    for kind in COLUMNS:
        p50, p99 = percentiles((one for one in replies if one.request.kind == kind), 50, 99)
        print(f"| {kind} | {p50:.1f} | {p99:.1f} |")
    return failures(replies)


SCENARIOS = {"fuzz": fuzz, "steady": steady, "kinds": kinds, "matches": matches}


def main() -> None:
    """Run the given scenarios; fail if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("scenarios", nargs="+", metavar="SCENARIO", choices=SCENARIOS)
    parser.add_argument("--addresses", type=int, default=20_000, help="of fuzz (20,000)")
    parser.add_argument("--minutes", type=float, default=10, help="of steady (10)")
    parser.add_argument("--matches", type=int, default=500, help="of matches (500)")
    options = parser.parse_args()
    positions = drawn(Library.open(default_folder()).tree(TREE), 10_000)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    wrong: list[str] = []
    for name in options.scenarios:
        wrong += asyncio.run(SCENARIOS[name](positions, options))
    if wrong:
        raise SystemExit("\n".join(wrong[:50]))


if __name__ == "__main__":
    main()
