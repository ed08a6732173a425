"""The log as JSON lines: what each says, and what it never says."""

import json
import logging
import sys
from collections.abc import Iterator
from logging.config import DictConfigurator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bullscows_web.main import create_app
from bullscows_web.server.processes import FIELDS, JSON_LOGGING, REQUESTS, uvicorn_logging
from bullscows_web.server.settings import Settings


def line_of(record: logging.LogRecord) -> dict[str, object]:
    (formatter,) = JSON_LOGGING["formatters"].values()
    line = DictConfigurator({"formatters": {}}).configure_formatter(formatter.copy()).format(record)
    assert "\n" not in line
    found: dict[str, object] = json.loads(line)
    return found


@pytest.fixture
def asked(small_trees: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(
        "bullscows_web.main.configure_logging", lambda _: None
    )  # pytest's own stays
    settings = Settings(trees_dir=small_trees, log_format="json")
    with TestClient(create_app(settings), follow_redirects=False) as client:
        yield client


def test_each_request_has_a_line_that_says_nothing_of_the_visitor(
    asked: TestClient, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, REQUESTS)
    for path in ("/play/small-mastermind/0?secret=1234", "/nothing/secret", "/healthz"):
        asked.get(path, headers={"X-Forwarded-For": "203.0.113.7", "User-Agent": "secret"})
    records = [record for record in caplog.records if record.name == REQUESTS]
    lines = [line_of(record) for record in records]
    assert [(line["class"], line["route"], line["status"]) for line in lines] == [
        ("page", "/play/{tree}/{token}", 200),
        ("error", "none", 404),
        ("other", "/healthz", 200),
    ]
    for line in lines:
        assert set(line) == {"time", "level", "logger", "message", *FIELDS}
        assert isinstance(line["ms"], float)
        assert "secret" not in str(line)
        assert "203.0.113.7" not in str(line)


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


def test_text_is_what_uvicorn_writes():
    assert uvicorn_logging("text")["formatters"]["access"]
    assert uvicorn_logging("json")["root"]["handlers"] == ["lines"]
