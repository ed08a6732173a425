"""Pages fetched, parsed and queried by selectors."""

import re

from bs4 import BeautifulSoup, Tag
from fastapi.routing import iter_route_contexts
from httpx2 import Response
from starlette.testclient import TestClient

from bullscows_web.main import PAGES
from bullscows_web.web.frame import EMBED

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
"""Headers of a request by htmx for part of a page."""


def open_pages() -> list[str]:
    """Return every page of the routes that needs no parameters, except those for frames."""
    whole = {path for path in _paths() if "{" not in path and "." not in path}
    whole = {path for path in whole if not path.startswith(EMBED)}
    return sorted(whole)


def every_page() -> list[str]:
    """Return a path of every page except the start, with `x` for each parameter.

    Former addresses (`{rest:path}`) are redirects, with or without a slash at the end.
    """
    pages = {path for path in _paths() if ":path}" not in path}
    return sorted({re.sub("{[^}]+}", "x", path) for path in pages} - {"/"})


def _paths() -> set[str]:
    routes = (route for router in PAGES for route in iter_route_contexts(router.routes))
    return {str(route.path) for route in routes if "GET" in (route.methods or ())}


def parse(response: Response) -> BeautifulSoup:
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    return BeautifulSoup(response.text, "html.parser")


def get(
    client: TestClient, path: str, status: int = 200, headers: dict[str, str] | None = None
) -> BeautifulSoup:
    response = client.get(path, headers=headers or {})
    assert response.status_code == status
    return parse(response)


def one(page: BeautifulSoup | Tag, selector: str) -> Tag:
    found = page.select(selector)
    assert len(found) == 1, f"{len(found)} elements match {selector}"
    return found[0]


def text(element: Tag) -> str:
    """Return the words of an element, with single spaces."""
    return " ".join(element.get_text().split())
