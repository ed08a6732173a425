"""Duels as visitors play them: won on the lowest level, by keyboard, without scripts."""

import itertools
import random

import pytest
from playwright.sync_api import Page, expect

from engine.game.rules import Rules
from tests.browser.conftest import Visit
from tests.browser.play.test_games import PHONE
from tests.support.drivers.axe import violations

BULLS_COWS = Rules.parse("p4c10n")


def answer(page: Page, mine: str) -> None:
    """Click the true answer to the computer's guess."""
    asked = str(page.locator("[data-guess].guess-code").get_attribute("data-guess"))
    told = BULLS_COWS.answers[
        BULLS_COWS.respond(BULLS_COWS.parse_code(asked), BULLS_COWS.parse_code(mine))
    ]
    page.locator(f"a.cell[data-answer='{told}']").click()
    expect(page.locator(f"[data-guess='{asked}'].guess-code")).to_have_count(0)


def play(page: Page, mine: str, guess: object) -> str:
    """Play to the end; `guess` makes the visitor's guesses."""
    for _ in range(40):
        result = page.locator(".duel-result")
        if result.count():
            return str(result.get_attribute("data-result"))
        if page.locator("form.fill").count():
            before = page.locator("[aria-labelledby=mine] tr[data-guess]").count()
            guess(page)  # type: ignore[operator]
            expect(page.locator("[aria-labelledby=mine] tr[data-guess]")).to_have_count(before + 1)
        else:
            answer(page, mine)
    raise AssertionError("a duel has an end")


def take_what_fits(page: Page) -> None:
    """Do what the page of the easy levels offers, without thinking."""
    page.locator(".duel-tip a").click()


def type_what_fits(page: Page) -> None:
    code = page.locator(".duel-tip .unseen").first.inner_text().replace(" ", "")
    page.locator("#guess").focus()
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_beginner_wins_on_the_lowest_level_by_what_the_page_offers(visit: Visit):
    """Who clicks what is offered, and answers truly, wins most duels, and the first few soon."""
    drawn, results = random.Random(1), []
    for _ in range(5):
        page = visit("/duel", **PHONE)
        page.locator("a.primary[href='/duel/p4c10n/new']").click()
        page.wait_for_url("**/duel/p4c10n/**")
        mine = BULLS_COWS.text(drawn.randrange(BULLS_COWS.size))
        results.append(play(page, mine, take_what_fits))
        if results[-1] == "won":
            break
    assert results[-1] == "won", results
    expect(page.locator(".duel-result")).to_contain_text("You won!")


def test_duel_by_keyboard_keeps_the_focus_in_the_content(visit: Visit):
    page = visit("/duel/p4c10n/new?begins=computer")
    answer(page, "5079")
    type_what_fits(page)
    expect(page.locator("h1")).to_be_focused()
    assert play(page, "5079", type_what_fits) in {"won", "drawn", "lost"}


def test_duel_without_javascript(visit: Visit):
    page = visit("/duel/p4c10n/new?level=champion", java_script_enabled=False)
    page.locator("#guess").fill("0123")
    page.locator("form.fill .primary").click()
    answer(page, "5079")
    expect(page.locator("[aria-labelledby=theirs] tr[data-guess]")).to_have_count(1)


LOOKS = list(itertools.product((320, 1280), ("light", "dark"), ("/ru", "")))
FIRST_LOOKS = (LOOKS[0], LOOKS[-1])
"""Each width, scheme and language once; the others are in the slow part."""


@pytest.mark.parametrize(
    ("width", "color_scheme", "prefix"),
    [pytest.param(*look, marks=[] if look in FIRST_LOOKS else pytest.mark.slow) for look in LOOKS],
)
def test_pages_of_the_duel_are_accessible_and_fit(
    visit: Visit, width: int, color_scheme: str, prefix: str
):
    paths = ("/duel", "/duel/p4c6r", "/duel/p4c10n/new", "/duel/friend/p4c10n", "/duel/dodge/p4c6r")
    page = visit(
        prefix + paths[0],
        color_scheme=color_scheme,
        viewport={"width": width, "height": 800},
        reduced_motion="reduce",
    )
    for path in paths:
        page.goto(page.url.split(f"{prefix}/duel")[0] + prefix + path)
        check(page)
    page.goto(page.url.split(f"{prefix}/duel")[0] + prefix + "/duel/p4c10n/new?begins=computer")
    page.locator("a.cell[data-answer='0.1']").click()
    expect(page.locator("form.fill")).to_be_visible()
    take_what_fits(page)
    expect(page.locator(".doubt a")).to_be_visible()
    check(page)
    page.locator(".doubt a").click()
    expect(page.locator(".doubt")).to_have_count(0)
    check(page)


def check(page: Page) -> None:
    """No complaint of axe, and nothing wider than the window."""
    assert violations(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide, page.url
