"""Pages as a reader sees them: fetched, parsed, and taken apart by selectors."""

import re

from bs4 import BeautifulSoup, Tag
from fastapi.routing import iter_route_contexts
from httpx2 import Response
from starlette.testclient import TestClient

from bullscows_web.main import ROOMS

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
"""What htmx says when it wants the part of a page that changes."""

LEADING = {"/play", "/daily"}
"""What leads to a page."""
WITH_JOBS = "/status/jobs"
"""What is a page only where a list of jobs is shown."""


def open_pages() -> list[str]:
    """Return the pages of all rooms that anyone can open: nothing has to be filled in or set.

    They are those that the routes name, so what a test asks of each of them is asked of a new one.
    """
    whole = {path for path in _paths() if "{" not in path and "." not in path}
    return sorted(whole - LEADING - {WITH_JOBS})


def every_page() -> list[str]:
    """Return an address of every page but the start, `x` wherever a game or tree would stand."""
    return sorted({re.sub("{[^}]+}", "x", path) for path in _paths()} - {"/"})


def _paths() -> set[str]:
    routes = (route for room in ROOMS for route in iter_route_contexts(room.router.routes))
    return {str(route.path) for route in routes if "GET" in (route.methods or ())}


def parse(response: Response) -> BeautifulSoup:
    """Return the page of a response."""
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    return BeautifulSoup(response.text, "html.parser")


def get(
    client: TestClient, path: str, status: int = 200, headers: dict[str, str] | None = None
) -> BeautifulSoup:
    """Fetch a page that has to come with a status."""
    response = client.get(path, headers=headers or {})
    assert response.status_code == status
    return parse(response)


def one(page: BeautifulSoup | Tag, selector: str) -> Tag:
    """Return the only element that a selector finds."""
    found = page.select(selector)
    assert len(found) == 1, f"{len(found)} elements match {selector}"
    return found[0]


def text(element: Tag) -> str:
    """Return the words of an element, with single spaces."""
    return " ".join(element.get_text().split())
