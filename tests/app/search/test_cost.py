"""No request takes much time or memory of a server, whatever the game: a process of its own."""

import http.client
import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from bullscows.analysis.analyst import Analyst
from bullscows.analysis.memory import resident
from bullscows.game.history import MAX_HISTORY, History, candidates, split
from bullscows.game.rules import Rules, Turns
from bullscows_web.search.service import MAX_EVALUATED
from bullscows_web.server.settings import Settings
from tests.support.servers.processes import descendants, megabytes, processor_seconds
from tests.support.servers.serving import Server, running, wait_until_it_searches

pytestmark = [
    pytest.mark.large,
    pytest.mark.process,
    pytest.mark.skipif(resident() is None, reason="resident memory is unknown on this system"),
]

SECONDS = 4.0
"""Of the processor: twice what a request may take, as one that is shared is slower."""
MEGABYTES = 200
"""Above what the server has when it rests."""
LIMIT = Settings().memory_limit_mb

USUAL_SECONDS = 0.1
USUAL_MEGABYTES = 20
"""Of a page that the server has shown before, unless it searches."""
USUAL_PAGES = [
    *("/", "/guess", "/guess/p5c9n/k3f9/01234-56780", "/puzzle/p4c10n", "/daily", "/learn"),
    *("/play", "/play/avg-mastermind-5x7/0/0.0", "/play/avg-bulls-cows/0/0.1?analysis=all"),
    *("/duel", "/duel/p4c6r", "/match", "/analyse", "/trees"),
    *("/trees/avg-mastermind-5x7", "/trees/avg-bulls-cows?secret=4271", "/statistics"),
    *("/statistics/avg-bulls-cows-5-of-9", "/compare/avg-bulls-cows/crush-bulls-cows"),
    *("/results", "/atlas", "/atlas/p4c10n", "/preferences", "/privacy", "/about", "/more"),
    *("/embed/daily", "/api/v1/trees", "/api/v1/trees/avg-bulls-cows", "/openapi.json"),
]


