"""Every error has one shape: a problem document under /api, a page elsewhere."""

import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from httpx2 import Response
from starlette.testclient import TestClient

from bullscows_web import error_responses
from bullscows_web.api.schemas import NewSession
from bullscows_web.error_kinds import KINDS
from bullscows_web.error_responses import PROBLEM_TYPES
from bullscows_web.main import create_app
from bullscows_web.server.settings import MAX_BODY, Settings
from tests.support.pages import HTMX, get, one, text

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
    with TestClient(create_app(Settings(trees_dir=trees, metrics=True))) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "status", "slug"),
    [
        ("/trees/none", 404, "unknown-tree"),
        ("/trees/%00", 404, "unknown-tree"),
        ("/trees/..%2f..%2fetc", 404, None),
        ("/problems/none", 404, None),
        ("/none", 404, None),
        ("/trees/", 404, None),
        ("/sessions/small-bulls-cows~0~0.1-1.1-0.0", 409, "contradiction"),
        ("/sessions/small-bulls-cows~0~3.0-0.1", 409, "game-over"),
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
        ("/sessions", {"tree": "x" * MAX_BODY}, 413, None),
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
        (b"{", 422, "invalid-request"),
        (b"\xff\xfe", 422, "invalid-request"),
        (b'{"bulls": NaN, "cows": Infinity}', 422, "invalid-request"),
        (b'{"\\ud800": 1}', 422, "invalid-request"),
        (b"[" * 16_000, 400, None),
        (b" " * (MAX_BODY + 1), 413, None),
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
    assert_problem(response, 415, None)
    assert "send Content-Type: application/json" in response.json()["detail"]
    operation = client.get("/openapi.json").json()["paths"][path.replace(ID, "{id}")]["post"]
    assert "415" in operation["responses"]


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


def test_error_of_a_malformed_body_names_the_syntax(client: TestClient):
    body = {"rules": "4x10", "guess": "x", "secret": "0123"}
    problem = client.post(f"{API}/response", json=body).json()
    said = {item["field"]: item["message"] for item in problem["errors"]}
    assert "for example p4c10n" in said["body.rules"]
    assert "for example 0123" in said["body.guess"]


@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("GET", "/none", "/openapi.json for the API"),
        ("GET", "/problems/none", "use one of broken-seal, busy, conflicting-fields, "),
        ("GET", "/trees/none", "GET /api/v1/trees lists"),
        ("GET", "/sessions", "This address takes POST only."),
        ("PUT", "/trees", "This address takes GET and HEAD only."),
        ("GET", "/sessions/small-bulls-cows~0~3.0-0.1", "POST /api/v1/sessions"),
        ("GET", "/sessions/small-bulls-cows~0~0.1-1.1-0.0", "change one of the answers"),
    ],
)
def test_detail_says_what_to_do(client: TestClient, method: str, path: str, said: str):
    assert said in client.request(method, API + path).json()["detail"]


@pytest.mark.parametrize("path", ["/static/styles/site.css", "/trees"])
def test_wrong_method_elsewhere_is_a_document_for_who_wants_json(client: TestClient, path: str):
    response = client.delete(path, headers={"Accept": "application/json"})
    assert_problem(response, 405, None)
    assert response.json()["detail"] == "This address takes GET and HEAD only."


def test_broken_json_is_called_that(client: TestClient):
    headers = {"Content-Type": "application/json"}
    problem = client.post(ANSWERS, content=b'{"bulls": ', headers=headers).json()
    assert problem["detail"] == (
        "body: this is not JSON, at character 10: Expecting value; "
        "/openapi.json describes every request"
    )
    assert [item["field"] for item in problem["errors"]] == ["body"]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_wrong_method_is_a_problem_that_names_the_right_ones(client: TestClient, method: str):
    response = client.request(method, f"{API}/trees")
    assert_problem(response, 405, None)
    assert response.headers["allow"] == "GET, HEAD"


def test_contradiction_lists_corrections(client: TestClient):
    response = client.post(ANSWERS, json={"bulls": 0, "cows": 0})
    assert_problem(response, 409, "contradiction")
    for correction in response.json()["corrections"]:
        assert set(correction) == {
            *("turn", "guess", "given", "instead", "mistake", "remaining", "session"),
        }
    assert response.json()["corrections"]


def test_invalid_request_says_what_is_wrong_where(client: TestClient):
    response = client.post(ANSWERS, json={"bulls": 9, "cows": 0, "x" * 900: 1})
    fields = {item["field"] for item in response.json()["errors"]}
    assert fields == {"body.bulls", "body." + "x" * 40}


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
    app = create_app(Settings(trees_dir=small_trees))

    @app.get("/api/v1/fail")
    async def fail() -> None:
        raise ZeroDivisionError("the secret is 1234")

    with TestClient(app) as client, caplog.at_level(logging.ERROR):
        response = client.get("/api/v1/fail")
    assert_problem(response, 500, "internal-error")
    assert "1234" not in response.text
    assert "the secret is 1234" in caplog.text
    assert "default-src 'none'" in response.headers["content-security-policy"]


