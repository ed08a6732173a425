"""Strategies are named by their strength; file names appear only in addresses."""

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


OLD, NEW = "front-p4c10n-26274-69", "pareto-p4c10n-26274-69"


@pytest.mark.parametrize(
    "path",
    ["/trees/{}", "/ru/trees/{}/0.1?depth=2", "/trees/{}.json", "/play/{}/k3/0.1-1.1"],
)
def test_page_under_an_old_name_redirects(shipped_client: TestClient, path: str):
    sent = shipped_client.get(path.format(OLD), follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (301, path.format(NEW))
    assert shipped_client.get(path.format(NEW)).status_code == 200


def test_moved_file_of_the_results_redirects(shipped_client: TestClient):
    sent = shipped_client.get("/results/front/26274-69.json", follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (301, "/results/pareto/26274-69.json")


def test_api_accepts_an_old_name(shipped_client: TestClient):
    assert shipped_client.get(f"/api/v1/trees/{OLD}").json()["name"] == NEW
    begun = shipped_client.post("/api/v1/sessions", json={"tree": OLD, "shuffle": False})
    assert begun.json()["id"].startswith(NEW)
    assert shipped_client.get("/trees/front-p4c10n-1-1", follow_redirects=True).status_code == 404
