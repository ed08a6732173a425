"""The head of the pages: one line in any window, and the ways to both games always in it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SMALL_WIDTHS, Visit

PLACES = ("/", "/guess", "/trees", "/analyse", "/statistics", "/about")


def prefixed(prefix: str, place: str) -> str:
    return f"{prefix}{place}" if prefix else place


def links(page: Page, region: str) -> set[str]:
    """Where the visible links of a region lead."""
    visible = page.locator(f"{region} a:visible")
    return set(visible.evaluate_all("links => links.map(e => e.getAttribute('href'))"))


def in_each_window(page: Page) -> Iterator[int]:
    """Show the page in windows of all widths; yield the width."""
    for width in (*SMALL_WIDTHS, 768, 1040, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        yield width


@pytest.mark.parametrize("path", ["/analyse", "/ru/analyse"])
def test_head_takes_one_line(visit: Visit, path: str):
    page = visit(path)
    for width in in_each_window(page):
        boxes = page.locator(".site-head a:visible").evaluate_all(
            "links => links.map(e => e.getBoundingClientRect()).map(b => [b.top, b.right])"
        )
        tops = [top for top, _ in boxes]
        assert len(tops) > 4, width
        assert max(tops) - min(tops) < 12, width
        assert max(right for _, right in boxes) <= width


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_both_games_are_in_the_head_and_all_places_on_the_page(visit: Visit, prefix: str):
    page = visit(f"{prefix}/analyse")
    games = {prefixed(prefix, "/"), prefixed(prefix, "/guess")}
    for width in in_each_window(page):
        assert games <= links(page, ".site-nav"), width
        assert {prefixed(prefix, place) for place in PLACES} <= links(page, "body"), width


@pytest.mark.parametrize("width", [320, 360, 640])
@pytest.mark.parametrize("name", ["/", "/guess"])
def test_both_games_are_reached_by_keyboard(visit: Visit, name: str, width: int):
    page = visit("/analyse", viewport={"width": width, "height": 640})
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate(
            "name => document.activeElement.matches(`.site-nav > a[href='${name}']`)", name
        ):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{name}")
    assert page.locator(".site-nav [aria-current]").get_attribute("href") == name


def test_words_of_a_link_stand_apart(visit: Visit):
    page = visit("/analyse", viewport={"width": 1280, "height": 640})
    apart = page.locator(".site-nav > a:has(span)").evaluate(
        """link => {
          const edges = (node, from, to) => {
            const range = document.createRange();
            range.setStart(node, from); range.setEnd(node, to);
            return range.getBoundingClientRect();
          };
          const [word, rest] = [link.firstChild, link.querySelector("span").firstChild];
          return edges(rest, 1, 2).left - edges(word, 0, word.length).right;
        }"""
    )
    assert apart > 2
