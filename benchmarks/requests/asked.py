"""What is asked: every route, of every tree and every game, where it has most to do.

Only the list of jobs is left out: no server of its own accord shows one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts

from bullscows.game.candidates import MAX_HISTORY
from bullscows.game.rules import Rules
from bullscows.tree.export import FORMATS
from bullscows.tree.nodes import Node
from bullscows_web.duel.levels import NAMES, is_level
from bullscows_web.duel.seal import Sealer
from bullscows_web.duel.terms import Terms, seal_code
from bullscows_web.statistics.results import Results
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.trees.relabelling import Relabelling

LEFT_OUT = {"/status/jobs", "/results/front/{name}", "/{before:path}/front-{rest:path}"}
"""Routes that are not asked for: a list of jobs that is not shown, and redirects of old names."""
Sort = Literal["", "once", "analysis"]


@dataclass(frozen=True)
class Asked:
    """One request."""

    kind: str
    """What it stands for in the table."""
    path: str
    """Path and query."""
    body: object = None
    """The JSON to post, or a form as text; None to get."""
    sort: Sort = ""
    """Whether it is one of those that may be dear."""


def requests(app: FastAPI) -> Iterator[Asked]:
    """Yield every kind of request to an application that has begun, at its dearest places."""
    library: Library = app.state.library
    yield from _once_for_all()
    yield from _of_results(app.state.results)
    for entry in library:
        yield from _of_tree(entry, library)
        for position in dearest(entry):
            yield from _of_position(position, library)
        yield from _of_guessing(entry)
    for rules in {entry.rules: None for entry in library}:
        yield from _of_game(rules)
        yield from _of_duel(rules, library, app.state.sealer)
        yield from _of_kept(rules, app.state.sealer)
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
    for path in ("/ru", "/robots.txt", "/sitemap.xml", "/.well-known/security.txt"):
        yield Asked(path, path)
    for prefix in ("", "/ru"):
        for path in ("/", "/about", "/trees", "/guess", "/analyse", "/compare", "/statistics"):
            yield Asked(path, prefix + path)
        for path in ("/statistics/columns", "/offline", "/manifest.webmanifest", "/play", "/none"):
            yield Asked(path, prefix + path)
        for path in ("/daily", "/duel", "/status", "/more", "/preferences"):
            yield Asked(path, prefix + path)
        yield Asked("/results", f"{prefix}/results", sort="once")
        yield Asked("/about/", f"{prefix}/about/")
        yield Asked("/analyse/size", f"{prefix}/analyse/size?positions=4&symbols=10")
    yield Asked("/static", "/static/styles/site.css")
    yield Asked("API trees", "/api/v1/trees")
    yield Asked("API daily", "/api/v1/daily")
    yield Asked("API problem", "/api/v1/problems/contradiction")


def _of_results(results: Results) -> Iterator[Asked]:
    yield Asked("/results.json", "/results.json", sort="once")
    for name in results.tables:
        yield Asked("/results/TABLE", f"/results/{name}")
        for form in ("csv", "json"):
            yield Asked(f"/results/TABLE.{form}", f"/results/{name}.{form}", sort="once")
    for point in results.front:
        yield Asked("/results/pareto", f"/results/pareto/{point.total}-{point.late}.json")


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
    daily = f"/api/v1/daily/{rules}/2026-11-21"
    yield Asked("API daily", daily)
    yield Asked("API daily guesses", f"{daily}/guesses", {"guesses": [rules.text(0)]})
    rng = random.Random(str(rules))
    drawn = [rng.randrange(rules.size) for _ in range(29)]
    lines: tuple[list[int], ...] = (
        [],
        [0],
        [0] * 30,
        [*range(29)],
        drawn[:1],
        drawn[:2],
        drawn[:3],
        drawn,
    )
    for line in lines:
        path = "/".join(filter(None, (f"{start}/k3f9", "-".join(map(rules.text, line)))))
        yield Asked("/guess", path)
        yield Asked("/guess?hints", f"{path}?hints=on")
        yield Asked("/guess?check", f"{path}?hints=on&check=on&guess={rules.text(rules.size - 1)}")
        yield Asked("/guess?guess", f"{path}?guess={rules.text(rules.size - 1)}")
        yield Asked("/guess/reveal", f"{path}/reveal")


def _of_game(rules: Rules) -> Iterator[Asked]:
    card = f"/pictures/cards/{rules}.png"
    yield Asked("/pictures/cards", card, sort="once")
    over = f"/guess/{rules}/k3f9/{rules.text(0)}"
    yield Asked("/guess/prices", f"{over}/prices", sort="analysis")
    yield Asked("/duel/RULES", f"/duel/{rules}", sort="once")
    yield Asked("/duel/RULES/new", f"/duel/{rules}/new")


def _of_duel(rules: Rules, library: Library, sealer: Sealer) -> Iterator[Asked]:
    """Duels of every level: begun, after a guess, and won by both at the first one."""
    code, other = rules.size - 1, rules.text(0)
    for level in NAMES:
        if not is_level(library, rules, level):
            continue
        terms = Terms(rules, code, 32 * "0", level, visitor_begins=True)
        start = f"/duel/{rules}/{terms.sealed(sealer)}"
        yield Asked("/duel/SEAL", start, sort="once")
        yield Asked("/duel/SEAL/none", f"{start}/none")
        yield Asked("/duel/SEAL", f"{start}/{other}")
        yield Asked("/duel/SEAL/none", f"{start}/{other}/none")
        over = f"{start}/{rules.text(code)}-{rules.answers[-1]}"
        yield Asked("/duel/SEAL, over", over)
        yield Asked("/duel/SEAL/prices", f"{over}/prices", sort="analysis")


def _of_kept(rules: Rules, sealer: Sealer) -> Iterator[Asked]:
    """Games whose code a friend or the dodging computer keeps."""
    guess, code = rules.text(0), rules.text(rules.size - 1)
    write = f"/duel/friend/{rules}"
    yield Asked("/duel/friend", write)
    yield Asked("/duel/friend, sent", write, f"code={code}")
    start = f"{write}/{seal_code(sealer, rules, rules.size - 1)}"
    for path in (f"{start}/link", start, f"{start}/{guess}", f"{start}/{guess}-{code}"):
        yield Asked("/duel/friend", path)
    yield Asked("/duel/friend/prices", f"{start}/{guess}-{code}/prices", sort="analysis")
    dodge = f"/duel/dodge/{rules}"
    answer = rules.answers[rules.respond(0, rules.size - 1)]
    for path in (dodge, f"{dodge}/{guess}:{answer}"):
        yield Asked("/duel/dodge", path)
        yield Asked("/duel/dodge?guess", f"{path}?guess={code}", sort="analysis")
    over = f"{dodge}/{guess}:{rules.answers[-1]}"
    yield Asked("/duel/dodge/prices", f"{over}/prices", sort="analysis")


def expensive() -> Iterator[Asked]:
    """Yield the positions of any game that cost most: of all codes, of few, and of none."""
    for rules in map(Rules.parse, ("p8c6r", "p8c10n", "p6c11r")):
        for turns in ([], _played(rules, 3), _played(rules, MAX_HISTORY)):
            yield from _of_turns(rules, turns)
    yield from _of_turns(Rules.parse("p8c6r"), [("00000000", 7, 0), ("01111111", 2, 0)])
    yield from _of_turns(Rules.parse("p8c9n"), [("01234567", 0, 0)])
    yield from _of_turns(Rules.parse("p5c16r"), [("00000", 0, 0)] * MAX_HISTORY)
    yield from _of_turns(Rules.parse("p6c7r"), [(str(colour) * 6, 1, 0) for colour in range(4)])
    yield from _of_turns(Rules.parse("p5c8r"), [("00123", 1, 2)])
    yield from _of_turns(Rules.parse("p8c8n"), _played(Rules.parse("p8c8n"), 2))
    yield from _of_turns(Rules.parse("p8c4r"), _played(Rules.parse("p8c4r"), 2))


_Turns: TypeAlias = list[tuple[str, int, int]]
"""Guesses with their bulls and cows."""


def _played(rules: Rules, number: int) -> _Turns:
    """Return random guesses, answered for one code."""
    rng = random.Random(str(rules))
    secret = rng.randrange(rules.size)
    guesses = [rng.randrange(rules.size) for _ in range(number)]
    answers = [rules.answers[rules.respond(guess, secret)] for guess in guesses]
    return [(rules.text(guess), *answer) for guess, answer in zip(guesses, answers, strict=True)]


def _of_turns(rules: Rules, turns: _Turns) -> Iterator[Asked]:
    """Yield the page of a position, and its best guess for two objectives."""
    guess = rules.text(rules.size // 2)
    history = "-".join(f"{code}:{bulls}.{cows}" for code, bulls, cows in turns)
    yield Asked(
        "/analyse, expensive", f"/analyse/{rules}?h={history}&guess={guess}", sort="analysis"
    )
    played = [{"guess": code, "bulls": bulls, "cows": cows} for code, bulls, cows in turns]
    question = {"rules": str(rules), "turns": played, "guesses": [guess]}
    for aim in ("average", "worst,average"):
        asked = question | {"objective": aim}
        yield Asked("API guess, expensive", "/api/v1/guess", asked, "analysis")


def _of_analysis() -> Iterator[Asked]:
    yield from expensive()
    for rules in ("p4c10n", "p4c6r", "p4c10r", "p5c10n", "p5c8r", "p3c6r"):
        for aim in ("average", "worst,average", "last,average"):
            question: dict[str, object] = {
                "rules": rules,
                "objective": aim,
                "max_turns": 9,
                "turns": [],
            }
            yield Asked("API guess", "/api/v1/guess", question, "analysis")
            yield Asked("API guesses", "/api/v1/guesses", {"positions": [question]}, "analysis")
        yield Asked("/analyse/RULES", f"/analyse/{rules}", sort="analysis")
        wrong = "-".join([f"{Rules.parse(rules).text(0)}:0.0"] * 2)
        yield Asked("/analyse/RULES", f"/analyse/{rules}?h={wrong}", sort="analysis")


def unasked(app: FastAPI, asked: Iterable[Asked]) -> list[str]:
    """Return the routes of the application that no request of the survey comes to.

    A page is one route, whatever the language; a request comes to the first that takes it.
    """
    routes = list(iter_route_contexts(app.routes))
    come = {(item.path.partition("?")[0], _method(item)) for item in asked}
    first = (next((r for r in routes if _takes(r, *each)), None) for each in come)
    reached = {id(route.original_route) for route in first if route}
    missing = {id(r.original_route): str(r.path) for r in reversed(routes)}  # English is first
    return sorted({path for key, path in missing.items() if key not in reached} - LEFT_OUT)


def _method(asked: Asked) -> str:
    return "GET" if asked.body is None else "POST"


def _takes(route: RouteContext, path: str, method: str) -> bool:
    return bool(route.path_regex.match(path)) and method in (route.methods or {"GET"})
