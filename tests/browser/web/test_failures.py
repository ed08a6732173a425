"""Failed requests: a message next to the control, the input kept, a button to try again."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit
from tests.support.browsers.axe import RULES, violations

PUZZLE = "/guess/p4c10n/k3f9"
BOARD = "/play/avg-bulls-cows/0"
EVERY = re.compile(".*")
LATE = 31_000
"""Milliseconds after which a request has timed out."""

Fail = Callable[[Route], None]


def refuse(route: Route) -> None:
    """Fail as if no server were running."""
    route.abort("connectionrefused")


def answer_as_a_proxy(route: Route) -> None:
    """Answer as a proxy whose server is down."""
    route.fulfill(status=502, content_type="text/html", body="<h1>502 Bad Gateway</h1>")


def guess(page: Page, text: str) -> None:
    page.locator("#guess").fill(text)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("failure", [refuse, answer_as_a_proxy])
def test_failed_guess_is_kept_and_sent_again_by_keyboard(own_page: Page, site: str, failure: Fail):
    page = own_page
    page.goto(site + PUZZLE)
    page.route(EVERY, failure)
    guess(page, "0123")
    message = page.locator(".ask .failure")
    expect(message).to_be_visible()
    words = str(message.locator("p").text_content())
    assert words.startswith("The server cannot")
    expect(page.locator("#status")).to_have_text(words)
    expect(page.locator("#guess")).to_have_value("0123")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert page.url == site + PUZZLE
    page.keyboard.press("Tab")
    expect(message.get_by_role("button", name="Try again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".failure")).to_have_count(1)
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    page.unroute(EVERY)
    page.keyboard.press("Enter")
    expect(page.locator("[data-guess='0123']")).to_be_visible()
    expect(page.locator(".failure")).to_have_count(0)
    expect(page).to_have_url(f"{site}{PUZZLE}/0123")


def test_message_about_an_answer_leaves_the_board_in_place(own_page: Page, site: str):
    page = own_page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(site + BOARD)
    page.route(EVERY, refuse)
    page.locator("[data-answer='0.1']").click()
    expect(page.locator(".answers + .failure")).to_be_in_viewport(ratio=1)
    for part in ("main", ".pad"):
        assert page.locator(part).evaluate("part => part.scrollTop") == 0, part


def test_request_without_an_answer_times_out(own_page: Page, site: str):
    page = own_page
    page.clock.install()
    page.goto(site + BOARD)
    page.route(EVERY, lambda _: None)
    with page.expect_request(f"{site}{BOARD}/0.1"):
        page.locator("[data-answer='0.1']").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(1)
    page.clock.fast_forward(LATE)
    expect(page.locator(".answers + .failure")).to_contain_text("took too long")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.unroute(EVERY)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    expect(page).to_have_url(f"{site}{BOARD}/0.1")


def test_failed_part_can_be_requested_again(own_page: Page, site: str):
    page = own_page
    tried = re.compile("guess=014")
    # A review that is not final yet asks again by itself, which would replace the form.
    page.route(re.compile("polls="), lambda route: route.fulfill(status=204))
    page.goto(f"{site}/review/p3c5n?h=012:1.1-031:3.0")
    page.locator("#turn-1 summary").click()
    page.locator("#try-1").fill("014")
    page.route(tried, refuse)
    page.locator("#turn-1 [type=submit]").click()
    button = page.locator("#turn-1 .failure button")
    expect(button).to_be_visible()
    page.unroute(tried)
    button.click()
    expect(page.locator("#turn-1 [data-tried='014']")).to_be_visible()
    expect(page.locator(".failure")).to_have_count(0)


def test_message_moves_to_the_control_that_failed_last(own_page: Page, site: str):
    page = own_page
    page.goto(f"{site}{PUZZLE}/0123")
    page.route(EVERY, refuse)
    guess(page, "4567")
    expect(page.locator(".ask .failure")).to_be_visible()
    page.locator(".undo a").click()
    expect(page.locator(".ledger + .failure")).to_be_visible()
    expect(page.locator(".failure")).to_have_count(1)


def test_guess_typed_offline_is_sent_when_the_browser_is_online(own_page: Page, site: str):
    page = own_page
    page.goto(site + PUZZLE)
    page.context.set_offline(True)
    guess(page, "0123")
    expect(page.locator(".failure")).to_contain_text("will be sent when you are online")
    page.context.set_offline(False)
    expect(page.locator("[data-guess='0123']")).to_be_visible()


def test_guess_that_was_changed_offline_is_not_sent_by_itself(own_page: Page, site: str):
    page = own_page
    page.goto(site + PUZZLE)
    page.context.set_offline(True)
    guess(page, "0123")
    expect(page.locator(".failure")).to_be_visible()
    page.locator("#guess").fill("4567")
    page.evaluate("addEventListener('online', () => { window.isOnline = true; })")
    page.context.set_offline(False)
    page.wait_for_function("() => window.isOnline")
    expect(page.locator("[aria-busy=true]:not(.notes)")).to_have_count(0)
    expect(page.locator("#guess")).to_have_value("4567")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-guess='4567']")).to_be_visible()


def test_message_is_accessible_and_fits(visit: Visit):
    page = visit(f"/ru{BOARD}", viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    page.route(EVERY, answer_as_a_proxy)
    page.locator("[data-answer='0.1']").click()
    expect(page.locator(".failure")).to_contain_text("Сервер сейчас не может ответить")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.unroute(EVERY)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page, RULES) == []
