"""Every error has one shape: a problem document under /api, a page elsewhere."""

import logging
import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import copytree
from typing import get_args

import pytest
from fastapi.exceptions import RequestValidationError
from httpx2 import Response
from starlette.testclient import TestClient

from bullscows.game.history import InconsistentError
from bullscows.game.objective import ObjectiveError
from bullscows.game.question import Question
from bullscows.game.response_table import GameTooLargeError
from bullscows.game.result import TooFewTurnsError
from bullscows.game.rules import AnswerError, CodeError, RulesError
from bullscows_web.api.tree_schemas import NewSession
from bullscows_web.errors.kinds import KINDS, kind_of
from bullscows_web.errors.responses import PROBLEM_TYPES
from bullscows_web.main import create_app
from bullscows_web.match.rules import MatchError, Refusal
from bullscows_web.server.settings import MAX_BODY, Settings
from bullscows_web.web.exceptions import (
    BusyError,
    Malformed,
    MalformedError,
    Missing,
    NotFoundError,
    ProblemError,
)
from tests.support.pages import HTMX, get, one, parse, text
from tests.support.searching import IdleExecutor

pytestmark = pytest.mark.large

API = "/api/v1"
ID = "small-bulls-cows~0~0.1-1.1"
ANSWERS = f"{API}/sessions/{ID}/answers"


def assert_problem(response: Response, status: int, slug: str | None) -> None:
    """Assert the one shape of errors; without a slug, the status says all."""
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["cache-control"] == "no-store"
    problem = response.json()
    assert problem["type"] == (PROBLEM_TYPES + slug if slug else "about:blank")
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert set(problem) <= {"type", "title", "status", "detail", "corrections", "errors"}


