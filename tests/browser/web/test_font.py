"""The type of headings: there, with figures of one width, and nothing moves when it comes."""

import itertools
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
    """Let the font come when the page is drawn already."""
    time.sleep(0.3)
    route.continue_()


PATHS = ("/", "/guess", "/trees", "/play/avg-bulls-cows/0")
VISITS = list(itertools.product((360, 1280), ("/ru", ""), PATHS))
FIRST_VISITS = (*VISITS[: len(PATHS)], VISITS[-1])
"""Each page on a phone in Russian, whose words break most, and one as large as can be."""


@pytest.mark.parametrize(
    ("width", "prefix", "path"),
    [
        pytest.param(*visit, marks=[] if visit in FIRST_VISITS else pytest.mark.slow)
        for visit in VISITS
    ],
)
def test_nothing_moves_when_the_font_comes(visit: Visit, width: int, prefix: str, path: str):
    page = visit(BLANK, viewport={"width": width, "height": 740})
    page.route("**/*.woff2", late)
    page.goto(page.url.removesuffix(BLANK) + prefix + path)
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
