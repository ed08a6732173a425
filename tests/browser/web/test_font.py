"""The font of headings: loaded, with digits of one width, and without a layout shift."""

import time

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import BLANK, Visit

MOVED = """() => new Promise(resolve => {
  let moved = 0;
  new PerformanceObserver(list => { for (const entry of list.getEntries()) moved += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(moved), 200);
})"""


def late(route: Route) -> None:
    """Deliver the font after the page is drawn."""
    time.sleep(0.3)
    route.continue_()


@pytest.mark.parametrize(
    ("width", "path"),
    [
        *((360, f"/ru{path}") for path in ("/", "/guess", "/trees", "/play/avg-bulls-cows/0")),
        (1280, "/play/avg-bulls-cows/0"),
    ],
)
def test_nothing_moves_when_the_font_arrives(visit: Visit, width: int, path: str):
    page = visit(BLANK, viewport={"width": width, "height": 740})
    page.route("**/*.woff2", late)
    page.goto(page.url.removesuffix(BLANK) + path)
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('700 16px Onest')")
    assert page.evaluate(MOVED) < 0.005


def test_digits_have_one_width(visit: Visit):
    page = visit("/play/avg-bulls-cows/0")
    width = """digit => {
      const span = document.createElement("span");
      span.textContent = digit;
      document.querySelector("h1 .slot").append(span);
      return span.getBoundingClientRect().width;
    }"""
    page.evaluate("document.fonts.ready")
    assert len({round(page.evaluate(width, digit), 1) for digit in "0123456789"}) == 1
