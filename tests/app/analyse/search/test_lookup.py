"""Requests that need no search are answered at once, even while the queue is full."""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bullscows.analysis.adversary import Reply
from bullscows.game.question import Question
from bullscows_web.analyse.search.lookup import SearchNeededError, ShippedOpenings, find
from bullscows_web.analyse.search.service import AnalysisService, Backend
from bullscows_web.trees.library import Library
from bullscows_web.web.metrics import Metrics
from tests import ROOT
from tests.support.known import known_total
from tests.support.openings import RULES, make_file

GUESS, GUESSES = "/api/v1/guess", "/api/v1/guesses"

OFF_TREES = "p4c10n", "0123:1.1 4506:1.0"
"""A position that takes a search: no tree makes these guesses."""


def body(rules: str, turns: str = "", **more: object) -> dict[str, object]:
    pairs = [turn.replace(".", ":").split(":") for turn in turns.split()]
    given = [{"guess": guess, "bulls": int(b), "cows": int(c)} for guess, b, c in pairs]
    return {"rules": rules, "turns": given, **more}


def service_of(client: Any) -> Any:
    """Return the analysis service of the server."""
    return client.app.state.analysis


def analyses(metrics: Metrics, source: str) -> int:
    """Return how many positions were counted as of that source."""
    return int(metrics.figures().total("analyses_total", source=source))


