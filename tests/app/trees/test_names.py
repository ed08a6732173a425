"""Strategies go by what they are good at; the names of their files stand in addresses only."""

import pytest
from starlette.testclient import TestClient

from tests.support.pages import get, one

TREE, OTHER = "avg-bulls-cows", "crush-bulls-cows"
PAGES = [
    "/",
    "/trees",
    f"/trees/{TREE}",
    f"/trees/{TREE}/0.1",
    f"/trees/{TREE}?secret=1234",
    "/statistics",
    "/statistics/columns",
    f"/statistics/{TREE}",
    "/compare",
    f"/compare/{TREE}/{OTHER}",
    f"/compare/{TREE}/avg-mastermind",
    f"/play/{TREE}/0/0.1",
    "/guess/p4c10n/k3f9/0123-4567-0456-4620",
    "/about",
]


@pytest.mark.parametrize("path", PAGES)
def test_page_shows_no_name_of_a_file(shipped_client: TestClient, path: str):
    page = get(shipped_client, path, 409 if path.endswith("avg-mastermind") else 200)
    for code in page.select("code, pre"):
        code.decompose()
    said = one(page, "main").get_text(" ") + one(page, "head title").get_text()
    assert TREE not in said
    assert OTHER not in said
