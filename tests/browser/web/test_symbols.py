"""Digits from 1: games of at most nine digits show and read 1 to 9, where addresses have 0 to 8."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit

PUZZLE = "/guess/p3c9n/k3f9"  # 514


def moved(page: Page, path: str) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + path)


def test_digits_from_1_on_the_board_and_in_the_pages_of_the_same_tab(visit: Visit):
    page = visit(PUZZLE + "?symbols=1")
    expect(page.locator(".thought")).to_contain_text("1 to 9")
    expect(page.locator(".key").first).to_have_text("1")
    page.keyboard.type("10")  # no key has 0
    expect(page.locator("form.fill .slots")).to_have_text("1")
    page.keyboard.type("23\n")
    expect(page.locator("#status")).to_contain_text("1 2 3: ")
    assert page.url.endswith("/012")
    page.keyboard.type("625\n")
    expect(page.locator("[data-secret='514']")).to_be_visible()
    expect(page).to_have_title("Found: 625 · Bulls & Cows, solved")
    moved(page, "/review/p3c9n?h=012:1.0-514:3.0")
    expect(page.locator("#turn-1 .code").first).to_have_text("1 2 3123")
    moved(page, "/guess/p4c10n/k3f9")
    expect(page.locator(".key[data-key='0']")).to_have_text("0")


def test_codes_in_fields_begin_with_1_too(visit: Visit):
    page = visit("/analyse/p3c9n?h=012:0.1&symbols=1")
    expect(page.get_by_label("Guesses with their answers")).to_have_value("123:0.1")
    field = page.get_by_label("Another guess:")
    field.fill("189")
    field.press("Enter")
    expect(page.locator("[data-guess='078']")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("1 8 9")
    assert "guess=078" in page.url


def test_preference_of_digits_from_1(visit: Visit):
    page = visit("/preferences")
    page.get_by_label("From 1").check()
    moved(page, PUZZLE)
    expect(page.locator(".key").last).to_have_text("9")
    moved(page, PUZZLE + "?symbols=0")
    expect(page.locator(".key").last).to_have_text("8")


def test_draw_keeps_the_choice_of_digits(visit: Visit):
    page = visit("/guess/p3c9n?symbols=1")
    assert page.url.endswith("?symbols=1")
    expect(page.locator(".key").first).to_have_text("1")
