"""A puzzle and a position in a frame of a page of another site, which gets no cookies."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

import pytest
from playwright.sync_api import Frame, Page, expect


class Blog(BaseHTTPRequestHandler):
    """Another site, whose pages frame the address that is their query."""

    def do_GET(self) -> None:
        """Answer with a page."""
        address = unquote(self.path.partition("?")[2])
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'<!doctype html><iframe src="{address}" height="640">'.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def framed(own_page: Page) -> Iterator[Callable[[str], Frame]]:
    """Open a page of another site with this address in a frame."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blog) as server:
        Thread(target=server.serve_forever, daemon=True).start()

        def open_frame(address: str) -> Frame:
            own_page.goto(f"http://localhost:{server.server_port}/?{address}")
            return own_page.frames[1]

        yield open_frame
        server.shutdown()


def test_puzzle_is_played_in_a_frame(own_page: Page, framed: Callable[[str], Frame], site: str):
    frame = framed(f"{site}/embed/daily")
    for key in "1234":
        frame.click(f'[data-key="{key}"]')
    frame.click(".enter [type=submit]:not([name])")
    expect(frame.locator("tr[data-guess='1234']")).to_be_visible()
    assert "/embed/guess/p4c10n/" in frame.url
    assert own_page.url.startswith("http://localhost:")
    assert own_page.context.cookies() == []
    with own_page.context.expect_page() as opened:
        frame.click(".game-head > a")
    assert opened.value.url == frame.url.replace("/embed", "")


def test_position_is_analysed_in_a_frame(own_page: Page, framed: Callable[[str], Frame], site: str):
    frame = framed(f"{site}/ru/embed/analyse/p4c10n?h=0123:0.1")
    frame.click("a[data-answer='0.2']")
    expect(frame.locator(".ledger tbody tr")).to_have_count(2)
    assert frame.url.startswith(f"{site}/ru/embed/analyse/p4c10n?h=0123:0.1-")
    with own_page.context.expect_page() as opened:
        frame.click(".kicker a")
    assert opened.value.url.startswith(f"{site}/ru/analyse/p4c10n?h=0123:0.1-")
