"""The navigation, and the page "More", which leads to all pages."""

import pytest
from starlette.testclient import TestClient

from tests.support.pages import get, one, open_pages, text

each_language = pytest.mark.parametrize("prefix", ["", "/ru"])


@each_language
def test_every_place_is_alive(shipped_client: TestClient, prefix: str):
    page = get(shipped_client, f"{prefix}/more")
    links = {str(link["href"]) for link in page.select(".site-nav a, main a, .site-foot a")}
    assert len(links) > 10
    for link in links:
        assert shipped_client.get(link, follow_redirects=True).status_code == 200, link


def test_every_page_is_found_by_links(client: TestClient):
    """But the form's of any size, and the one that stands for others without a connection."""
    pages, found, left = set(open_pages()), set[str](), {"/"}
    while left:
        page = left.pop()
        found.add(page)
        links = {str(link["href"]) for link in get(client, page).select("a[href]")}
        left |= (links & pages) - found
    assert pages - found == {"/analyse/size", "/guess/size", "/duel/size", "/offline"}, (
        "no page links there: see /more"
    )


@each_language
@pytest.mark.parametrize("name", ["play", "trees", "compare", "statistics", "results", "about"])
def test_more_says_what_each_page_is_for(client: TestClient, prefix: str, name: str):
    page = get(client, f"{prefix}/more")
    link = one(page, f"main a[href='{prefix}/{name}']")
    assert len(text(one(link, "span")).split()) > 3, "says what is there"


@pytest.mark.parametrize(
    ("path", "current"),
    [
        ("/", "/"),
        ("/play", "/play"),
        ("/guess", "/guess"),
        ("/guess/p3c5n/k3f9", "/guess"),
        ("/guess/p3c5n/2026-11-21", "/daily"),
        ("/trees", "/more"),
        ("/about", "/more"),
        ("/more", "/more"),
    ],
)
def test_one_place_is_the_current_one(client: TestClient, path: str, current: str):
    page = get(client, path)
    assert one(page, ".site-head .site-nav [aria-current]")["href"] == current
