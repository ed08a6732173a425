"""The site navigation: in the head of wide windows, in tabs at the bottom of phones."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SMALL_WIDTHS, Visit
from tests.support.browsers.playing import press_until

PLACES = ("/play", "/guess", "/daily", "/duel", "/match", "/analyse", "/more")
TABS = ("/", "/daily", "/analyse", "/more")
REFERENCE = ("/trees", "/statistics", "/results", "/about", "/preferences", "/privacy")
"""Pages that the footer links to."""
PHONE = 768
"""The widest window that has tabs."""
NARROW = 1056
"""The widest window without room for the trees, which the footer names."""


def links(page: Page, region: str) -> set[str]:
    """Return the targets of the visible links of a region."""
    visible = page.locator(f"{region} a:visible")
    return set(visible.evaluate_all("links => links.map(e => e.getAttribute('href'))"))


def in_each_window(page: Page) -> Iterator[int]:
    for width in (*SMALL_WIDTHS, 768, 770, 914, 1040, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        yield width


def boxes(page: Page, region: str) -> list[dict[str, float]]:
    found = page.locator(f"{region} a:visible").evaluate_all(
        "links => links.map(e => e.getBoundingClientRect().toJSON())"
    )
    return list(found)


def is_one_line(links: list[dict[str, float]], width: int) -> bool:
    tops = [box["top"] for box in links]
    return max(tops) - min(tops) < 12 and max(box["right"] for box in links) <= width


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_navigation_is_one_line_at_any_width_and_tabs_at_the_bottom_of_phones(
    visit: Visit, prefix: str
):
    page = visit(f"{prefix}/analyse")
    shown, tabs, foot = ({prefix + place for place in some} for some in (PLACES, TABS, REFERENCE))
    for width in in_each_window(page):
        head = boxes(page, ".site-head")
        nav = boxes(page, ".site-nav")
        assert is_one_line([box for box in head if width > PHONE or box not in nav], width), width
        assert is_one_line(nav, width), width
        if width <= PHONE:
            assert links(page, ".site-nav") == tabs
            assert all(640 - box["bottom"] < 2 for box in nav), width
            assert all(box["width"] >= 44 <= box["height"] for box in nav), width
        else:
            trees = {f"{prefix}/trees"} if width > NARROW else set()
            assert links(page, ".site-nav") == shown | trees
            assert nav[0]["bottom"] < 100, width
        assert foot <= links(page, ".site-foot"), width


@pytest.mark.parametrize("path", ["/", "/analyse/p4c10n", "/guess", "/about"])
def test_tabs_cover_neither_the_focus_nor_the_end(visit: Visit, path: str):
    page = visit(path, viewport={"width": 360, "height": 640})
    top = boxes(page, ".site-nav")[0]["top"]
    links = page.locator("main :is(a, button, summary, input):visible, .site-foot a")
    held = links.evaluate_all(
        "all => all.map(e => { e.focus(); return e.getBoundingClientRect().toJSON(); })"
    )
    assert len(held) > 3
    for number, box in enumerate(held):
        assert box["bottom"] <= top or box["height"] > top, number
    page.keyboard.press("End")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert boxes(page, ".site-foot")[-1]["bottom"] <= top


def test_navigation_is_used_by_keyboard(visit: Visit):
    page = visit("/analyse", viewport={"width": 640, "height": 640})
    press_until(page, "Tab", ".site-nav > a[href='/more']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/more")
    assert page.locator(".site-nav [aria-current]").get_attribute("href") == "/more"


@pytest.mark.parametrize("width", [360, 1280])
def test_menu_of_a_game_marks_only_the_current_place(visit: Visit, width: int):
    page = visit("/play/avg-bulls-cows/0", viewport={"width": width, "height": 640})
    page.locator("[popovertarget=menu]").click()
    places = page.locator("#menu .site-nav a")
    looks = places.evaluate_all(
        """links => links.map((link) => [link.getAttribute("href"), link.matches("[aria-current]"),
          getComputedStyle(link).color, getComputedStyle(link, "::before").content])"""
    )
    assert {path for path, *_ in looks} == {"/", "/trees", *PLACES}
    assert [path for path, is_current, *_ in looks if is_current] == ["/play"]
    assert len({color for *_, color, _ in looks}) == 1
    assert {content for *_, content in looks} == {"none"}, "no bar"
    words = page.locator("#menu :is(.menu-item, .site-nav span)").evaluate_all(
        """items => items.map((item) => {
          const text = document.createRange();
          text.selectNodeContents(item);
          return text.getBoundingClientRect().left;
        })"""
    )
    assert max(words) - min(words) < 1
