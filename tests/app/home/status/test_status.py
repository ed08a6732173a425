"""The page of the server: what it says is so, now, and nobody keeps it."""

import asyncio
import platform
from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows import __version__
from bullscows.game.question import Question
from bullscows.tree.files import FORMAT
from bullscows_web.analyse.search.service import AnalysisService
from tests.support.pages import HTMX, get, one, text


def shown(page: BeautifulSoup) -> dict[str, str]:
    """The figures of the page by their names."""
    return {text(one(each, "dt")): text(one(each, "dd")) for each in page.select(".figures > div")}


def number(page: BeautifulSoup, name: str) -> float:
    return float(shown(page)[name].replace(",", ""))


def test_versions_and_trees_are_those_of_the_server(client: TestClient):
    figures = shown(get(client, "/status"))
    assert figures["This software"] == __version__
    assert figures["Format of tree files"] == FORMAT
    assert figures["Python"] == platform.python_version()
    assert (figures["Verified and played"], figures["Rejected"]) == ("2", "0")


def test_it_says_since_when(client: TestClient):
    lead = text(one(get(client, "/status"), ".lead"))
    days = (datetime.now(UTC) - timedelta(days=1), datetime.now(UTC))
    assert any(f"since {day:%B} {day.day}, {day.year}" in lead for day in days)


def test_requests_and_refusals_are_counted_on(client: TestClient):
    before = get(client, "/status")
    client.get("/about", headers={"Host": "elsewhere.example"})
    after = get(client, "/status")
    assert number(after, "Answered") == number(before, "Answered") + 2
    assert number(after, "Rejected or timed out") == number(before, "Rejected or timed out") + 1


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_status_is_not_cached(client: TestClient, headers: dict[str, str]):
    response = client.get("/ru/status", headers=headers)
    assert response.headers["cache-control"] == "no-store"
    assert "etag" not in response.headers
    again = client.get("/ru/status", headers=headers | {"If-None-Match": "*"})
    assert (again.status_code, bool(again.text)) == (200, True)


def test_searches_under_way_and_done_are_shown(proving: TestClient):
    service: AnalysisService = proving.app.state.analysis  # type: ignore[attr-defined]
    before = get(proving, "/status")
    with service._metrics.searching():
        assert number(get(proving, "/status"), "In progress") == number(before, "In progress") + 1
    library = proving.app.state.library  # type: ignore[attr-defined]
    question = Question.of("p3c8n", "076:0.0")  # no other test asks about it by any name
    asyncio.run(service.ask(lambda: service.analysis(library, question, 60.0)))
    after = get(proving, "/status")
    assert number(after, "In progress") == number(before, "In progress")
    assert number(after, "Ended without a proof") == number(before, "Ended without a proof") + 1
    assert number(after, "Proved") == number(before, "Proved") + 1
    assert number(after, "Seconds of search") >= number(before, "Seconds of search")
    assert number(after, "Positions stored") == service._analyst.kept > 0
    assert "This server searches positions." in after.get_text()


def test_server_without_a_search_says_so(guessing: TestClient):
    assert "until then a rule guesses" in get(guessing, "/status").get_text()


def test_about_leads_there_and_no_list_of_jobs_is_shown_unasked(client: TestClient):
    assert get(client, "/ru/about").select("main a[href='/ru/status']")
    assert not get(client, "/status").select("a[href='/status/jobs']")
    assert client.get("/status/jobs").status_code == 404
