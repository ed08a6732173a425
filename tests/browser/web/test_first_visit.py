"""A first visit takes at most 8 requests and 70 kB on each kind of page.

Requests of the service worker do not count; it is blocked here.
"""

import pytest
from playwright.sync_api import Browser

from tests.support.visits import PHONE, visit

PATHS = (
    "/",
    "/guess/p4c10n/k3f9/0123",
    "/play/avg-bulls-cows/k3/0.2",
    "/duel",
    "/trees",
    "/trees/avg-bulls-cows",
    "/analyse/p4c10n?h=0123:0.1",
)
MORE = ("/statistics", "/results", "/about", "/preferences")
"""Pages with less on them, for the slow part."""
REQUESTS = 8
BYTES = 70_000
LAPTOP = {"width": 1280, "height": 800}


@pytest.mark.parametrize(
    ("path", "size"),
    [
        *((path, PHONE) for path in PATHS),
        ("/", LAPTOP),
        *(pytest.param(path, PHONE, marks=pytest.mark.slow) for path in MORE),
    ],
)
def test_first_visit_takes_few_requests_and_bytes(
    browser: Browser, site: str, path: str, size: dict[str, int]
):
    found = visit(browser, site + path, size)
    assert 4 < len(found.requests) <= REQUESTS, found.requests
    assert 40_000 < found.size <= BYTES
    assert found.shift < 0.01, "a font that comes late may move that much"


def test_duel_takes_few_requests(browser: Browser, site: str):
    found = visit(browser, f"{site}/duel/p4c10n/new")
    assert len([url for url in found.requests if "/static/" in url]) < REQUESTS
    assert found.size <= BYTES
