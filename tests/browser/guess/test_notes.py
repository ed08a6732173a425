"""Notes of the player on digits: made by touch, mouse and keyboard, and kept for the game."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.support.drivers.axe import violations
from tests.support.playing import SMALL_PHONE, guess

BULLS_COWS = "/guess/p4c10n/k3f9"  # 4620


def noted(page: Page) -> dict[str, str]:
    """The notes on the keys."""
    found: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.key:has([data-note])')]"
        ".map((key) => [key.dataset.key, key.querySelector('[data-note]').dataset.note]))"
    )
    return found


def test_notes_are_kept_across_turns_and_visits_until_the_game_is_over(visit: Visit):
    page = visit(BULLS_COWS, **SMALL_PHONE)
    guess(page, "0123")
    key, tile = page.locator(".key[data-key='7']"), page.locator("tr[data-guess='0123'] .slot")
    expect(page.locator(".notes")).not_to_have_attribute("hidden", "")
    key.click(button="right")
    expect(key).to_have_accessible_name("7 (excluded)")
    tile.nth(1).click()
    tile.nth(1).click()
    expect(page.locator("#status")).to_have_text("1: certain")
    assert noted(page) == {"7": "out", "1": "in"}
    assert violations(page) == []
    guess(page, "4567")
    expect(page.locator("tr[data-guess='4567'] [data-note=out]")).to_have_text("7")
    page.reload()
    expect(tile.nth(1).locator("[data-note=in]")).to_have_count(1)
    guess(page, "4620")
    expect(page.locator("[data-secret]")).to_have_count(1)
    page.goto(page.url.partition("/guess/")[0] + BULLS_COWS + "?help=k")
    page.locator(".aids summary").click()
    expect(page.locator(".notes")).to_be_visible()
    assert noted(page) == {}


def test_notes_by_keyboard(visit: Visit):
    page = visit(BULLS_COWS)
    page.locator(".aids summary").press("Enter")
    button = page.locator("[data-notes=on]")
    expect(button).to_be_visible()  # the first key loads the script, which shows the notes
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("33577777")
    assert noted(page) == {"3": "in", "5": "out", "7": "out"}, "five presses are one"
    expect(page.locator("#guess")).to_have_value("")
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.keyboard.type("4")
    expect(page.locator("#guess")).to_have_value("4")
    page.locator("[data-notes=clear]").press("Enter")
    expect(page.locator(".key [data-note]")).to_have_count(0)
