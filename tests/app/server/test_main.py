import gc
import hashlib
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from bullscows import __version__
from bullscows.cli.main import commands
from bullscows_web.main import create_app
from bullscows_web.server.http_server import FIELDS, REQUESTS, json_formatter
from bullscows_web.server.settings import Settings, data_folder
from tests.support.searching import IdleExecutor, ThreadExecutor

pytestmark = pytest.mark.large

PAGES = [
    *("/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/static/docs/docs.js"),
    *("/api/v1/trees", "/api/v1/trees/small-bulls-cows"),
    *("/api/v1/trees/small-bulls-cows/nodes?answers=0.1", "/api/v1/sessions/small-bulls-cows~0"),
    "/api/v1/problems/contradiction",
]


@pytest.mark.parametrize("path", PAGES)
def test_head_is_get_without_the_body(client: TestClient, path: str):
    got = client.get(path)
    head = client.head(path)
    assert got.status_code == head.status_code < 400
    assert head.content == b""
    volatile = {"date", "content-length"} if path == "/metrics" else {"date"}
    kept, same = (set(it.headers.items()) for it in (head, got))
    assert {name for name, _ in kept ^ same} <= volatile


@pytest.mark.parametrize("path", PAGES)
def test_allow_header_lists_the_allowed_methods(client: TestClient, path: str):
    response = client.delete(path)
    assert response.status_code == 405
    assert "GET" in [item.strip() for item in response.headers["allow"].split(",")]


def test_head_where_there_is_only_post_is_not_allowed(client: TestClient):
    response = client.head("/api/v1/sessions")
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


def test_the_bill_of_materials_lists_every_vendored_file_with_its_hash():
    folder = data_folder("static") / "vendor"
    bill = json.loads((folder / "vendor.cdx.json").read_text())
    listed = [file for part in bill["components"] for file in part["components"]]
    hashes = {file["name"]: file["hashes"][0]["content"] for file in listed}
    assert hashes == {
        f"static/vendor/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name != "vendor.cdx.json"
    }


def test_docs_page_loads_nothing_from_elsewhere(client: TestClient):
    text = client.get("/docs").text
    assert "http:" not in text
    assert "https:" not in text
    assert "<script>" not in text


def test_api_is_described_by_valid_openapi(client: TestClient):
    from openapi_spec_validator import validate  # builds a grammar, for seconds

    document = client.get("/openapi.json").json()
    validate(document)
    assert document["info"]["version"] == __version__
    assert document["info"]["license"]["identifier"] == "MIT"


def test_every_operation_is_described_in_full(client: TestClient):
    document = client.get("/openapi.json").json()
    names = {tag["name"] for tag in document["tags"]}
    seen = set()
    for path, item in document["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in item.values():
            assert operation["summary"]
            assert operation["description"]
            assert set(operation["tags"]) <= names
            seen.add(operation["operationId"])
            for status, response in operation["responses"].items():
                kind = "application/json" if status < "4" else "application/problem+json"
                assert list(response["content"]) == [kind]
    assert seen == {
        *("listTrees", "getTree", "getNode", "createSession", "getSession", "answerSession"),
        *("findGuess", "findGuesses", "compareCodes", "listDailyPuzzles", "getDailyPuzzle"),
        *("guessDailyPuzzle", "getProblemType", "createMatch", "joinMatch", "getMatch"),
        *("guessMatch", "resignMatch", "rematchMatch", "getDailyResults", "countDailyResult"),
    }


def test_health_pages(client: TestClient):
    assert client.get("/healthz").json() == {"status": "ok"}
    ready = client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["trees"] == ["small-bulls-cows", "small-mastermind"]


def test_server_without_trees_starts_and_is_not_ready(tmp_path: Path):
    with TestClient(create_app(Settings(trees_dir=tmp_path), IdleExecutor())) as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 503
        assert client.get("/api/v1/trees").json()["trees"] == []


def test_metrics_are_shown_only_if_asked_for(small_trees: Path):
    with TestClient(create_app(Settings(trees_dir=small_trees), IdleExecutor())) as client:
        assert client.get("/metrics").status_code == 404


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("BULLSCOWS_TREES_DIR", str(tmp_path))
    monkeypatch.setenv("BULLSCOWS_BEHIND_TLS", "true")
    settings = Settings()
    assert (settings.trees_dir, settings.behind_tls) == (tmp_path, True)
    assert create_app().state.settings == settings


def test_without_settings_only_this_machine_is_answered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BULLSCOWS_ALLOWED_HOSTS")
    settings = Settings()
    assert settings.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")
    assert not settings.metrics


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("ALLOWED_HOSTS", " , "), ("METRICS", "perhaps"), ("SEARCH_TIMEOUT", "soon")),
        *(("SEARCH_PROCESSES", "0"), ("SECRET_KEY", "too short")),
    ],
)
def test_settings_that_cannot_be_are_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
):
    monkeypatch.setenv(f"BULLSCOWS_{name}", value)
    result = CliRunner().invoke(commands, ["serve"])
    assert result.exit_code == 2
    assert f"BULLSCOWS_{name}:" in result.stderr
    assert "too short" not in result.stderr


