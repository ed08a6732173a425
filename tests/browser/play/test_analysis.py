"""The analysis in a browser: once open it stays open, with and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.support.playing import SMALL_PHONE, answer, expect_turns, overflow

GAME = "/play/avg-bulls-cows/k3/0.2"


def is_open(page: Page) -> None:
    expect(page.locator("#analysis.open .split tbody tr").first).to_be_visible()


def test_analysis_stays_open_for_the_next_turn_and_a_reload(visit: Visit):
    page = visit(GAME)
    page.evaluate("window.untouched = true")
    page.locator("#analysis-toggle").click()
    is_open(page)
    answer(page, "1.1")
    is_open(page)
    assert page.evaluate("window.untouched"), "all of it without loading a page"
    page.reload()
    is_open(page)
    page.go_back()
    expect_turns(page, 1)
    is_open(page)
    page.locator("[popovertarget=menu]").click()
    page.locator("#menu a").first.click()
    page.wait_for_url("**/play/avg-bulls-cows/*?analysis=open")
    is_open(page)


def test_closed_analysis_stays_closed(visit: Visit):
    page = visit(f"{GAME}?analysis=open")
    page.locator("#analysis-toggle").click()
    page.wait_for_url(f"**{GAME}")
    expect(page.locator("#analysis.open")).to_have_count(0)
    answer(page, "1.1")
    expect(page.locator("#analysis.open")).to_have_count(0)


def test_analysis_by_keyboard_keeps_the_focus(visit: Visit):
    page = visit(GAME)
    page.locator("#analysis-toggle").focus()
    page.keyboard.press("Enter")
    is_open(page)
    expect(page.locator("#analysis-toggle")).to_be_focused()
    page.wait_for_url("**?analysis=open")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{GAME}")
    expect(page.locator("#analysis-toggle")).to_be_focused()


def test_analysis_stays_open_without_javascript(visit: Visit):
    page = visit(GAME, java_script_enabled=False)
    page.locator("#analysis-toggle").click()
    is_open(page)
    answer(page, "1.1")
    is_open(page)
    page.locator(".undo a").last.click()
    is_open(page)
    page.locator(".analysis-close").click()
    answer(page, "1.1")
    expect(page.locator("#analysis.open")).to_have_count(0)


def test_all_candidates_are_shown_in_place(visit: Visit):
    page = visit(f"{GAME}?analysis=open")
    page.evaluate("window.untouched = true")
    page.locator("#analysis-all").click()
    expect(page.locator(".all-codes")).to_be_visible()
    assert len(page.locator(".all-codes").inner_text().split()) == 1260
    expect(page.locator(".all-codes")).to_be_focused()
    assert page.evaluate("window.untouched")


@pytest.mark.parametrize("path", [GAME, "/play/avg-mastermind/5x/0.1"])
def test_analysis_fits_the_smallest_phone(visit: Visit, path: str):
    page = visit(f"/ru{path}?analysis=open", **SMALL_PHONE)
    is_open(page)
    assert overflow(page) <= 0
    box = page.locator("#analysis-toggle").bounding_box()
    assert box is not None
    assert box["height"] >= 44