@pytest.fixture
def crowded(shipped_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server with the shipped trees whose queue stays full."""
    service = service_of(shipped_client)
    monkeypatch.setattr(service, "_loading", threading.Thread())  # never started
    monkeypatch.setattr(service, "_metrics", Metrics())
    over = threading.Event()
    assert shipped_client.portal is not None
    held = [
        shipped_client.portal.start_task_soon(service.ask, over.wait)
        for _ in range(service._waiting)
    ]
    try:
        refused = shipped_client.post(GUESS, json=body(*OFF_TREES))
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "4")
        yield shipped_client
    finally:
        over.set()
        for one in held:
            one.result()


@pytest.mark.parametrize(
    ("content", "source", "value"),
    [
        (body("p4c10n", "0123:3.0 0145:2.1"), "certain", 7),
        (body("p4c10n", "9876:0.1"), "tree", 7935),
        (body("p5c8n", "12345:1.1"), "tree", 1739),
        (body("p4c6r", "5500:0.1", objective="worst,average"), "opening", 5),
        (body("p4c10n", "9876:2.2 9876:2.2"), "tree", 21 + 6),
        (body("p4c6r", "5500:0.1 5500:0.1", objective="worst,average"), "opening", 5 + 1),
    ],
)
def test_who_needs_no_search_is_answered_while_the_line_is_full(
    crowded: TestClient, content: dict[str, object], source: str, value: int
):
    response = crowded.post(GUESS, json=content)
    assert response.status_code == 200
    found = response.json()
    assert (found["status"], found["value"]) == ("optimal", value)
    assert analyses(service_of(crowded)._metrics, source) == 1


def test_invalid_positions_are_refused_while_the_queue_is_full(crowded: TestClient):
    assert crowded.post(GUESS, json=body("p4c10n", "0123:0.4 0123:0.3")).status_code == 409
    assert crowded.post(GUESS, json=body("p4c6r", objective="last")).status_code == 422
    assert crowded.get("/analyse/p4c10n?h=0123:0.4-0123:0.3").status_code == 409


def test_known_evaluations_are_returned_while_the_queue_is_full(crowded: TestClient):
    """One position needs no search, and the values after a first guess are in a file."""
    certain = body("p4c10n", "0123:2.2", guesses=["1234", "1235"])
    first = body("p4c10n", guesses=["9876", "0123"])
    for content, value in ((certain, 22), (first, known_total("p4c10n"))):
        response = crowded.post(GUESS, json=content)
        assert response.status_code == 200
        assert {evaluation["value"] for evaluation in response.json()["evaluations"]} == {value}
    unknown = body("p4c10n", "9876:0.1", guesses=["1234"])
    assert crowded.post(GUESS, json=unknown).status_code == 503


def test_known_positions_of_many_need_no_place(crowded: TestClient):
    many = [body("p4c10n", "9876:0.1"), body(*OFF_TREES), body("p4c6r", "0011:4.0")]
    response = crowded.post(GUESSES, json={"positions": many})
    assert response.status_code == 200
    results = response.json()["results"]
    first = results[0]["best_guess"]
    third = results[2]["best_guess"]
    assert (first["tree"], third["guess"]) == ("avg-bulls-cows", "0011")
    second = results[1]["problem"]
    assert (second["status"], second["type"].split("/")[-1]) == (503, "busy")
    refused = crowded.post(GUESSES, json={"positions": [body(*OFF_TREES)] * 2})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "4")


def test_pages_show_what_is_known_and_ask_again_for_evaluations(crowded: TestClient):
    page = crowded.get("/analyse/p4c10n?h=9876:0.1")
    assert page.status_code == 200
    assert "polls=1" in page.text
    assert crowded.get("/analyse/p4c10n?h=0123:1.1-4506:1.0").status_code == 503
    # Each evaluation is certain there, but not which guesses cost least.
    special = crowded.get("/analyse/p4c10n?h=0123:1.0-6279:1.1-8201:0.1-4052:0.3")
    assert special.status_code == 200
    assert "polls=1" in special.text


def test_adversary_searches_only_if_the_reply_is_uncertain():
    service = AnalysisService(0.0, 1)
    question = Question.of("p4c10n", "0123:2.2")

    def reply(guess: str) -> Reply:
        code = question.rules.parse_code(guess)
        return asyncio.run(service.at_once(lambda backend: backend.reply(question, code, 0.0)))

    assert (reply("1234").method, reply("1234").last_turn) == ("remoteness", 4)
    with pytest.raises(SearchNeededError):
        reply("4567")
    service.close()


@pytest.mark.parametrize("unproved", [False, True])
def test_evaluations_are_searched_while_the_queue_is_empty(
    shipped_library: Library, unproved: bool
):
    """The search then starts from the known analysis, and the position is counted once."""
    service = AnalysisService(0.0, 1)
    called = list[str]()
    service._loading = threading.Thread()  # never started
    question = Question.of("p4c10n", "9876:0.1")

    def evaluated(backend: Backend) -> None:
        called.append(type(backend).__name__)
        found = backend.analysis(shipped_library, question)
        backend.evaluations(found, [question.rules.parse_code("1234")], 0.0)

    asyncio.run(service.answer(evaluated, unproved=unproved))
    assert called == ["Lookup", "AnalysisService"]
    assert analyses(service._metrics, "tree") == 1
    service.close()


def test_games_are_presolved_only_while_the_queue_is_empty():
    """A request with many positions keeps its place between them and does not wait again."""
    service = AnalysisService(1.0, 2)
    steps = list[int]()

    def step() -> Iterator[None]:
        for number in range(3):
            steps.append(number)
            yield

    service._steps = step()

    async def scene() -> None:
        async with service.place():
            service._queue_step()
            await service.run(int)
            async with service.place():
                pass
            await service.run(int)
            assert steps == []
        async with asyncio.timeout(10):
            while len(steps) < 3:
                await asyncio.sleep(0.01)

    asyncio.run(scene())
    service.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A shipped tree, and the positions of a tiny game."""
    trees = tmp_path / "trees"
    trees.mkdir()
    shutil.copy(ROOT / "trees" / "avg-mastermind.json", trees)
    make_file(trees)
    return trees


def test_threads_find_the_same(folder: Path):
    """Trees and openings work out what they keep at the first lookup, in any thread."""
    texts = ("", "0011:1.1", "5544:1.1", "2345:0.2", "5544:1.1 5533:0.1", "0123:4.0")
    questions = [Question.of("p4c6r", text) for text in texts]
    questions += [
        Question.of(RULES, played, objective)
        for played in ([], [(0, 0)], [(1, 1)], [(9, 2)], [(24, 0)])
        for objective in ("average", "worst,average")
    ]
    expected = found_by_threads(folder, questions, 1)
    assert {source for _, source in expected} == {"certain", "tree", "opening", None}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        found = found_by_threads(folder, questions, 8)
    finally:
        sys.setswitchinterval(interval)
    assert found == expected * 8


def found_by_threads(
    folder: Path, questions: Sequence[Question], threads: int
) -> list[tuple[str, str | None]]:
    """Return what each thread finds when all look up the same positions in files newly opened."""
    library = Library.open(folder)
    openings = ShippedOpenings.open(folder)
    begin = threading.Barrier(threads)

    def found(question: Question) -> tuple[str, str | None]:
        known = find(library, openings, question)
        return ("", None) if known is None else (str(known[0]), known[1])

    def ask(_: int) -> list[tuple[str, str | None]]:
        begin.wait()
        return [found(question) for question in questions]

    with ThreadPoolExecutor(threads) as pool:
        return [each for found in pool.map(ask, range(threads)) for each in found]


ENDING = """
from bullscows_web.analyse.search.service import AnalysisService
service = AnalysisService(1.0, 1)
service.load().join()
print(service.state)
"""
"""A process that ends while it solves the first position requested."""


@pytest.mark.process
def test_process_that_ends_while_it_solves_ahead_is_quiet():
    ended = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


@pytest.mark.parametrize(
    ("error", "closed", "logged"),
    [
        (RuntimeError("no more threads"), True, False),
        (RuntimeError("no more threads"), False, True),
        (ValueError("wrong"), True, True),
    ],
)
def test_only_errors_caused_by_closing_are_not_logged(
    caplog: pytest.LogCaptureFixture, error: Exception, closed: bool, logged: bool
):
    service = AnalysisService(1.0, 1)
    service._steps = _failing(service if closed else None, error)
    service._solve_on()
    service.close()
    assert ("can't be solved" in caplog.text) is logged


def _failing(closed: AnalysisService | None, error: Exception) -> Iterator[None]:
    if closed:
        closed.close()
    raise error
    yield
