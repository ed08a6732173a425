"""Measure what every kind of request costs a server: ``python -m benchmarks.expensive``.

Every route is requested for every shipped tree and game at the positions with most candidates.
The application runs in this process without a socket, and so do its searches.  Each request is
sent twice (`first` and `again`), for processor time and for peak memory.  A row shows the most
expensive request of a kind.

Limits are `MILLISECONDS` and `MEGABYTES`.  Requests about a position of any game (`analysis`) have
the limits of `ANALYSIS`; they come last, since a search continues during later requests.  Files of
whole trees, figures and the page of results are generated once (`once`): only the second request
is limited.  Routes that no request reaches are listed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from inspect import signature
from itertools import islice
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
from bullscows_web.duel.encrypted_state import StateCipher
from bullscows_web.duel.levels import played
from bullscows_web.duel.terms import Terms, encrypt_code
from bullscows_web.main import create_app
from bullscows_web.search.service import MAX_EVALUATED
from bullscows_web.server.settings import Settings
from bullscows_web.statistics.results import Results
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.trees.relabelling import Relabelling
from tests.support.searching import ThreadExecutor

MILLISECONDS = 100
MEGABYTES = 20
ANALYSIS = 2000, 200
"""Milliseconds and megabytes of a request about a position of any game."""
EXCLUDED = {
    "/results/front/{name}",
    "/{before:path}/front-{rest:path}",
    "/duel/dodge/{rules}",  # codespell:ignore dodge
    "/duel/dodge/{rules}/{turns}",  # codespell:ignore dodge
}
"""Routes that are not requested: redirects of old names."""
Sort = Literal["", "once", "analysis"]
Measure = Literal["time", "memory"]


_Turns: TypeAlias = list[tuple[str, int, int]]
"""Guesses with their bulls and cows."""


@dataclass(frozen=True)
class Request:
    """A request of one kind."""

    kind: str
    """Name of the row in the table: a path with names in braces, or words."""
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


def requests(app: FastAPI) -> Iterator[Request]:
    """Yield every kind of request to a started application, at its most expensive positions."""
    library: Library = app.state.library
    yield from _once_for_all()
    yield from _of_results(app.state.results)
    for entry in library:
        yield from _of_tree(entry, library)
        for position in largest(entry):
            yield from _of_position(position, library)
        yield from _of_guessing(entry)
    for rules in {entry.rules: None for entry in library}:
        yield from _of_game(rules)
        yield from _of_duel(rules, library, app.state.cipher)
        yield from _of_kept(rules, app.state.cipher)
    yield from _of_match()
    yield from generated(app)
    yield from _of_analysis()


def largest(entry: Entry) -> Iterator[GamePosition]:
    """Yield the position with most candidates of each turn, relabelled."""
    widest: dict[int, Node] = {}
    for node in entry.tree.nodes:
        if node.turn not in widest or len(node.candidates) > len(widest[node.turn].candidates):
            widest[node.turn] = node
    last = Relabelling.numbered(entry.rules, -1)
    for node in widest.values():
        answers = [answer for _, answer in entry.tree.path(node)]
        yield GamePosition.at_root(entry, last).after(*answers)


FILES = """
/healthz /readyz /metrics /openapi.json /docs /worker.js /ru /robots.txt /favicon.ico /sitemap.xml
/.well-known/security.txt /static/styles/site.css /api/v1/trees /api/v1/daily
/api/v1/problems/contradiction
"""
PAGES = """
/ /about /about/ /trees /guess /analyse /compare /statistics /statistics/columns /offline
/manifest.webmanifest /play /none /learn /learn/2/4/153 /learn/2/5?guess=678 /daily /duel /match
/status /more /preferences /privacy /analyse/size?positions=4&symbols=10
/guess/size?positions=4&symbols=10 /duel/size?positions=4&symbols=10
/match/size?positions=4&symbols=10
"""
"""Pages that exist once, in each language."""


def _paths(kinds: str, prefix: str = "", sort: Sort = "", **names: object) -> Iterator[Request]:
    """Yield a request of each kind: a path with names in braces."""
    for kind in kinds.split():
        yield Request(kind, prefix + kind.format(**names), sort=sort)


def _once_for_all() -> Iterator[Request]:
    yield from _paths(FILES)
    for prefix in ("", "/ru"):
        yield from _paths(PAGES, prefix)
        yield from _paths("/results /atlas?kind=r", prefix, "once")


def _of_results(results: Results) -> Iterator[Request]:
    yield from _paths("/results.json /atlas.json /atlas.csv /atlas.bib", sort="once")
    for name in results.tables:
        yield from _paths("/results/{table}", table=name)
        yield from _paths("/results/{table}.csv /results/{table}.json", sort="once", table=name)
    *_, game = results.atlas.games
    yield from _paths("/atlas/{game}.json /atlas/{game}.csv /atlas/{game}.bib", game=game)
    for prefix in ("", "/ru"):
        yield from _paths("/atlas/{game}", prefix, game=game)
    for point in results.front:
        yield from _paths("/results/pareto/{point.total}-{point.late}.json", point=point)


def _of_tree(entry: Entry, library: Library) -> Iterator[Request]:
    name = entry.name
    rules = entry.rules
    yield from _paths("/play/{tree} /api/v1/trees/{tree}", tree=name)
    once = "/statistics/{tree} /statistics/{tree}.csv /statistics/{tree}.json"
    yield from _paths(once, sort="once", tree=name)
    for form in FORMATS:
        yield Request(f"/trees/{{tree}}.{form}", f"/trees/{name}.{form}", sort="once")
    for secret in _codes(rules):
        yield from _paths("/trees/{tree}?secret={secret}", tree=name, secret=secret)
    pasted = urlencode({"rules": str(rules), "text": entry.record.string.replace("\x7f", "\\x7f")})
    yield Request("/paste", f"/paste?{pasted}")
    yield Request("/paste", "/paste", pasted)
    yield Request("API start", "/api/v1/sessions", {"tree": name, "shuffle": True})
    first, _, last = _codes(rules)
    asked = {"rules": str(rules), "guess": first, "secret": last}
    yield Request("API response", "/api/v1/response", asked)
    for other in _comparable(entry, library):
        yield from _paths("/compare?first={tree}&second={other}", tree=name, other=other)


def _codes(rules: Rules) -> tuple[str, str, str]:
    """Return the first code, one in the middle and the last."""
    return rules.text(0), rules.text(rules.size // 2), rules.text(rules.size - 1)


def _comparable(entry: Entry, library: Library) -> list[str]:
    """Return the names of the trees of the same game."""
    return [other.name for other in library if other.rules == entry.rules]


def _of_position(position: GamePosition, library: Library) -> Iterator[Request]:
    entry = position.entry
    rules = position.entry.rules
    answers = "-".join(position.parts[2:])
    node = "/".join(filter(None, (entry.name, answers)))
    play = position.path
    end = rules.answers[-1]
    yield from _paths("/play/{play} /play/{play}?analysis=open", play=play)
    yield from _paths("/play/{play}?analysis=all", "/ru", play=play)
    yield from _paths("/play/{play}/none", play=play)
    for answer in (rules.answers[0], rules.answers[len(rules.answers) // 2], end):
        yield from _paths("/play/{play}/none?answer={answer}", play=play, answer=answer)
    for secret in _codes(rules):
        yield from _paths("/play/{play}/none?secret={secret}", play=play, secret=secret)
    yield from _paths("/trees/{node}", node=node)
    yield from _paths("/trees/{node}?depth=99", "/ru", node=node)
    for other in _comparable(entry, library):
        path = "/".join(filter(None, ("/compare", entry.name, other, answers)))
        yield Request("/compare", path)
    yield Request("API node", f"/api/v1/trees/{entry.name}/nodes?answers={answers}")
    yield from _paths("/api/v1/sessions/{session}", session=position.id)
    for answer in (rules.answers[0], end):
        after = f"/api/v1/sessions/{position.id}/answers"
        yield Request("API answer", after, answer._asdict())
        wrong = "-".join(filter(None, (answers, str(answer))))
        start = "/".join(position.parts[:2])
        yield Request("/play, contradicted", f"/play/{start}/{wrong}-{rules.answers[0]}")


def _of_guessing(entry: Entry) -> Iterator[Request]:
    rules = entry.rules
    daily = f"/api/v1/daily/{rules}/2026-11-21"
    yield from _paths("/guess/{rules} /guess/{rules}/today", rules=rules)
    yield Request("API daily", daily)
    yield Request("API daily results", f"{daily}/results")
    for part in ("guesses", "results"):
        yield Request(f"API daily {part}", f"{daily}/{part}", {"guesses": [rules.text(0)]})
    rng = random.Random(str(rules))
    drawn = [rng.randrange(rules.size) for _ in range(29)]
    for line in ([], [0], [0] * 30, range(rules.size)[:29], drawn[:1], drawn[:2], drawn[:3], drawn):
        path = "/".join(filter(None, (f"/guess/{rules}/k3f9", "-".join(map(rules.text, line)))))
        guess = f"guess={rules.text(rules.size - 1)}"
        yield Request("/guess", path)
        yield Request("/guess?hints", f"{path}?hints=on")
        yield Request("/guess?check", f"{path}?hints=on&check=on&{guess}")
        yield Request("/guess?guess", f"{path}?{guess}")
        yield Request("/guess/reveal", f"{path}/reveal")


def _of_game(rules: Rules) -> Iterator[Request]:
    first, _, last = _codes(rules)
    answer = rules.answers[rules.respond(0, rules.size - 1)]
    over = f"{first}:{answer}-{last}:{rules.answers[-1]}"
    yield from _paths("/pictures/cards/{rules}.png", sort="once", rules=rules)
    yield from _paths("/duel/{rules} /duel/{rules}/new", rules=rules)
    yield from _paths("/answer?positions={rules.positions}&symbols=16", rules=rules)
    pages = "/answer/{rules}?guess={first}&secret={last} /guess/{rules}/k3f9/{first}/prices"
    yield from _paths(pages, rules=rules, first=first, last=last)
    reviews = "/review/{rules}?h={over} /review/{rules}?h={over}&turn=1&guess={guess}"
    yield from _paths(reviews, sort="analysis", rules=rules, over=over, guess=rules.text(1))


def _of_match() -> Iterator[Request]:
    """Yield requests about a match that does not exist: the database answers in any case."""
    api = f"/api/v1/matches/{'a' * 29}"
    page = f"/match/{'a' * 29}"
    yield Request("API match", "/api/v1/matches", {"rules": "p4c10n"})
    yield Request("API match", api)
    yield Request("API match, guess", f"{api}/guesses", {"guess": "0123"})
    for move in ("join", "resign", "rematch"):
        yield Request("API match, move", f"{api}/{move}", {})
    yield Request("API match, events", f"{api}/events")
    yield Request("/match, created", "/match", "rules=p4c10n&code=0123")
    yield Request("/match/open", "/match/open", f"link={'a' * 29}#{'a' * 22}")
    for part in ("", "/presence", "/losses"):
        yield Request(f"/match/{{match}}{part}", page + part)
    for move in ("join", "guess", "resign", "rematch", "key"):
        yield Request("/match, move", f"{page}/{move}", "guess=0123")


def _of_duel(rules: Rules, library: Library, cipher: StateCipher) -> Iterator[Request]:
    """Yield duels of every level: new, after a guess, and won by both at the first guess."""
    code = rules.size - 1
    other = rules.text(0)
    for level in played(library, rules):
        terms = Terms(rules, code, 32 * "0", level, visitor_begins=True)
        start = f"/duel/{rules}/{terms.token(cipher)}"
        yield Request("/duel, new", start)
        yield Request("/duel", f"{start}/{other}")
        for path in (start, f"{start}/{other}"):
            yield Request("/duel/none", f"{path}/none")
        yield Request("/duel, over", f"{start}/{rules.text(code)}-{rules.answers[-1]}")


def _of_kept(rules: Rules, cipher: StateCipher) -> Iterator[Request]:
    """Yield games against a friend's code and against the adversary."""
    guess = rules.text(0)
    code = rules.text(rules.size - 1)
    write = f"/duel/friend/{rules}"
    yield Request("/duel/friend, sent", write, f"code={code}")
    start = f"{write}/{encrypt_code(cipher, rules, rules.size - 1)}"
    for path in (write, f"{start}/link", start, f"{start}/{guess}", f"{start}/{guess}-{code}"):
        yield Request("/duel/friend", path)
    adversary = f"/duel/adversary/{rules}"
    answer = rules.answers[rules.respond(0, rules.size - 1)]
    for path in (adversary, f"{adversary}/{guess}:{answer}"):
        yield Request("/duel/adversary", path)
        yield Request("/duel/adversary?guess", f"{path}?guess={code}", sort="analysis")


