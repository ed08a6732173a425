"""Measure what every kind of request costs a server: ``python -m benchmarks.expensive``.

Every route is requested with the most expensive values of its parameters: for every shipped tree at
the position with most candidates of each turn, and for the largest games with short and long
histories.  The application runs in this process without a socket, and so do its searches.  Each
request is sent twice (`first` and `again`), for processor time and for peak memory.  A row shows
the most expensive request of a kind.

Limits are `MILLISECONDS` and `MEGABYTES`.  Requests about a position of any game (`analysis`) have
the limits of `ANALYSIS`; they come last, since a search continues during later requests.  Files of
whole trees, figures and the page of results are generated once (`once`): only the second request
is limited.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from inspect import signature
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, Literal, TypeAlias
from urllib.parse import urlencode

import httpx
import numpy as np
from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts

from bullscows.game.history import MAX_HISTORY, History, candidates, split
from bullscows.game.rules import Rules, Turn
from bullscows.tree.export import FORMATS
from bullscows.tree.nodes import Node
from bullscows_web.duel.levels import played
from bullscows_web.duel.solo import encrypt_code
from bullscows_web.duel.state import Terms
from bullscows_web.main import create_app
from bullscows_web.search.service import MAX_EVALUATED
from bullscows_web.server.settings import Settings
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.trees.relabelling import Relabelling
from bullscows_web.web.encrypted_state import StateCipher
from tests.support.searching import ThreadExecutor

MILLISECONDS = 100
MEGABYTES = 20
ANALYSIS = 2000, 200
"""Milliseconds and megabytes of a request about a position of any game."""
LARGE_GAMES = ("p8c10n", "p6c11r", "p8c6r", "p5c10n", "p5c8r", "p4c10r")
"""The largest games of each kind: of any page, and with trees."""
ONCE = re.compile(r"\.\{form\}|^/(results|atlas|pictures|statistics/\{tree\})")
"""Routes whose responses are generated once."""
PARAMETER = re.compile(r"\{(\w+)[^}]*\}")
Sort = Literal["", "once", "analysis"]
Measure = Literal["time", "memory"]

Values: TypeAlias = Mapping[str, str]
"""Values of the parameters of an address."""
_Turns: TypeAlias = list[tuple[str, int, int]]
"""Guesses with their bulls and cows."""


@dataclass(frozen=True)
class Request:
    """A request of one kind."""

    kind: str
    """Name of the row in the table: the route, or words."""
    path: str
    """Path and query."""
    body: object = None
    """The JSON to post, or a form as text; None to get."""
    sort: Sort = ""
    """Which limits apply."""


@dataclass(frozen=True)
class Cost:
    """Cost of a request sent twice: milliseconds of processor time, or peak megabytes."""

    request: Request
    status: int
    first: float
    again: float


# -- requests --------------------------------------------------------------------------------------

MATCH = "a" * 29
OTHERS: Values = {
    "answer": "0.1",
    "before": "trees",
    "guess": "678",
    "guesses": "153",
    "kind": "r",
    "lesson": "2",
    "positions": "4",
    "rest": "p4c6r",
    "secret": "0123",
    "shuffle": "on",
    "slug": "contradiction",
    "step": "4",
    "symbols": "10",
}
"""Values of parameters that concern neither a tree nor a game."""
FORMS: Mapping[str, tuple[str, ...]] = {
    "/trees/": tuple(FORMATS),
    "/atlas": ("json", "csv", "bib"),
    "": ("json", "csv"),
}
"""The values of ``form`` by the beginning of a route."""


def requests(app: FastAPI) -> list[Request]:
    """Return requests for every route of a started application, each once."""
    games = {entry.rules: None for entry in app.state.library}
    asked = chain(
        [
            Request("/static", "/static/styles/site.css"),
            Request("/ru", "/ru"),
            Request("/ru", "/ru/"),
        ],
        *(_of_routes(app, values) for values in _values(app)),
        *(_of_game(app, rules, [[]]) for rules in games),
        generated(app),
        expensive(),
    )
    found: dict[tuple[str, str], Request] = {}
    for request in asked:
        found.setdefault((request.path, str(request.body)), request)
    return list(found.values())


def generated(app: FastAPI) -> Iterator[Request]:
    """Yield requests for every route that names a game, about large games and long histories."""
    for rules in map(Rules.parse, LARGE_GAMES):
        yield from _of_game(app, rules, _long_histories(rules))
        yield from _of_api(rules, _long_histories(rules))


def _of_routes(app: FastAPI, values: Values, sort: Sort = "") -> Iterator[Request]:
    """Yield requests for the routes whose parameters have values; of a page in one language.

    A route gets one without a query, and one with every known parameter in it.
    """
    for route in iter_route_contexts(app.routes):
        path = str(route.path)
        named = set(PARAMETER.findall(path))
        if route.endpoint is None or path.startswith("/ru") or ("rules" in named) != bool(sort):
            continue
        forms = next(forms for start, forms in FORMS.items() if path.startswith(start))
        for form in forms if "form" in named else forms[:1]:
            given = {**values, "form": form}
            if "/duel/friend" in path:
                given["token"] = given.get("friend", "")
            if "match" in path:
                given["id"] = MATCH
            if not named <= given.keys():
                continue
            filled = PARAMETER.sub(r"{\1}", path).format(**given)
            once: Sort = "once" if ONCE.search(path) else sort
            if "GET" not in (route.methods or {"GET"}):
                yield Request(f"POST {path}", filled, _body(path, given), once)
                continue
            yield Request(path, filled, sort=once)
            asked = signature(route.endpoint).parameters.keys() - named
            if query := {name: given[name] for name in sorted(asked) if name in given}:
                yield Request(path, f"{filled}?{urlencode(query, safe=':')}", sort=once)


def _values(app: FastAPI) -> Iterator[Values]:
    """Yield values for the parameters of routes that name no game."""
    point = app.state.results.front[0]
    for name in app.state.results.tables:
        yield {**OTHERS, "total": str(point.total), "late": str(point.late), "name": name}
    library: Library = app.state.library
    for entry in library:
        same = [other.name for other in library if other.rules == entry.rules]
        others = {**OTHERS, "second": same[same.index(entry.name) - 1]}
        for position in largest(entry):
            yield others | _of_position(position)


def largest(entry: Entry) -> Iterator[GamePosition]:
    """Yield the position with most candidates of each turn, relabelled."""
    widest: dict[int, Node] = {}
    for node in entry.tree.nodes:
        if node.turn not in widest or node.size > widest[node.turn].size:
            widest[node.turn] = node
    last = Relabelling.numbered(entry.rules, -1)
    for node in widest.values():
        answers = [answer for _, answer in entry.tree.path(node)]
        yield GamePosition.at_root(entry, last).after(*answers)


def _of_position(position: GamePosition) -> dict[str, str]:
    entry = position.entry
    rules = entry.rules
    values = {
        "analysis": "all",
        "answer": str(rules.answers[len(rules.answers) // 2]),
        "depth": "99",
        "first": entry.name,
        "id": position.id,
        "rules": str(rules),
        "secret": rules.text(rules.size - 1),
        "text": entry.record.string.replace("\x7f", "\\x7f"),
        "token": position.parts[1],
        "tree": entry.name,
    }
    if position.answers:
        values["answers"] = "-".join(position.parts[2:])
    return values


def _of_game(app: FastAPI, rules: Rules, histories: Iterable[_Turns]) -> Iterator[Request]:
    """Yield requests for the routes that name a game; about positions they have other limits."""
    for turns in histories:
        for values in _of_history(rules, turns, app.state.library, app.state.cipher):
            yield from _of_routes(app, values, "analysis")


def _of_history(
    rules: Rules, turns: _Turns, library: Library, cipher: StateCipher | None
) -> Iterator[dict[str, str]]:
    """Yield values for a position of a game; for one without turns, those of each level."""
    history = "-".join(f"{code}:{bulls}.{cows}" for code, bulls, cows in turns)
    first = rules.text(0)
    values = {
        "check": "on",
        "date": "2026-11-21",
        "form": "json",
        "friend": "0" if cipher is None else encrypt_code(cipher, rules, rules.size - 1),
        "game": "0",
        "guess": rules.text(rules.size // 2),
        "guesses": "-".join(code for code, _, _ in turns) or first,
        "h": history,
        "hints": "on",
        "moves": first,
        "rules": str(rules),
        "secret": rules.text(rules.size - 1),
        "seed": "k3f9",
        "theirs": history,
        "token": "0",
        "turns": history or f"{first}:{rules.answers[rules.respond(0, rules.size - 1)]}",
    }
    if turns or cipher is None or not any(entry.rules == rules for entry in library):
        yield values
        return
    for level in played(library, rules):
        terms = Terms(rules, rules.size - 1, 32 * "0", level, visitor_begins=True)
        yield values | {"token": terms.token(cipher)}


def _body(path: str, values: Values) -> object:
    """Return what is posted to a route: JSON to the API, and forms to pages."""
    if not path.startswith("/api/"):
        code = values.get("secret", "0123")
        form = {"rules": values.get("rules", "p4c10n"), "code": code, "guess": code}
        return urlencode(form | {"link": f"{MATCH}#{22 * 'a'}", "text": values.get("text", "")})
    guesses = values.get("guesses", "").split("-")
    fields = {
        "sessions": {"tree": values.get("tree"), "shuffle": True},
        "answers": {"bulls": 0, "cows": 0},
        "guesses": {"guess": "0123"} if "matches" in path else {"guesses": guesses},
        "results": {"guesses": guesses},
        "response": {"rules": "p4c10n", "guess": "0123", "secret": "9876"},
        "matches": {"rules": "p4c10n"},
        "guess": {"rules": "p4c10n", "turns": list[object]()},
    }
    if path.endswith("v1/guesses"):
        return {"positions": [fields["guess"]]}
    return fields.get(path.rpartition("/")[2], {})


def _of_api(rules: Rules, histories: Iterable[_Turns]) -> Iterator[Request]:
    """Yield what the API gets about positions, some that no code fits included."""
    guesses = [rules.text(code) for code in range(0, rules.size, -(-rules.size // MAX_EVALUATED))]
    for turns in histories:
        position = {"rules": str(rules), "turns": _as_json(turns), "guesses": guesses}
        yield Request("API guess, large", "/api/v1/guess", position, "analysis")
        won = (rules.text(0), rules.positions, 0)
        wrong = {"rules": str(rules), "turns": _as_json([*turns, won][-MAX_HISTORY:])}
        yield Request("API guess, contradictory", "/api/v1/guess", wrong, "analysis")


def _as_json(turns: _Turns) -> list[dict[str, object]]:
    return [{"guess": code, "bulls": bulls, "cows": cows} for code, bulls, cows in turns]


def _long_histories(rules: Rules) -> Iterator[_Turns]:
    """Yield turns that leave many codes: none, one that is repeated, few and many that say little.

    A turn that says little has the most frequent answer to its guess.
    """
    yield []
    yield [(rules.text(0), *rules.answers[rules.respond(0, rules.size - 1)])] * MAX_HISTORY
    for number in (3, MAX_HISTORY):
        rng = random.Random(str(rules))
        left = np.arange(rules.size, dtype=np.int32)
        turns: list[Turn] = []
        for _ in range(number):
            guess = rng.randrange(rules.size)
            answer, _ = max(split(rules, left, guess).parts, key=lambda part: part[1])
            left = candidates(rules, History(rules, (*turns, (guess, answer))))
            turns.append((guess, answer))
        yield _written(rules, turns)


WORST = (
    ("/review/{rules}", "p5c8r"),
    ("/review/{rules}", "p5c10n"),
    ("/review/{rules}", "p4c10r"),
    ("/review/{rules}", "p8c10n"),
    ("/analyse/{rules}", "p6c11r"),
    ("/analyse/{rules}", "p8c10n"),
    ("/analyse/{rules}", "p8c6r"),
    ("/pictures/cards/{rules}.png", "p8c10n"),
    ("API guess, large", "p6c11r"),
    ("API guess, contradictory", "p8c10n"),
)
"""Kinds and games of the generated requests that took most when they were measured last."""


def worst(app: FastAPI) -> Iterator[Request]:
    """Yield the longest request of each kind and game of `WORST`."""
    asked = list(generated(app))
    for kind, game in WORST:
        *_, found = (one for one in asked if one.kind == kind and game in f"{one.path}{one.body}")
        yield found


def expensive() -> Iterator[Request]:
    """Yield the most expensive positions of any game, with all, few and no candidates."""
    asked: list[tuple[str, _Turns]] = []
    for name in ("p8c6r", "p8c10n", "p6c11r"):
        asked += [(name, _played(Rules.parse(name), number)) for number in (0, 3, MAX_HISTORY)]
    asked += [(name, _played(Rules.parse(name), 2)) for name in ("p8c8n", "p8c4r")]
    asked.append(("p8c6r", [("00000000", 7, 0), ("01111111", 2, 0)]))
    asked.append(("p8c9n", [("01234567", 0, 0)]))
    asked.append(("p5c16r", [("00000", 0, 0)] * MAX_HISTORY))
    asked.append(("p6c7r", [(str(colour) * 6, 1, 0) for colour in range(4)]))
    asked.append(("p5c8r", [("00123", 1, 2)]))
    for name, turns in asked:
        rules = Rules.parse(name)
        guess = rules.text(rules.size // 2)
        history = "-".join(f"{code}:{bulls}.{cows}" for code, bulls, cows in turns)
        path = f"/analyse/{rules}?h={history}&guess={guess}"
        yield Request("/analyse, expensive", path, sort="analysis")
        question = {"rules": name, "turns": _as_json(turns), "guesses": [guess]}
        for objective in ("average", "worst,average"):
            body = question | {"objective": objective}
            yield Request("API guess, expensive", "/api/v1/guess", body, "analysis")


def _played(rules: Rules, number: int) -> _Turns:
    """Return random guesses, answered for one code that is none of them; the same each time."""
    rng = random.Random(f"{rules} {number}")
    while True:
        secret, *guesses = (rng.randrange(rules.size) for _ in range(number + 1))
        if secret not in guesses:
            return _written(rules, [(guess, rules.respond(guess, secret)) for guess in guesses])


def _written(rules: Rules, turns: Iterable[Turn]) -> _Turns:
    return [(rules.text(guess), *rules.answers[answer]) for guess, answer in turns]


def uncovered(app: FastAPI, asked: Iterable[Request]) -> list[str]:
    """Return the routes of the application that no request reaches.

    A page is one route in all languages; a request reaches the first route that matches.
    """
    routes = list(iter_route_contexts(app.routes))
    sent = {(item.path.partition("?")[0], _method(item)) for item in asked}
    first = (next((r for r in routes if _reaches(r, path, how)), None) for path, how in sent)
    reached = {id(route.original_route) for route in first if route}
    missing = {id(route.original_route): str(route.path) for route in reversed(routes)}
    return sorted({path for key, path in missing.items() if key not in reached})


def _reaches(route: RouteContext, path: str, method: str) -> bool:
    return method in (route.methods or {"GET"}) and bool(route.path_regex.match(path))


def _method(request: Request) -> str:
    return "GET" if request.body is None else "POST"


# -- measurement -----------------------------------------------------------------------------------


async def send(app: FastAPI, request: Request) -> int:
    """Send one request; return the status of the response."""
    headers = {"Accept-Encoding": "gzip", "Content-Type": "application/x-www-form-urlencoded"}
    body: dict[str, Any] = {"content": request.body, "headers": headers}
    if request.body is not None and not isinstance(request.body, str):
        body = {"json": request.body}
    sent = httpx.Request(_method(request), f"http://localhost{request.path}", **body)
    return (await httpx.ASGITransport(app).handle_async_request(sent)).status_code


def survey(what: Measure) -> tuple[list[Cost], list[str]]:
    """Send every request to a new application; return the costs and the routes not reached."""
    return asyncio.run(_survey(what))


async def _survey(what: Measure) -> tuple[list[Cost], list[str]]:
    settings = Settings()
    executor = ThreadExecutor(settings.trees_dir, settings.search_timeout, loaded=True)
    app = create_app(settings, executor)
    costs = []
    async with app.router.lifespan_context(app):
        # Analyses start searches, so they come last.
        asked = sorted(requests(app), key=lambda item: item.sort == "analysis")
        if what == "memory":
            tracemalloc.start()
        for item in asked:
            figures = []
            for _ in range(2):
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
                started = time.process_time()
                status = await send(app, item)
                seconds = time.process_time() - started
                megabytes = (tracemalloc.get_traced_memory()[1] - before) / 2**20
                figures.append(1000 * seconds if what == "time" else megabytes)
            costs.append(Cost(item, status, *figures))
        return costs, uncovered(app, asked)


def lines(times: list[Cost], memories: list[Cost]) -> Iterator[str]:
    """Yield a row for each kind of request: the maximum of time and memory."""
    kinds: defaultdict[str, list[tuple[Cost, Cost]]] = defaultdict(list)
    for pair in zip(times, memories, strict=True):
        kinds[pair[0].request.kind].append(pair)
    yield "| request | number | ms first | ms again | MB first | MB again | most expensive |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for kind, pairs in kinds.items():
        slow = max((time for time, _ in pairs), key=lambda cost: cost.first)
        figures = [
            max(getattr(pair[place], name) for pair in pairs)
            for place in (0, 1)
            for name in ("first", "again")
        ]
        mark = f" ({slow.request.sort})" if slow.request.sort else ""
        cells = " | ".join(f"{figure:.1f}" for figure in figures)
        shown = f"{slow.status} {slow.request.path}"
        yield f"| {kind}{mark} | {len(pairs)} | {cells} | {shown} |"


def over_limit(costs: list[Cost], limit: float, of_analysis: float) -> list[str]:
    """Return the requests above their limit."""
    return [
        f"{cost.first:.1f}, {cost.again:.1f}: {cost.request.path}"
        for cost in costs
        if max(cost.again, 0 if cost.request.sort == "once" else cost.first)
        > (of_analysis if cost.request.sort == "analysis" else limit)
    ]


def main() -> None:
    """Print the table; fail if a request is above its limit or a route is not reached."""
    found = []
    for what in ("time", "memory"):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:  # with empty caches
            found.append(process.submit(survey, what).result())
    (times, missing), (memories, _) = found
    print("\n".join(lines(times, memories)))
    over = [f"ms {line}" for line in over_limit(times, MILLISECONDS, ANALYSIS[0])]
    over += [f"MB {line}" for line in over_limit(memories, MEGABYTES, ANALYSIS[1])]
    for line in islice(over, 200):
        print(line)
    for path in missing:
        print(f"no request reaches {path}")
    if over or missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
