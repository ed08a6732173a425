"""The page of the server's own state."""

import platform

import pytest
from bs4 import BeautifulSoup
from starlette.testclient import TestClient

from bullscows import __version__
from bullscows.tree.files import FORMAT
from tests.support.pages import HTMX, get, one, text
from tests.support.servers.serving import wait_until


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


def test_requests_and_refusals_are_counted_on(client: TestClient):
    before = get(client, "/status")
    client.get("/about?" + "x" * 5000)
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


def test_searches_are_counted_by_their_end(proving: TestClient):
    before = get(proving, "/status")
    proving.get("/api/v1/trees")
    question = {"rules": "p3c8n", "turns": [{"guess": "076", "bulls": 0, "cows": 0}]}
    assert proving.post("/api/v1/guess", json=question).status_code == 200  # asked by no other test
    after = get(proving, "/status")
    assert number(after, "In progress") == 0
    assert number(after, "Ended without a proof") == number(before, "Ended without a proof")
    assert number(after, "Proved") == number(before, "Proved") + 1
    assert number(after, "Seconds of search") >= number(before, "Seconds of search")
    assert "This server searches positions." in after.get_text()


def test_server_without_a_search_says_so(client: TestClient):
    wait_until(lambda: "The search is starting" not in get(client, "/status").get_text())
    assert "a rule guesses" in get(client, "/status").get_text()
