"""Whole games in a browser: by mouse, keyboard and touch, without JavaScript, and with Back."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.support.browsers.playing import (
    DESKTOP,
    SMALL_PHONE,
    answer,
    expect_turns,
    overflow,
    play,
    press_until,
    wait_for,
)

GAME = "/play/avg-bulls-cows/k3"


def test_game_without_javascript(visit: Visit):
    start = "/ru/play?tree=avg-mastermind&shuffle=on"
    play(visit(start, java_script_enabled=False), "p4c6r", "3350")


@pytest.mark.parametrize(
    ("rules", "start", "secret"),
    [
        ("p4c10n", "/play?tree=avg-bulls-cows&shuffle=on", "4271"),
        ("p4c6r", "/ru/play?tree=avg-mastermind&shuffle=on", "3350"),
    ],
)
def test_game_on_a_phone(visit: Visit, rules: str, start: str, secret: str):
    page = visit(start, **SMALL_PHONE)
    cells = page.locator("a[data-answer]")
    boxes = cells.evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    assert len(boxes) >= 13
    for box in boxes:
        assert min(box["width"], box["height"]) >= 44
        assert box["bottom"] <= 640, "below the fold"
    play(page, rules, secret, "tap")
    assert overflow(page) <= 0


def test_game_by_keyboard_alone(visit: Visit):
    page = visit("/")
    press_until(page, "Tab", "form:has([value=avg-bulls-cows]) button")
    page.keyboard.press("Enter")
    expect(page.locator(".rows .try-skip")).to_be_visible()
    press_until(page, "Tab", ".try-skip")
    page.keyboard.press("Enter")
    play(page, "p4c10n", "9805", "tab")
    expect(page.locator("h1")).to_be_focused()  # it stays with the game


def test_skip_link_leads_to_the_content(visit: Visit):
    page = visit("/trees")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_back_forward_reload_and_a_shared_link(visit: Visit):
    page = visit(GAME)
    board = page.locator("[data-guess]:not([data-answer])")
    first = str(board.get_attribute("data-guess"))
    answer(page, "0.1", "1.1")
    expect(page).to_have_title(re.compile("^Guess 3"))  # set after the page is shown
    url = page.url
    title = page.title()
    third = str(board.get_attribute("data-guess"))
    page.go_back()
    expect_turns(page, 1)
    page.go_back()
    expect(board).to_have_attribute("data-guess", first)
    expect_turns(page, 0)
    expect(page.locator("header.site-head")).to_have_count(1)
    page.go_forward()
    expect_turns(page, 1)
    page.go_forward()
    expect(board).to_have_attribute("data-guess", third)
    assert page.url == url
    page.reload()
    expect(board).to_have_attribute("data-guess", third)
    assert page.title() == title
    shared = visit(f"{GAME}/0.1-1.1")
    expect(shared.locator("[data-guess]").last).to_have_attribute("data-guess", third)


def test_status_and_languages_follow_the_game(visit: Visit):
    page = visit("/play/avg-bulls-cows/0")
    region = page.locator("#status").element_handle()
    answer(page, "0.1")
    expect(page.locator("#status")).to_contain_text("Guess 2")
    assert page.evaluate("region => region.isConnected", region), "the live region must stay"
    page.locator("[popovertarget=menu]").click()
    page.locator("#menu [hreflang=ru]").click()
    page.wait_for_url("**/ru/play/avg-bulls-cows/0/0.1")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_wrong_answer_is_found_and_corrected(visit: Visit):
    page = visit("/play/avg-mastermind/0/0.1-1.1")
    page.locator(".doubt a").click()
    expect(page.locator("h1")).to_have_text("Something does not fit")
    page.locator("a.correction").first.click()
    expect(page.locator("[data-guess]").last).to_be_visible()
    assert "none" not in page.url


def test_answers_that_are_not_offered_are_one_row(visit: Visit):
    """Their style sheet comes with the content."""
    page = visit("/play/avg-bulls-cows/k3/0.2-1.1-1.2")
    page.locator(".doubt a").click()
    cells = "[...document.querySelectorAll('.unoffered .cell')]"
    wait_for(page, f"new Set({cells}.map((cell) => cell.offsetTop)).size", 1)
    assert page.locator(".unoffered .cell").count() > 2


def test_tree_opens_branch_by_branch(visit: Visit):
    page = visit("/trees/avg-bulls-cows")
    page.locator("details[hx-get$='/0.1'] > summary").click()
    inner = page.locator("details[hx-get$='/0.1-1.1']")
    expect(inner).to_have_count(1)
    inner.locator("> summary").click()
    expect(inner.locator("summary").nth(3)).to_be_visible()
    assert page.url.endswith("/trees/avg-bulls-cows")


def test_copy_button_copies_the_string_with_its_del(visit: Visit, site: str):
    page = visit("/trees/avg-bulls-cows")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    page.locator(".string > summary").click()
    page.locator("[data-copy=tree-string]").click()
    expect(page.locator("#status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    shown = str(page.locator("#tree-string").text_content())
    assert copied == shown.replace("\\x7f", "\x7f")
    assert "\\" not in copied


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "plain"])
def test_secret_is_chosen_peg_by_peg(visit: Visit, script: bool):
    page = visit("/play/avg-mastermind/0/0.1-1.1/none", java_script_enabled=script)
    for place, peg in enumerate("1022", start=1):
        page.locator(f"label:has([name=peg{place}][value='{peg}'])").click()
    page.locator("form:has(.picker) button").click()
    expect(page.locator(".checks tbody tr")).to_have_count(2)
    expect(page.locator(".checks tbody tr").first).to_be_in_viewport()
    assert page.url.endswith("/none?secret=1022#told")
    assert page.locator("[name=peg1]:checked").get_attribute("value") == "1"


def test_secret_is_chosen_peg_by_peg_with_the_keyboard(visit: Visit):
    page = visit("/play/avg-mastermind/0/0.1-1.1/none")
    page.locator("[name=peg1]").first.focus()
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/none?secret=0111#told")


@pytest.mark.parametrize(
    ("rules", "start", "secret"),
    [("p4c10n", GAME, "9805"), ("p4c6rb", "/play/avg-bulls-only-4x6/k3", "0542")],
)
def test_whole_game_by_the_digits_of_its_answers(visit: Visit, rules: str, start: str, secret: str):
    play(visit(start), rules, secret, "type")


def test_backspace_takes_back_a_digit_and_then_an_answer(visit: Visit):
    page = visit(GAME)
    page.keyboard.type("01")
    expect_turns(page, 1)
    page.keyboard.press("1")
    expect(page.locator(".cell.chosen")).not_to_have_count(0)
    page.keyboard.press("Backspace")
    expect(page.locator(".cell.chosen")).to_have_count(0)
    expect_turns(page, 1)
    page.keyboard.press("Backspace")
    expect(page.locator(".ledger")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"{GAME}$"))


def test_impossible_answer_is_reported(visit: Visit):
    page = visit(GAME)
    page.keyboard.type("31")
    expect(page.locator("#status")).to_have_text("3 1: no remaining code gives this answer.")
    expect(page.locator(".ledger")).to_have_count(0)


@pytest.mark.parametrize("path", ["/play/avg-bulls-cows/0", "/guess/p4c10n/k3f9"])
def test_open_panel_takes_the_keys_and_closes_with_escape(visit: Visit, path: str):
    page = visit(path)
    page.get_by_role("button", name="Menu").press("Enter")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.type("11")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.get_by_role("button", name="Menu")).to_be_focused()
    assert page.url.endswith(path)
    assert page.locator("#guess").all() == [] or page.locator("#guess").input_value() == ""


def test_arrows_move_between_the_answers(visit: Visit):
    page = visit(GAME)
    focused = "document.activeElement.dataset.answer"
    for key, reached in (
        ("ArrowRight", "0.0"),
        ("ArrowRight", "0.1"),
        ("ArrowDown", "1.1"),
        ("ArrowLeft", "1.0"),
        ("ArrowUp", "0.0"),
        ("ArrowUp", "0.0"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == reached, key
    page.keyboard.press("Enter")
    expect_turns(page, 1)


def test_keys_with_a_modifier_are_left_to_the_browser(visit: Visit):
    page = visit(GAME)
    page.keyboard.press("Alt+1")
    expect(page.locator(".cell.chosen")).to_have_count(0)


ASKED = "/play/avg-bulls-cows/k3/0.2"


TABLET = {"viewport": {"width": 1024, "height": 768}}
"""A window in which the aids stay closed until they are opened."""


def is_open(page: Page) -> None:
    expect(page.locator("#analysis.open .split tbody tr").first).to_be_visible()


def test_analysis_stays_open_for_the_next_turn_and_a_reload(visit: Visit):
    page = visit(ASKED, **TABLET)
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


def test_analysis_by_keyboard_keeps_the_focus(visit: Visit):
    page = visit(ASKED, **TABLET)
    page.locator("#analysis-toggle").focus()
    page.keyboard.press("Enter")
    is_open(page)
    expect(page.locator("#analysis-toggle")).to_be_focused()
    page.wait_for_url("**?analysis=open")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{ASKED}")
    expect(page.locator("#analysis-toggle")).to_be_focused()


def test_analysis_stays_open_without_javascript(visit: Visit):
    page = visit(ASKED, java_script_enabled=False, **DESKTOP)
    page.locator("#analysis-toggle").click()
    is_open(page)
    answer(page, "1.1")
    is_open(page)
    page.locator(".undo a").last.click()
    is_open(page)
    page.locator(".analysis-close").click()
    answer(page, "1.1")
    expect(page.locator("#analysis.open")).to_have_count(0)


@pytest.mark.parametrize("path", [ASKED, "/play/avg-mastermind/5x/0.1"])
def test_analysis_fits_the_smallest_phone(visit: Visit, path: str):
    page = visit(f"/ru{path}?analysis=open", **SMALL_PHONE)
    is_open(page)
    assert overflow(page) <= 0
    box = page.locator("#analysis-toggle").bounding_box()
    assert box is not None
    assert box["height"] >= 44


def shown_aids(page: Page) -> list[str]:
    panels = page.locator(".side > .fold > div")
    return list(
        panels.evaluate_all(
            "panels => panels.filter(e => e.checkVisibility())"
            ".map(e => e.parentElement.classList[1])"
        )
    )


def test_one_aid_at_a_time_covers_the_rows_of_a_phone(visit: Visit):
    page = visit(f"{ASKED}?analysis=open", **SMALL_PHONE)
    assert shown_aids(page) == ["analysis"]
    page.locator(".map summary").tap()
    assert shown_aids(page) == ["map"]
    page.locator("#analysis-toggle").tap()
    assert shown_aids(page) == ["analysis"]
    assert page.url.endswith("?analysis=open")
    page.goto(page.url.replace("/play/avg-bulls-cows/k3/0.2?analysis=open", "/guess/p4c10n/k3f9"))
    page.locator(".aids summary").tap()
    page.locator(".map summary").tap()
    expect(page.locator(".aids[open]")).to_have_count(0)
    assert shown_aids(page) == ["map"]


def test_aids_are_open_together_next_to_a_wide_board(visit: Visit):
    page = visit(ASKED, viewport={"width": 1280, "height": 800})
    is_open(page)
    assert shown_aids(page) == ["analysis", "map"]
    assert page.url.endswith(ASKED), "that they are open is not in the address"
    answer(page, "1.1")
    is_open(page)
    page.locator("#analysis-toggle").click()
    expect(page.locator("#analysis.open")).to_have_count(0)
    page.locator(".map summary").click()
    page.reload()
    expect(page.locator(".map:not([open])")).to_be_visible()
    assert shown_aids(page) == [], "closed aids stay closed"
    page.locator(".map summary").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    assert shown_aids(page) == [], "they would cover the rows"


PLACES = """['.past tr:last-child .row', '.guess-now', '.side']
  .map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())"""
"""Returns the boxes of the last turn, of the row below it and of the aids."""


def test_turns_stand_above_the_row_of_a_wide_board_which_does_not_move(visit: Visit):
    page = visit(ASKED, viewport={"width": 1280, "height": 800})
    rows = []
    for _ in range(2):
        last, row, aids = page.evaluate(PLACES)
        assert 0 <= row["top"] - last["bottom"] < 16
        assert last["left"] < (row["left"] + row["right"]) / 2 < last["right"] < aids["left"]
        rows.append(row)
        answer(page, "1.1")
    assert rows[0] == rows[1]


def test_aids_close_when_the_window_becomes_narrow(visit: Visit):
    page = visit(ASKED, viewport={"width": 1280, "height": 800})
    is_open(page)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#analysis.open, .map[open]")).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 800})
    is_open(page)
    expect(page.locator(".map[open]")).to_have_count(1)


def test_black_peg_in_the_dark_is_a_shining_ball_with_a_rim(visit: Visit):
    page = visit("/play/avg-mastermind/0", color_scheme="dark")
    peg = page.locator(".cell:not(.void) .of-black:not(.zero) .mark").first
    page.evaluate("document.querySelector('.of-black:not(.zero) .mark').style.width = '64px'")
    with Image.open(BytesIO(peg.screenshot())) as picture:
        light = picture.convert("L")
    width, height = light.size
    size = min(width, height)
    inner = light.crop(
        (round(width / 2 - 0.3 * size), round(height / 2 - 0.3 * size), width // 2, height // 2)
    )
    shades = inner.tobytes()
    assert min(shades) < 20
    assert max(shades) > 150