@pytest.fixture
def server(shipped_trees: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that has searched nothing yet; its searches take their time, however busy it is."""
    Analyst().load(("p3c4n",))  # who compiles the kernels keeps the compiler's memory
    settings = {"BULLSCOWS_SEARCH_PROCESSES": "1", "BULLSCOWS_STATE_DIR": str(tmp_path)}
    with running(shipped_trees, tmp_path / "log", **settings) as server:
        wait_until_it_searches(server.address)
        yield server


class Request(NamedTuple):
    """A request to the server."""

    path: str
    """Path and query."""
    body: object = None
    """The JSON to post; None to get."""


def ask(server: Server, request: Request) -> None:
    """Send a request; an answer may also be that no code fits."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    method, body = ("GET", None) if request.body is None else ("POST", json.dumps(request.body))
    connection.request(method, request.path, body, {"Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    assert status in (200, 303, 409, 422), request


# -- requests --------------------------------------------------------------------------------------

SAME_TURN = "-".join(["134041:0.1"] * 20)
ONCE_SLOW = [
    Request(f"/review/p6c11r?h={SAME_TURN}"),
    Request(f"/review/p6c11r?h={SAME_TURN}&theirs={SAME_TURN}"),
    Request("/duel/adversary/p5c8r/17735:0.1?guess=64356"),
    Request("/duel/adversary/p5c10n?guess=72160"),
    Request("/duel/p4c10r"),
]
"""Requests that once took from 5 to 29 seconds."""


def api_request(history: History, **fields: object) -> Request:
    """Return a request for the best guess of a position."""
    rules = history.rules
    turns = [
        {
            "guess": rules.text(guess),
            "bulls": rules.answers[answer][0],
            "cows": rules.answers[answer][1],
        }
        for guess, answer in history
    ]
    return Request("/api/v1/guess", {"rules": str(rules), "turns": turns, **fields})


def page_request(page: str, history: History) -> Request:
    """Return a request for a page about a position, with a guess to evaluate."""
    rules = history.rules
    query = f"h={'-'.join(history.texts)}&guess={rules.text(rules.size // 2)}"
    return Request(f"{page}?{query}")


def with_many_left(rules: Rules) -> History:
    """Return the most turns, each with the most frequent answer to a random guess."""
    rng = random.Random(str(rules))
    left = np.arange(rules.size, dtype=np.int32)
    turns: Turns = ()
    for _ in range(MAX_HISTORY):
        guess = rng.randrange(rules.size)
        answer, _ = max(split(rules, left, guess).parts, key=lambda part: part[1])
        turns = (*turns, (guess, answer))
        left = candidates(rules, History(rules, turns))
    return History(rules, turns)


def long_histories() -> Iterator[Request]:
    """Yield the requests that took most of all that were measured, of each kind and game."""
    longest = {
        name: with_many_left(Rules.parse(name))
        for name in ("p5c8r", "p5c10n", "p4c10r", "p8c10n", "p6c11r", "p8c6r")
    }
    for name in ("p5c8r", "p5c10n", "p4c10r", "p8c10n"):
        yield Request(f"/review/{name}?h={'-'.join(longest[name].texts)}")
    for name in ("p6c11r", "p8c10n", "p8c6r"):
        yield page_request(f"/analyse/{name}", longest[name])
    yield page_request("/pictures/cards/p8c10n.png", longest["p8c10n"])
    rules = longest["p6c11r"].rules
    spread = range(0, rules.size, -(-rules.size // MAX_EVALUATED))
    yield api_request(longest["p6c11r"], guesses=[rules.text(code) for code in spread])
    rules = longest["p8c10n"].rules
    contradictory = (*longest["p8c10n"].turns[1:], (0, rules.win))
    yield api_request(History(rules, contradictory))


def played(rules: Rules, number: int) -> History:
    """Return random guesses, answered for one code that is none of them; the same each time."""
    rng = random.Random(f"{rules} {number}")
    while True:
        secret, *guesses = (rng.randrange(rules.size) for _ in range(number + 1))
        if secret not in guesses:
            return History(rules, tuple((guess, rules.respond(guess, secret)) for guess in guesses))


def large_games() -> Iterator[Request]:
    """Yield positions of the largest games, with all, few and no candidates."""
    asked = [
        played(Rules.parse(name), number)
        for name in ("p8c6r", "p8c10n", "p6c11r")
        for number in (0, 3, MAX_HISTORY)
    ]
    asked += [played(Rules.parse(name), 2) for name in ("p8c8n", "p8c4r")]
    for game, turns in (
        ("p8c6r", "00000000:7.0 01111111:2.0"),
        ("p8c9n", "01234567:0.0"),
        ("p5c16r", " ".join(["00000:0.0"] * MAX_HISTORY)),
        ("p6c7r", " ".join(f"{str(colour) * 6}:1.0" for colour in range(4))),
        ("p5c8r", "00123:1.2"),
    ):
        asked.append(History.parse(game, turns))
    for history in asked:
        guess = history.rules.text(history.rules.size // 2)
        yield page_request(f"/analyse/{history.rules}", history)
        for objective in ("average", "worst,average"):
            yield api_request(history, guesses=[guess], objective=objective)


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_no_request_takes_much_time_or_memory(server: Server, step: int):
    """Quick runs send every eighth request about a large game."""
    some = islice(large_games(), 0, None, step)
    for request in (*ONCE_SLOW, *long_histories(), *some):
        check_cost(server, request, SECONDS, MEGABYTES)


@pytest.mark.slow
def test_usual_page_takes_little_time_and_memory_when_it_was_shown_before(server: Server):
    for path in USUAL_PAGES:
        ask(server, Request(path))
        check_cost(server, Request(path), USUAL_SECONDS, USUAL_MEGABYTES)


def check_cost(server: Server, request: Request, seconds: float, most: float) -> None:
    """Send a request; no process may take more processor time or, in megabytes, memory for it."""
    processes = {server.process.pid, *descendants(server.process.pid)}
    rests = {each: megabytes(each, "VmRSS") for each in processes}
    before = {each: processor_seconds(each) for each in processes}
    for each in processes:
        Path(f"/proc/{each}/clear_refs").write_text("5")  # the peak is counted from here on
    ask(server, request)
    for each in processes:
        assert processor_seconds(each) - before[each] <= seconds, request
        assert megabytes(each, "VmHWM") - rests[each] <= most, request
        assert megabytes(each, "VmHWM") <= LIMIT, request