def expensive() -> Iterator[Request]:
    """Yield the most expensive positions of any game, with all, few and no candidates."""
    for rules in map(Rules.parse, ("p8c6r", "p8c10n", "p6c11r")):
        for number in (0, 3, MAX_HISTORY):
            yield from _of_turns(rules, _played(rules, number))
    for rules in map(Rules.parse, ("p8c8n", "p8c4r")):
        yield from _of_turns(rules, _played(rules, 2))
    yield from _of_turns(Rules.parse("p8c6r"), [("00000000", 7, 0), ("01111111", 2, 0)])
    yield from _of_turns(Rules.parse("p8c9n"), [("01234567", 0, 0)])
    yield from _of_turns(Rules.parse("p5c16r"), [("00000", 0, 0)] * MAX_HISTORY)
    yield from _of_turns(Rules.parse("p6c7r"), [(str(colour) * 6, 1, 0) for colour in range(4)])
    yield from _of_turns(Rules.parse("p5c8r"), [("00123", 1, 2)])


LARGE_GAMES = ("p8c10n", "p6c11r", "p8c6r", "p5c10n", "p5c8r", "p4c10r")
"""The largest games of each kind: of any page, and with trees."""


def generated(app: FastAPI) -> Iterator[Request]:
    """Yield requests for every route whose path names a game, however it takes its turns."""
    pages = [
        (str(route.path), signature(route.endpoint).parameters.keys())
        for route in iter_route_contexts(app.routes)
        if route.endpoint and "{rules}" in str(route.path) and "GET" in (route.methods or ())
    ]
    for rules in map(Rules.parse, LARGE_GAMES):
        for turns in _long_histories(rules):
            texts = _texts(rules, turns)
            for path, names in pages:
                if not path.startswith("/ru"):
                    yield _filled(path, names, texts)
            yield from _posted(rules, turns)


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