@pytest.fixture(scope="module")
def damaged(small_trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server one of whose tree files is damaged."""
    trees = Path(shutil.copytree(small_trees, tmp_path_factory.mktemp("damaged") / "trees"))
    (trees / "small-bulls-cows.json").write_text("{")
    with TestClient(create_app(Settings(trees_dir=trees, metrics=True), IdleExecutor())) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "status", "slug"),
    [
        ("/trees/none", 404, "unknown-tree"),
        ("/trees/%00", 404, "unknown-tree"),
        ("/trees/..%2f..%2fetc", 404, None),
        ("/problems/none", 404, None),
        ("/none", 404, None),
        ("/sessions/small-bulls-cows~0~0.1-1.1-0.0", 409, "contradiction"),
        ("/sessions/small-bulls-cows~0~3.0-0.1", 409, "game-over"),
        ("/sessions/none~0", 404, "unknown-tree"),
        ("/trees/small-bulls-cows/nodes?answers=3.0", 409, "game-over"),
        ("/trees/small-bulls-cows/nodes?answers=2.1", 422, "impossible-answer"),
        ("/trees/small-bulls-cows/nodes?answers=x", 422, "invalid-request"),
        ("/sessions/small-bulls-cows~0~5.0", 422, "impossible-answer"),
        ("/sessions/small-bulls-cows~zzzz", 422, "malformed-relabelling"),
        ("/sessions/small-bulls-cows", 422, "invalid-request"),
        ("/trees/" + "x" * 5000, 414, None),
    ],
)
def test_wrong_address_is_a_problem(client: TestClient, path: str, status: int, slug: str | None):
    assert_problem(client.get(API + path), status, slug)


@pytest.mark.parametrize(
    ("path", "body", "status", "slug"),
    [
        ("/sessions", {"tree": "none"}, 404, "unknown-tree"),
        ("/sessions", {"tree": 1}, 422, "invalid-request"),
        ("/sessions/small-bulls-cows~0~3.0/answers", {"bulls": 0, "cows": 1}, 409, "game-over"),
        ("/sessions/x-y~0/answers", {"bulls": 2, "cows": 1}, 404, "unknown-tree"),
        ("/response", {"rules": "p4c3n", "guess": "0", "secret": "0"}, 422, "malformed-rules"),
        ("/response", {"rules": "p4c6r", "guess": "0", "secret": "0"}, 422, "malformed-code"),
    ],
)
def test_wrong_body_is_a_problem(
    client: TestClient, path: str, body: object, status: int, slug: str | None
):
    assert_problem(client.post(API + path, json=body), status, slug)


@pytest.mark.parametrize(
    ("content", "status", "slug"),
    [
        *((b"{", 422, "invalid-request"), (b"\xff\xfe", 422, "invalid-request")),
        (b'{"bulls": NaN, "cows": Infinity}', 422, "invalid-request"),
        *((b'{"\\ud800": 1}', 422, "invalid-request"), (b"[" * 16_000, 400, None)),
    ],
)
def test_broken_json_is_a_problem(
    client: TestClient, content: bytes, status: int, slug: str | None
):
    headers = {"Content-Type": "application/json"}
    assert_problem(client.post(ANSWERS, content=content, headers=headers), status, slug)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        *((ANSWERS, kind) for kind in (None, "", "text/plain", "multipart/form-data", "json")),
        (f"{API}/sessions", "text/plain"),
        (f"{API}/response", "application/x-www-form-urlencoded"),
    ],
)
def test_body_of_another_type_is_a_problem(client: TestClient, path: str, kind: str | None):
    headers = {} if kind is None else {"Content-Type": kind}
    response = client.post(path, content=b'{"bulls": 0, "cows": 1}', headers=headers)
    assert_problem(response, 422, "invalid-request")
    assert "send a JSON object and Content-Type: application/json" in response.json()["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", "application/problem+json"]
)
def test_json_by_its_other_names_is_read(client: TestClient, kind: str):
    content = b'{"bulls": 1, "cows": 1}'
    path = f"{API}/sessions/small-bulls-cows~0/answers"
    assert client.post(path, content=content, headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize(
    ("path", "field", "said"),
    [
        ("/sessions/small-bulls-cows", "path.id", "'small-bulls-cows' is not the id of a session"),
        ("/sessions/small-bulls-cows~K3", "path.id", "'K3' is not a relabelling: write 0 for none"),
        ("/sessions/small-bulls-cows~0~0.1-9.9", "path.id", "'9.9' is not an answer: write bulls"),
        ("/sessions/~0", "path.id", "'' is not the name of a tree: GET /api/v1/trees lists them"),
        ("/trees/small-bulls-cows/nodes?answers=0.1-x", "query.answers", "'x' is not an answer"),
    ],
)
def test_error_of_malformed_text_names_the_wrong_part_and_the_syntax(
    client: TestClient, path: str, field: str, said: str
):
    problem = client.get(API + path).json()
    assert [item["field"] for item in problem["errors"]] == [field]
    assert said in problem["errors"][0]["message"]
    assert said in problem["detail"]
    assert "^" not in problem["detail"], "no regular expression"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_wrong_method_is_a_problem_that_names_the_right_ones(client: TestClient, method: str):
    response = client.request(method, f"{API}/trees")
    assert_problem(response, 405, None)
    assert response.headers["allow"] == "GET"


def test_invalid_request_says_what_is_wrong_where(client: TestClient):
    found = client.post(ANSWERS, json={"bulls": 9, "cows": 0, "x" * 900: 1}).json()
    messages = {item["field"]: item["message"] for item in found["errors"]}
    assert messages == {
        "body.bulls": "Input should be less than or equal to 8",
        "body." + "x" * 40: "Extra inputs are not permitted",
    }
    assert found["detail"].startswith("body.bulls: Input should be")


def test_damaged_tree_is_unavailable_and_the_others_play(damaged: TestClient):
    for path in ("/trees/small-bulls-cows", "/sessions/small-bulls-cows~0~0.1"):
        response = damaged.get(API + path)
        assert_problem(response, 503, "tree-unavailable")
        assert int(response.headers["retry-after"]) > 0
    body = NewSession(tree="small-bulls-cows").model_dump()
    assert_problem(damaged.post(f"{API}/sessions", json=body), 503, "tree-unavailable")
    assert damaged.post(f"{API}/sessions", json={"tree": "small-mastermind"}).status_code == 201
    assert damaged.get(f"{API}/trees").json()["unavailable"] == ["small-bulls-cows"]


def test_damaged_tree_is_counted_and_not_ready(damaged: TestClient):
    response = damaged.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "degraded",
        "trees": ["small-mastermind"],
        "failed": ["small-bulls-cows"],
        "search": "loading",
    }
    assert damaged.get("/healthz").status_code == 200
    assert 'bullscows_trees{state="refused"} 1.0' in damaged.get("/metrics").text


def test_unforeseen_error_is_logged_and_keeps_its_secret(
    small_trees: Path, caplog: pytest.LogCaptureFixture
):
    app = create_app(Settings(trees_dir=small_trees), IdleExecutor())

    @app.get("/api/v1/fail")
    async def fail() -> None:
        raise ZeroDivisionError("the secret is 1234")

    with (
        TestClient(app, raise_server_exceptions=False) as client,
        caplog.at_level(logging.ERROR),
    ):
        response = client.get("/api/v1/fail")
    assert_problem(response, 500, "internal-error")
    assert "1234" not in response.text
    assert "the secret is 1234" in caplog.text
    assert "default-src 'none'" in response.headers["content-security-policy"]


FAILURES = {
    "search": (BusyError("search", 3), 503),
    "address": (BusyError("address", 3), 429),
    "unforeseen": (ZeroDivisionError(), 500),
}


def test_page_about_a_failure_offers_its_own_address_again(small_trees: Path):
    app = create_app(Settings(trees_dir=small_trees), IdleExecutor())

    @app.get("/trees-of/{failure}")
    @app.get("/ru/trees-of/{failure}")
    async def fail(failure: str) -> None:
        raise FAILURES[failure][0]

    with TestClient(app, raise_server_exceptions=False) as client:
        for prefix, (failure, (_, status)) in product(("", "/ru"), FAILURES.items()):
            path = f"{prefix}/trees-of/{failure}?depth=2"
            assert one(get(client, path, status), ".actions .primary")["href"] == path


def test_error_page_that_fails_is_no_way_out(
    small_trees: Path, caplog: pytest.LogCaptureFixture, tmp_path: Path
):
    settings = Settings(trees_dir=small_trees)
    copytree(settings.templates_dir, tmp_path, dirs_exist_ok=True)
    (tmp_path / "error" / "page.html").write_text("{{ 1 / 0 }}")
    app = create_app(settings.model_copy(update={"templates_dir": tmp_path}), IdleExecutor())
    with (
        TestClient(app, raise_server_exceptions=False) as client,
        caplog.at_level(logging.ERROR),
    ):
        response = client.get("/none")
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "could not be rendered" in caplog.text


def test_every_kind_of_problem_has_an_address(client: TestClient):
    for kind in KINDS:
        content = client.get(PROBLEM_TYPES + kind.slug).json()
        assert content == {
            "type": PROBLEM_TYPES + kind.slug,
            "title": kind.title,
            "status": kind.status,
            "advice": kind.advice,
        }


def descendants(error: type[Exception]) -> Iterator[type[Exception]]:
    for each in error.__subclasses__():
        yield each
        yield from descendants(each)


def test_every_exception_of_the_server_names_a_kind_and_every_kind_has_one():
    own = set(descendants(ProblemError))
    named = {error: error.slug for error in own if hasattr(error, "slug")}
    assert own - named.keys() == {NotFoundError, MalformedError, MatchError, BusyError}
    listed = {*get_args(Missing), *get_args(Malformed), *get_args(Refusal)}
    busy = {BusyError("search", 1).slug, BusyError("address", 1).slug}
    others = {kind_of(error).slug for error in OTHERS}
    assert {*named.values(), *listed, *busy, *others} == {kind.slug for kind in KINDS}


OTHERS = (
    *(AnswerError(), CodeError(), RulesError(), GameTooLargeError(), RequestValidationError([])),
    *(ObjectiveError("wrong"), InconsistentError((), None), ValueError("unexpected")),
    TooFewTurnsError(Question.of("p4c6r", max_turns=4)),
)
"""Exceptions of the engine and of Pydantic, and an unexpected one."""


@pytest.mark.parametrize("accept", ["text/html", "*/*", "text/html,application/json;q=0.9"])
def test_error_elsewhere_is_a_page(client: TestClient, accept: str):
    assert one(get(client, "/no/such/page", 404, {"Accept": accept}), "h1")


TREE = "/trees/small-bulls-cows"
PAIR = "/compare/small-bulls-cows/small-bulls-cows"


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "status"),
    [("/none", 404), ("/trees/none", 404), (f"{TREE}/x", 422), (f"{TREE}/3.0", 409)],
)
def test_a_sentence_leads_and_the_status_is_not_shown(
    client: TestClient, prefix: str, path: str, status: int
):
    page = get(client, prefix + path, status)
    words = text(one(page, "main"))
    heading = text(one(page, "main h1"))
    assert words.startswith(heading)
    assert "HTTP" not in words
    assert not re.search(r"\d", heading)
    title = text(one(page, "head > title"))
    assert title.startswith(heading)
    assert str(status) not in title
    assert text(one(page, "#status")).rstrip(".") == heading
    part = get(client, prefix + path, status, headers=HTMX)
    assert text(one(part, "title")) == title


@pytest.mark.parametrize(
    ("path", "way_on"),
    [
        (f"{TREE}/0.1-1.1-0.0", f"{TREE}/0.1-1.1"),
        (f"{TREE}/0.1-1.1-0.0-0.1", f"{TREE}/0.1-1.1"),
        (f"{TREE}/3.0", TREE),
        (f"{TREE}/3.0-0.1", TREE),
        ("/trees/small-mastermind/2.0-0.0", "/trees/small-mastermind"),
        (f"{PAIR}/0.1-1.1-0.0", f"{PAIR}/0.1-1.1"),
        (f"{PAIR}/3.0-0.1", f"{PAIR}/3.0"),
        ("/play/small-bulls-cows/0/3.0-0.1", "/play/small-bulls-cows/0/3.0"),
    ],
)
def test_answers_that_lead_nowhere_link_to_the_last_place_on_the_way(
    client: TestClient, path: str, way_on: str
):
    for prefix in ("", "/ru"):
        page = get(client, prefix + path, 409)
        assert one(page, "main .button.primary")["href"] == prefix + way_on
        assert client.get(prefix + way_on).status_code == 200
        assert not page.select("a.correction, .ledger"), "nobody has played this"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("depth=many", "“depth” must be a number written in digits."),
        ("depth=0", "“depth” must be a number, at least 1."),
        ("depth=100", "“depth” must be a number, at most 99."),
        ("secret=" + "1" * 41, "“secret” can have at most 40 characters."),
        ("depth=0&secret=" + "1" * 41, "“depth” must be a number, at least 1. “secret” can have"),
    ],
)
def test_wrong_part_of_a_query_is_named_with_what_is_wanted(
    client: TestClient, query: str, said: str
):
    assert said in text(one(get(client, f"{TREE}?{query}", 422), ".detail"))


def test_search_engines_are_given_no_address_of_an_error(client: TestClient):
    addresses = "link[rel=canonical], link[rel=alternate], meta[property='og:image']"
    assert len(get(client, "/trees").select(addresses)) == 4
    for path, status in [("/none", 404), (f"{TREE}/x", 422), (f"{TREE}/3.0-0.1", 409)]:
        assert not get(client, path, status).select(addresses)


@pytest.mark.parametrize("path", ["/analyse", "/guess", "/duel"])
@pytest.mark.parametrize("name", ["p9c9n", "p4c10x", "p4c3n"])
def test_a_page_says_why_a_name_is_no_game(client: TestClient, path: str, name: str):
    page = client.get(f"{path}/{name}", headers={"Accept": "text/html"}).text
    assert "There is no such game." in page
    assert "p with 1 to 8 places, c with 1 to 16 symbols" in page
    assert "n if they may not" in page
    assert "число мест от 1 до 8" in client.get(f"/ru{path}/{name}").text


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "status", "way_on"),
    [
        ("/match/nope", 404, "/match"),
        ("/match/" + "a" * 28, 404, "/match"),
        ("/match/abc234/presence", 404, "/match"),
        ("/match/" + "a" * 29, 410, "/match"),
        ("/trees/none", 404, "/trees"),
        ("/trees/none/0.1", 404, "/trees"),
        (f"{TREE}/9.9", 422, TREE),
        ("/compare/none/none", 404, "/compare"),
        ("/puzzle/none", 404, "/guess/p4c10n"),
        ("/guess/bulls-cows/zzz", 404, "/guess/p4c10n"),
        ("/duel/none", 404, "/duel"),
        ("/answer/none", 422, "/answer/p4c10n"),
        ("/analyse/none", 422, "/analyse/p4c10n"),
        ("/learn/9/9", 404, "/learn"),
        ("/none", 404, "/"),
    ],
)
def test_wrong_address_links_to_where_its_page_would_be_found(
    client: TestClient, prefix: str, path: str, status: int, way_on: str
):
    page = get(client, prefix + path, status)
    assert one(page, "main .button.primary")["href"] == prefix + way_on
    assert client.get(prefix + way_on, follow_redirects=True).status_code == 200


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_too_long_a_form_leads_back_to_its_page(client: TestClient, prefix: str):
    back = f"{prefix}/paste?rules=p3c6n"
    headers = {"Accept": "text/html", "Referer": f"http://testserver{back}"}
    body = {"text": "x" * MAX_BODY}
    response = client.post(f"{prefix}/paste", data=body, headers=headers)
    assert response.status_code == 413
    assert one(parse(response), "main .button.primary")["href"] == back
    for other in (f"http://other.example{back}", "http://["):
        headers["Referer"] = other
        response = client.post(f"{prefix}/paste", data=body, headers=headers)
        assert response.status_code == 413
        assert one(parse(response), "main .button.primary")["href"] == f"{prefix}/trees"
