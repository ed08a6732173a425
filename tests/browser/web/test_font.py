"""The type of headings: there, with figures of one width, and nothing moves when it comes."""

import time

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import Visit

MOVED = """() => new Promise(resolve => {
  let moved = 0;
  new PerformanceObserver(list => { for (const entry of list.getEntries()) moved += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(moved), 200);
})"""


def late(route: Route) -> None:
    """Let the font come when the page is drawn already."""
    time.sleep(0.3)
    route.continue_()


@pytest.mark.parametrize("prefix", ["", "/ru"])
@pytest.mark.parametrize("path", ["/", "/guess", "/trees", "/play/avg-bulls-cows/0"])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_when_the_font_comes(visit: Visit, prefix: str, path: str, width: int):
    page = visit("/about", viewport={"width": width, "height": 740})
    page.route("**/*.woff2", late)
    page.goto(page.url.removesuffix("/about") + prefix + path)
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('700 16px Onest')")
    assert page.evaluate(MOVED) < 0.005


def test_figures_have_one_width(visit: Visit):
    page = visit("/play/avg-bulls-cows/0")
    width = """digit => {
      const span = document.createElement("span");
      span.textContent = digit;
      document.querySelector(".guess-code .digits").append(span);
      return span.getBoundingClientRect().width;
    }"""
    page.evaluate("document.fonts.ready")
    assert len({round(page.evaluate(width, digit), 1) for digit in "0123456789"}) == 1