def test_error_page_that_fails_is_no_way_out(
    small_trees: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    app = create_app(Settings(trees_dir=small_trees))
    monkeypatch.setattr(error_responses, "error_page", lambda *_: 1 / 0)
    with TestClient(app) as client, caplog.at_level(logging.ERROR):
        response = client.get("/none")
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "could not be rendered" in caplog.text


def test_visitors_mistakes_are_not_news(client: TestClient, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    client.get(f"{API}/trees/none")
    client.post(ANSWERS, json={"bulls": 0, "cows": 0})
    assert "none" not in "".join(
        record.message for record in caplog.records if record.name[:3] == "app"
    )


def test_every_kind_of_problem_has_an_address(client: TestClient):
    for kind in KINDS.values():
        content = client.get(PROBLEM_TYPES + kind.slug).json()
        assert content == {
            "type": PROBLEM_TYPES + kind.slug,
            "title": kind.title,
            "status": kind.status,
            "advice": kind.advice,
        }


@pytest.mark.parametrize("accept", ["text/html", "*/*", "text/html,application/json;q=0.9"])
def test_error_elsewhere_is_a_page(client: TestClient, accept: str):
    response = client.get("/no/such/page", headers={"Accept": accept})
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")
    assert BeautifulSoup(response.text, "html.parser").find("h1") is not None


def test_error_elsewhere_is_a_document_for_who_wants_json(client: TestClient):
    response = client.get("/no/such/page", headers={"Accept": "application/json"})
    assert_problem(response, 404, None)


def test_nothing_is_echoed_unescaped(client: TestClient):
    payload = "<script>alert(1)</script>"
    for path in (f"/{payload}", f"/play/{payload}/0", f"/play/small-mastermind/{payload}"):
        response = client.get(path)
        assert response.status_code in {404, 422}
        assert payload not in response.text


TREE = "/trees/small-bulls-cows"


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "status"),
    [("/none", 404), ("/trees/none", 404), (f"{TREE}/x", 422), (f"{TREE}/3.0", 409)],
)
def test_a_sentence_leads_and_the_number_comes_last(
    client: TestClient, prefix: str, path: str, status: int
):
    page = get(client, prefix + path, status)
    words = text(one(page, "main"))
    heading = text(one(page, "main h1"))
    assert words.startswith(heading)
    assert words.endswith(f"HTTP {status}")
    assert not re.search(r"\d", heading)
    title = text(one(page, "head > title"))
    assert title.startswith(heading.rstrip("."))
    assert str(status) not in title
    assert text(one(page, "#status")) == heading
    part = get(client, prefix + path, status, headers=HTMX)
    assert text(one(part, "title")) == title


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize(
    ("path", "way_on"),
    [
        (f"{TREE}/0.1-1.1-0.0", f"{TREE}/0.1-1.1"),
        (f"{TREE}/0.1-1.1-0.0-0.1", f"{TREE}/0.1-1.1"),
        (f"{TREE}/3.0", TREE),
        (f"{TREE}/3.0-0.1", TREE),
        ("/trees/small-mastermind/2.0-0.0", "/trees/small-mastermind"),
        (
            "/compare/small-bulls-cows/small-bulls-cows/0.1-1.1-0.0",
            "/compare/small-bulls-cows/small-bulls-cows/0.1-1.1",
        ),
        (
            "/compare/small-bulls-cows/small-bulls-cows/3.0-0.1",
            "/compare/small-bulls-cows/small-bulls-cows/3.0",
        ),
        ("/play/small-bulls-cows/0/3.0-0.1", "/play/small-bulls-cows/0/3.0"),
    ],
)
def test_answers_that_lead_nowhere_link_to_the_last_place_on_the_way(
    client: TestClient, prefix: str, path: str, way_on: str
):
    page = get(client, prefix + path, 409)
    assert one(page, "main .button.primary")["href"] == prefix + way_on
    assert client.get(prefix + way_on).status_code == 200
    assert not page.select("a.correction, .ledger"), "nobody has played this"


def test_unreachable_node_says_why(client: TestClient):
    said = text(one(get(client, f"{TREE}/0.1-1.1-0.0", 409), "main"))
    assert "No game of this tree has these answers." in said
    assert "At turn 3 small-bulls-cows guesses 304." in said
    assert "None of the 3 codes left gives “0.0”." in said


def test_node_behind_the_end_is_no_game_that_goes_on(client: TestClient):
    said = text(one(get(client, f"{TREE}/3.0", 409), "main"))
    assert "find the code 012 at turn 1" in said


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


@pytest.mark.parametrize("path", [f"{TREE}?secret=9", "/play/small-bulls-cows/0/0.1/none?secret=9"])
def test_a_code_that_is_none_has_one_status_everywhere(client: TestClient, path: str):
    page = get(client, path, 422)
    assert one(page, "#secret")["aria-invalid"] == "true"


@pytest.mark.parametrize("path", ["/match", "/ru/match", "/api/v1/daily/p4c10n/2026-11-21/results"])
def test_refused_method_names_those_of_all_functions_at_a_path(client: TestClient, path: str):
    response = client.delete(path, headers={"Accept": "application/json"})
    assert response.status_code == 405
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert response.json()["detail"] == "This address takes GET, HEAD and POST only."