def line_of(record: logging.LogRecord) -> dict[str, object]:
    line = json_formatter().format(record)
    assert "\n" not in line
    found: dict[str, object] = json.loads(line)
    return found


@pytest.fixture
def as_json(small_trees: Path) -> Iterator[Settings]:
    """Settings whose log handlers are gone after the test."""
    root = logging.getLogger()
    before = list(root.handlers)
    yield Settings(trees_dir=small_trees, log_format="json")
    root.handlers[:] = before


@pytest.fixture
def asked(as_json: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(as_json, IdleExecutor()), follow_redirects=False) as client:
        yield client


def test_each_request_has_a_line_that_says_nothing_of_the_visitor(
    asked: TestClient, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, REQUESTS)
    for path in ("/play/small-mastermind/0?secret=1234", "/nothing/secret", "/healthz"):
        asked.get(path, headers={"X-Forwarded-For": "203.0.113.7", "User-Agent": "secret"})
    records = [record for record in caplog.records if record.name == REQUESTS]
    lines = [line_of(record) for record in records]
    said = [(line["class"], line["route"], line["status"]) for line in lines]
    page = ("page", "/play/{tree}/{token}", 200)
    assert said == [page, ("error", "none", 404), ("other", "/healthz", 200)]
    for line in lines:
        assert set(line) == {"time", "level", "logger", "message", *FIELDS}
        assert isinstance(line["ms"], float)
        assert "secret" not in str(line)
        assert "203.0.113.7" not in str(line)


def test_json_lines_come_once_beside_those_of_handlers_that_the_process_has(
    as_json: Settings, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    create_app(as_json)
    TestClient(create_app(as_json)).get("/healthz")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["route"] for line in lines if line["logger"] == REQUESTS] == ["/healthz"]
    assert REQUESTS in [record.name for record in caplog.records]


def test_nothing_is_written_on_requests_where_the_log_is_text(
    client: TestClient, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, REQUESTS)
    client.get("/healthz")
    assert [record for record in caplog.records if record.name == REQUESTS] == []


def test_error_is_one_line_with_its_traceback():
    try:
        raise ZeroDivisionError("of\nlines")
    except ZeroDivisionError:
        record = logging.LogRecord("app", logging.ERROR, "", 0, "%s", ("a\nb",), sys.exc_info())
    line = line_of(record)
    assert (line["level"], line["message"]) == ("ERROR", "a\nb")
    assert "ZeroDivisionError: of\nlines" in str(line["exception"])
    assert str(line["time"]).endswith("+00:00")


def test_objects_of_a_running_server_are_not_collected_again(small_trees: Path):
    gc.unfreeze()
    with TestClient(create_app(Settings(trees_dir=small_trees), ThreadExecutor(small_trees))):
        assert gc.get_freeze_count() > 10_000
    assert gc.get_freeze_count() == 0
