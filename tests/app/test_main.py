import hashlib
import json
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import cast

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from bullscows import __version__
from bullscows.cli.main import commands
from bullscows_web import main
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.main import create_app, give_way
from bullscows_web.server.settings import Settings, data_folder

PAGES = [
    *("/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/static/docs/docs.js"),
    *("/api/v1/trees", "/api/v1/trees/small-bulls-cows"),
    *("/api/v1/trees/small-bulls-cows/nodes?answers=0.1", "/api/v1/sessions/small-bulls-cows~0"),
    "/api/v1/problems/contradiction",
]


@pytest.mark.parametrize("path", PAGES)
def test_head_is_get_without_the_body(client: TestClient, path: str):
    got, head = client.get(path), client.head(path)
    assert got.status_code == head.status_code < 400
    assert head.content == b""
    volatile = {"date", "content-length"} if path == "/metrics" else {"date"}
    assert {k: v for k, v in head.headers.items() if k not in volatile} == {
        k: v for k, v in got.headers.items() if k not in volatile
    }


@pytest.mark.parametrize("path", PAGES)
def test_allow_header_lists_the_allowed_methods(client: TestClient, path: str):
    response = client.delete(path)
    assert response.status_code == 405
    assert {"GET", "HEAD"} <= {item.strip() for item in response.headers["allow"].split(",")}


def test_head_where_there_is_only_post_is_not_allowed(client: TestClient):
    response = client.head("/api/v1/sessions")
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


def test_long_answers_are_compressed_on_request(client: TestClient):
    path = "/api/v1/trees/small-bulls-cows/nodes"
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    packed = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    for response in (plain, packed):
        assert "Accept-Encoding" in response.headers["vary"]
    assert plain.json() == packed.json()


def test_files_with_a_version_are_kept_for_a_year(client: TestClient):
    versioned = client.get("/static/vendor/swagger-ui-5.35.0.min.css")
    assert versioned.headers["cache-control"] == "public, max-age=31536000, immutable"
    other = client.get("/static/docs/docs.js")
    assert other.headers["cache-control"] == "no-cache"
    again = client.get("/static/docs/docs.js", headers={"If-None-Match": other.headers["etag"]})
    assert again.status_code == 304


def test_the_bill_of_materials_lists_every_vendored_file_with_its_hash():
    folder = data_folder("static") / "vendor"
    bill = json.loads((folder / "vendor.cdx.json").read_text())
    listed = {
        file["name"].removeprefix("static/vendor/"): file["hashes"][0]["content"]
        for part in bill["components"]
        for file in part["components"]
    }
    assert listed == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
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
    with TestClient(create_app(Settings(trees_dir=tmp_path))) as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 503
        assert client.get("/api/v1/trees").json()["trees"] == []


# -- metrics -----------------------------------------------------------------------------------


def test_metrics_are_shown_only_if_asked_for(small_trees: Path):
    with TestClient(create_app(Settings(trees_dir=small_trees))) as client:
        assert client.get("/metrics").status_code == 404


# -- settings ----------------------------------------------------------------------------------


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


def test_without_settings_the_known_games_are_solved_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BULLSCOWS_PRESOLVE")
    assert Settings().presolve == ("p4c6r", "p4c10n")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLOWED_HOSTS", " , "),
        ("METRICS", "perhaps"),
        ("SEARCH_TIMEOUT", "soon"),
        ("PRESOLVE", "p4c10n, p9c9x"),
        ("PRESOLVE", "p6c10n"),
    ],
)
def test_settings_that_cannot_be_are_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
):
    monkeypatch.setenv(f"BULLSCOWS_{name}", value)
    result = CliRunner().invoke(commands, ["serve"])
    assert result.exit_code == 2
    assert f"BULLSCOWS_{name}:" in result.stderr


def test_data_folders_of_the_checkout_are_found():
    for name in ("static", "templates"):
        assert data_folder(name).is_dir()


def test_pages_are_prepared_while_no_analysis_runs(monkeypatch: pytest.MonkeyPatch):
    """But not never: part by part after a while, and at the end at once."""
    waits: list[float] = []
    asked, idle = (
        cast(AnalysisService, SimpleNamespace(is_asked=asked)) for asked in (True, False)
    )
    ended = cast(Event, SimpleNamespace(wait=waits.append))
    give_way(idle, ended)
    assert not waits
    monkeypatch.setattr(main, "GIVEN_WAY", 0.05)
    give_way(asked, ended)
    assert waits
    monkeypatch.setattr(main, "GIVEN_WAY", 3600.0)
    over = Event()
    over.set()
    give_way(asked, over)
