"""Print what every kind of request costs the server: processor time, and memory beyond what lasts.

Every route is asked for every tree that ships, at the nodes where it has most to do: the node with
the most candidates of each turn.  Each request goes to the application in this process, without a
socket, for the first time (`first`) and once more (`again`).  A kind's line is its dearest request.
No request may take more than `MILLISECONDS` or `MEGABYTES`, but two kinds: those of the search
(`analysis`), which are bounded by a time of their own, and those that make a file, or the figures
of a whole tree, once in the life of the server (`once`), whose repetition may not.

`python -m benchmarks.hammer` measures what visitors notice of many such requests at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Literal

from fastapi import FastAPI
from starlette.routing import Match, Route
from starlette.types import Message, Scope

from app.main import create_app
from app.trees.library import Entry, Library
from app.trees.position import GamePosition
from app.trees.relabelling import Relabelling
from engine.game.rules import Rules
from engine.tree.export import FORMATS
from engine.tree.strategy_tree import Node

MILLISECONDS = 100
MEGABYTES = 20
Sort = Literal["", "once", "analysis"]


@dataclass(frozen=True)
class Asked:
    """One request."""

    kind: str
    """What it stands for in the table."""
    path: str
    """Path and query."""
    body: object = None
    """The JSON to post; None to get."""
    sort: Sort = ""
    """Whether it is one of those that may be dear."""


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


# -- what is asked -----------------------------------------------------------------------------


def requests(library: Library) -> Iterator[Asked]:
    """Yield every kind of request, of every tree, at its dearest nodes."""
    yield from _once_for_all()
    for entry in library:
        yield from _of_tree(entry, library)
        for position in dearest(entry):
            yield from _of_position(position, library)
        yield from _of_guessing(entry)
    yield from _of_analysis()


def dearest(entry: Entry) -> Iterator[GamePosition]:
    """Yield, for every turn, the position in which most candidates are left, much relabelled."""
    widest: dict[int, Node] = {}
    for node in entry.tree.nodes:
        if node.turn not in widest or len(node.candidates) > len(widest[node.turn].candidates):
            widest[node.turn] = node
    rules = entry.rules
    last = Relabelling(rules, *(tuple(range(n))[::-1] for n in (rules.positions, rules.symbols)))
    for node in widest.values():
        answers = [answer for _, answer in entry.tree.path(node)]
        yield GamePosition.at_root(entry, last).after(*answers)


def _once_for_all() -> Iterator[Asked]:
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/worker.js"):
        yield Asked(path, path)
    yield Asked("/ru", "/ru")
    for prefix in ("", "/ru"):
        for path in ("/", "/about", "/trees", "/guess", "/analyse", "/compare", "/statistics"):
            yield Asked(path, prefix + path)
        for path in ("/statistics/columns", "/offline", "/manifest.webmanifest", "/play", "/none"):
            yield Asked(path, prefix + path)
        yield Asked("/about/", f"{prefix}/about/")
    yield Asked("/static", "/static/styles/site.css")
    yield Asked("API trees", "/api/v1/trees")
    yield Asked("API problem", "/api/v1/problems/contradiction")


def _of_tree(entry: Entry, library: Library) -> Iterator[Asked]:
    name, rules = entry.name, entry.rules
    yield Asked("/play/TREE", f"/play/{name}")
    yield Asked("/statistics/TREE", f"/statistics/{name}", sort="once")
    for form in ("csv", "json"):
        yield Asked(f"/statistics/TREE.{form}", f"/statistics/{name}.{form}", sort="once")
    for form in FORMATS:
        yield Asked(f"/trees/TREE.{form}", f"/trees/{name}.{form}", sort="once")
    for secret in (0, rules.size // 2, rules.size - 1):
        yield Asked("/trees/TREE?secret", f"/trees/{name}?secret={rules.text(secret)}")
    yield Asked("API tree", f"/api/v1/trees/{name}")
    yield Asked("API start", "/api/v1/sessions", {"tree": name, "shuffle": True})
    first, last = (rules.text(code) for code in (0, rules.size - 1))
    yield Asked("API response", "/api/v1/response", _pair(rules, first, last))
    for other in library:
        if other.rules == rules:
            yield Asked("/compare?first", f"/compare?first={name}&second={other.name}")


def _pair(rules: Rules, guess: str, secret: str) -> object:
    return {"rules": str(rules), "guess": guess, "secret": secret}


def _of_position(position: GamePosition, library: Library) -> Iterator[Asked]:
    entry, rules = position.entry, position.entry.rules
    answers = "-".join(position.parts[2:])
    node = "/".join(filter(None, (entry.name, answers)))
    play, end = f"/play/{position.path}", rules.answers[-1]
    yield Asked("/play", play)
    yield Asked("/play?analysis=open", f"{play}?analysis=open")
    yield Asked("/play?analysis=all", f"/ru{play}?analysis=all")
    yield Asked("/play/none", f"{play}/none")
    for answer in (rules.answers[0], rules.answers[len(rules.answers) // 2], end):
        yield Asked("/play/none?answer", f"{play}/none?answer={answer}")
    for secret in (0, rules.size // 2, rules.size - 1):
        yield Asked("/play/none?secret", f"{play}/none?secret={rules.text(secret)}")
    yield Asked("/trees/NODE", f"/trees/{node}")
    yield Asked("/trees/NODE?depth", f"/ru/trees/{node}?depth=99")
    for other in library:
        if other.rules == rules:
            path = "/".join(filter(None, ("/compare", entry.name, other.name, answers)))
            yield Asked("/compare", path)
    yield Asked("API node", f"/api/v1/trees/{entry.name}/nodes?answers={answers}")
    yield Asked("API session", f"/api/v1/sessions/{position.id}")
    for answer in (rules.answers[0], end):
        after = f"/api/v1/sessions/{position.id}/answers"
        yield Asked("API answer", after, answer._asdict())
        wrong = "-".join(filter(None, (answers, str(answer))))
        start = "/".join(position.parts[:2])
        yield Asked("/play, contradicted", f"/play/{start}/{wrong}-{rules.answers[0]}")


def _of_guessing(entry: Entry) -> Iterator[Asked]:
    rules = entry.rules
    start = f"/guess/{rules}"
    yield Asked("/guess/RULES", start)
    yield Asked("/guess/today", f"{start}/today")
    rng = random.Random(str(rules))
    drawn = [rng.randrange(rules.size) for _ in range(29)]
    lines = ([], [0], [0] * 30, [*range(29)], drawn[:1], drawn[:2], drawn[:3], drawn)
    for line in lines:
        path = "/".join(filter(None, (f"{start}/k3f9", "-".join(map(rules.text, line)))))
        yield Asked("/guess", path)
        yield Asked("/guess?hints", f"{path}?hints=on")
        yield Asked("/guess?check", f"{path}?hints=on&check=on&guess={rules.text(rules.size - 1)}")
        yield Asked("/guess?guess", f"{path}?guess={rules.text(rules.size - 1)}")
        yield Asked("/guess/reveal", f"{path}/reveal")


def _of_analysis() -> Iterator[Asked]:
    for rules in ("p4c10n", "p4c6r", "p4c10r", "p5c10n", "p5c8r", "p3c6r"):
        for aim in ("average", "worst,average", "last,average"):
            question = {"rules": rules, "objective": aim, "max_turns": 9, "turns": []}
            yield Asked("API guess", "/api/v1/guess", question, "analysis")
        yield Asked("/analyse/RULES", f"/analyse/{rules}", sort="analysis")
        wrong = "-".join([f"{Rules.parse(rules).text(0)}:0.0"] * 2)
        yield Asked("/analyse/RULES", f"/analyse/{rules}?h={wrong}", sort="analysis")


def unasked(app: FastAPI, asked: set[str]) -> list[str]:
    """Return the routes of the application that no request of the survey comes to."""
    scopes = [{"type": "http", "path": path.partition("?")[0]} for path in asked]
    missing = []
    for route in app.routes:
        if isinstance(route, Route) and not route.path.endswith("/"):
            scope = {"method": next(iter(route.methods or {"GET"}))}
            if all(route.matches(known | scope)[0] is not Match.FULL for known in scopes):
                missing.append(route.path)
    return missing


# -- asking ------------------------------------------------------------------------------------


async def ask(app: FastAPI, asked: Asked) -> tuple[int, int]:
    """Send one request; return the status of the answer and how many bytes it has."""
    path, _, query = asked.path.partition("?")
    content = b"" if asked.body is None else json.dumps(asked.body).encode()
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
            (b"content-type", b"application/json"),
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
        asked = [item for item in requests(app.state.library) if only in item.path]
        if what == "memory":
            tracemalloc.start()
        for item in asked:
            if item.sort == "analysis":
                await asyncio.to_thread(app.state.analysis.load().join)
            status, size, first = await measure(app, item)
            _, _, again = await measure(app, item)
            costs.append(Cost(item, status, size, first, again))
        missing = [] if only else unasked(app, {item.path for item in asked})
    return costs, missing


# -- the table ---------------------------------------------------------------------------------


def lines(times: list[Cost], memories: list[Cost]) -> Iterator[str]:
    """Yield a line for each kind of request: its dearest, by time and by memory."""
    kinds: defaultdict[str, list[tuple[Cost, Cost]]] = defaultdict(list)
    for pair in zip(times, memories, strict=True):
        kinds[pair[0].asked.kind].append(pair)
    yield "| request | asked | ms first | ms again | MB first | MB again | the dearest |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for kind, pairs in kinds.items():
        slow = max((time for time, _ in pairs), key=lambda cost: cost.first)
        figures = [
            max(getattr(pair[place], name) for pair in pairs)
            for place in (0, 1)
            for name in ("first", "again")
        ]
        mark = f" ({slow.asked.sort})" if slow.asked.sort else ""
        cells = " | ".join(f"{figure:.1f}" for figure in figures)
        shown = f"{slow.status} {slow.asked.path}"
        yield f"| {kind}{mark} | {len(pairs)} | {cells} | {shown} |"


def dear(costs: list[Cost], limit: float) -> list[str]:
    """Return the requests that cost more than they may."""
    return [
        f"{cost.first:.1f}, {cost.again:.1f}: {cost.asked.path}"
        for cost in costs
        if cost.asked.sort != "analysis"
        and max(cost.again, 0 if cost.asked.sort == "once" else cost.first) > limit
    ]


def main() -> None:
    """Measure, print, and fail if a request is dearer than it may be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.requests", description=__doc__)
    parser.add_argument("--only", default="", help="only addresses that hold this text")
    options = parser.parse_args()
    found = []
    for what in ("time", "memory"):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:  # nothing is warm
            found.append(process.submit(survey, what, options.only).result())
    (times, missing), (memories, _) = found
    print("\n".join(lines(times, memories)))
    over = [f"ms {line}" for line in dear(times, MILLISECONDS)]
    over += [f"MB {line}" for line in dear(memories, MEGABYTES)]
    for line in islice(over, 200):
        print(line)
    for path in missing:
        print(f"no request came to {path}")
    if over or missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
