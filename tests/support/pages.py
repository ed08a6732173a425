"""Pages as a reader sees them: fetched, parsed, and taken apart by selectors."""

from bs4 import BeautifulSoup, Tag
from httpx2 import Response
from starlette.testclient import TestClient

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}
"""What htmx says when it wants the part of a page that changes."""


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
