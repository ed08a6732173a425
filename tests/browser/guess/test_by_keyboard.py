"""A whole daily puzzle with the keyboard alone, and what screen readers say."""

import json
import re
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle
from tests.browser.conftest import Visit
from tests.support.browsers.playing import wait_for

STATUS = "document.querySelector('#status[role=status]').innerText.trim().replace(/\\s+/g, ' ')"
FOCUSED = "document.activeElement.id || document.activeElement.localName"


def tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        if page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {selector}")


def expect_named(page: Page, *elements: tuple[str, str]) -> None:
    """Each element, by role and name, is there once."""
    for role, name in elements:
        expect(page.get_by_role(role, name=name, exact=True)).to_have_count(1)  # type: ignore[arg-type]


def follow(page: Page, selector: str, path: str) -> None:
    tab_to(page, selector)
    page.keyboard.press("Enter")
    wait_for(page, f"location.pathname.startsWith({json.dumps(path)})")
    wait_for(page, "document.readyState", "complete")


def test_daily_puzzle_by_keyboard_and_screen_reader(visit: Visit, today: date):
    puzzle = Puzzle(Rules(4, 10, False), str(today), None)
    code = puzzle.rules.text(puzzle.secret)
    other = next(each for each in ("0123", "4567") if each != code)
    page = visit("/daily")
    follow(page, ".days .primary", f"/guess/p4c10n/{today}")
    wait_for(page, FOCUSED, "guess")
    keys = [("button", digit) for digit in "0123456789"]
    expect_named(page, *keys, ("button", "Delete"), ("button", "Guess!"), ("group", "Keypad"))
    expect_named(page, ("textbox", "Your guess 1"), ("region", "Your guesses so far"))

    page.keyboard.type(other)
    page.keyboard.press("Enter")
    said = rf"({' '.join(other)}): (\d bulls?, \d cows?)\. [\d,]+ codes? left\."
    wait_for(page, f"/^{said}$/.test({STATUS})")
    wait_for(page, FOCUSED, "guess")
    found = re.fullmatch(said, page.evaluate(STATUS))
    assert found is not None
    expect_named(page, ("table", "Your guesses so far"), ("textbox", "Your guess 2"))
    expect_named(page, *(("cell", words) for words in found.groups()), ("rowheader", "1"))
    expect_named(page, ("link", "Take back guess 1"))

    page.keyboard.type(code)
    page.keyboard.press("Enter")
    wait_for(page, STATUS, f"You found {' '.join(code)} in 2 turns.")
    wait_for(page, FOCUSED, "h1")
    title = " ".join(page.evaluate("document.activeElement.textContent").split())
    assert title.startswith("Found in 2 turns.")
    expect_named(page, ("heading", title), ("cell", " ".join(code)), ("cell", "4 bulls, 0 cows"))
    expect_named(page, ("region", "Your games"), ("table", "Your games"))
    for part in ("[data-share]", "[data-next]", ".to-review"):
        tab_to(page, part)
    follow(page, ".end a[href='/daily']", "/daily")
    name = f"{today:%B} {today.day}, {today.year} 2 turns, solved"
    wait_for(page, "!!document.querySelector('.month .solved')")
    expect_named(page, ("link", name))