def _filled(path: str, names: Iterable[str], texts: Mapping[str, str]) -> Request:
    """Return a request for a route: its parameters get texts by their names."""
    address = path.format_map(defaultdict(lambda: "0", texts))
    query = [(name, texts[name]) for name in names if name in ("h", "theirs", "guess")]
    return Request(path, f"{address}?{urlencode(query, safe=':')}", sort="analysis")


def _long_histories(rules: Rules) -> Iterator[_Turns]:
    """Yield turns that leave many codes: none, one that is repeated, few and many that say little.

    A turn that says little has the most frequent answer to its guess.
    """
    yield []
    first = (rules.text(0), *rules.answers[rules.respond(0, rules.size - 1)])
    yield [first] * MAX_HISTORY
    for number in (3, MAX_HISTORY):
        rng = random.Random(str(rules))
        left = np.arange(rules.size, dtype=np.int32)
        turns: list[Turn] = []
        for _ in range(number):
            guess = rng.randrange(rules.size)
            answer, _ = max(split(rules, left, guess).parts, key=lambda part: part[1])
            left = candidates(rules, History(rules, (*turns, (guess, answer))))
            turns.append((guess, answer))
        yield [(rules.text(guess), *rules.answers[answer]) for guess, answer in turns]


def _texts(rules: Rules, turns: _Turns) -> dict[str, str]:
    """Return what stands for each parameter of an address."""
    history = "-".join(f"{code}:{bulls}.{cows}" for code, bulls, cows in turns)
    guesses = "-".join(code for code, _, _ in turns)
    return {
        "rules": str(rules),
        "h": history,
        "theirs": history,
        "turns": history,
        "guesses": guesses or rules.text(0),
        "guess": rules.text(rules.size // 2),
        "seed": "k3f9",
        "date": "2026-11-21",
    }


def _posted(rules: Rules, turns: _Turns) -> Iterator[Request]:
    """Yield what the API gets about a position, one that no code fits included."""
    guesses = [rules.text(code) for code in range(0, rules.size, -(-rules.size // MAX_EVALUATED))]
    played = [{"guess": code, "bulls": bulls, "cows": cows} for code, bulls, cows in turns]
    position = {"rules": str(rules), "turns": played, "guesses": guesses}
    yield Request("API guess, large", "/api/v1/guess", position, "analysis")
    daily = f"/api/v1/daily/{rules}/2026-11-21/guesses"
    yield Request(
        "API daily, large", daily, {"guesses": [code for code, _, _ in turns]}, "analysis"
    )
    won = {"guess": rules.text(0), "bulls": rules.positions, "cows": 0}
    wrong = {"rules": str(rules), "turns": [*played, won][-MAX_HISTORY:]}
    yield Request("API guess, contradictory", "/api/v1/guess", wrong, "analysis")


def _played(rules: Rules, number: int) -> _Turns:
    """Return random guesses, answered for one code."""
    rng = random.Random(str(rules))
    secret = rng.randrange(rules.size)
    guesses = [rng.randrange(rules.size) for _ in range(number)]
    answers = [rules.answers[rules.respond(guess, secret)] for guess in guesses]
    return [(rules.text(guess), *answer) for guess, answer in zip(guesses, answers, strict=True)]


def _of_turns(rules: Rules, turns: _Turns) -> Iterator[Request]:
    """Yield the page of a position, and its best guess for two objectives."""
    guess = rules.text(rules.size // 2)
    history = "-".join(f"{code}:{bulls}.{cows}" for code, bulls, cows in turns)
    path = f"/analyse/{rules}?h={history}&guess={guess}"
    yield Request("/analyse, expensive", path, sort="analysis")
    played = [{"guess": code, "bulls": bulls, "cows": cows} for code, bulls, cows in turns]
    question = {"rules": str(rules), "turns": played, "guesses": [guess]}
    for aim in ("average", "worst,average"):
        asked = question | {"objective": aim}
        yield Request("API guess, expensive", "/api/v1/guess", asked, "analysis")


def _of_analysis() -> Iterator[Request]:
    yield from expensive()
    for rules in ("p4c10n", "p4c6r", "p4c10r", "p5c10n", "p5c8r", "p3c6r"):
        for aim in ("average", "worst,average", "last,average"):
            question = {"rules": rules, "objective": aim, "max_turns": 9, "turns": list[object]()}
            yield Request("API guess", "/api/v1/guess", question, "analysis")
            yield Request("API guesses", "/api/v1/guesses", {"positions": [question]}, "analysis")
        wrong = "-".join([f"{Rules.parse(rules).text(0)}:0.0"] * 2)
        for query in ("", f"?h={wrong}"):
            yield Request("/analyse/{rules}", f"/analyse/{rules}{query}", sort="analysis")


def uncovered(app: FastAPI, asked: Iterable[Request]) -> list[str]:
    """Return the routes of the application that no request reaches.

    A page is one route in all languages; a request reaches the first route that matches.
    """
    routes = list(iter_route_contexts(app.routes))
    sent = {(item.path.partition("?")[0], _method(item)) for item in asked}
    first = (next((r for r in routes if _reaches(r, path, how)), None) for path, how in sent)
    reached = {id(route.original_route) for route in first if route}
    missing = {id(route.original_route): str(route.path) for route in reversed(routes)}
    return sorted({path for key, path in missing.items() if key not in reached} - EXCLUDED)


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


async def _cost(app: FastAPI, request: Request, what: Measure) -> tuple[int, float]:
    """Send a request; return the status and the milliseconds or the peak megabytes."""
    before = tracemalloc.get_traced_memory()[0]
    started = time.process_time()
    tracemalloc.reset_peak()
    status = await send(app, request)
    if what == "time":
        return status, 1000 * (time.process_time() - started)
    return status, (tracemalloc.get_traced_memory()[1] - before) / 2**20


def survey(what: Measure, only: str) -> tuple[list[Cost], list[str]]:
    """Send every request to a new application; return the costs and the routes not reached."""
    return asyncio.run(_survey(what, only))


async def _survey(what: Measure, only: str) -> tuple[list[Cost], list[str]]:
    settings = Settings()
    executor = ThreadExecutor(settings.trees_dir, settings.search_timeout, loaded=True)
    app = create_app(settings, executor)
    costs = []
    async with app.router.lifespan_context(app):
        asked = [item for item in requests(app) if only in item.path]
        asked.sort(key=lambda item: item.sort == "analysis")  # these start searches
        if what == "memory":
            tracemalloc.start()
        for item in asked:
            status, first = await _cost(app, item, what)
            _, again = await _cost(app, item, what)
            costs.append(Cost(item, status, first, again))
        missing = [] if only else uncovered(app, asked)
    return costs, missing


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
    parser = argparse.ArgumentParser(prog="python -m benchmarks.expensive", description=__doc__)
    parser.add_argument("--only", default="", help="only addresses that contain this text")
    options = parser.parse_args()
    found = []
    for what in ("time", "memory"):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:  # with empty caches
            found.append(process.submit(survey, what, options.only).result())
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
