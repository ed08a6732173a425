"""A whole daily puzzle with the keyboard alone, and what screen readers say, in both browsers."""

import json
import re
from datetime import UTC, datetime

import pytest

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle
from tests.support.browsers.tabs import Tab, wait_for

STATUS = "document.querySelector('#status[role=status]').innerText.trim().replace(/\\s+/g, ' ')"
FOCUSED = "document.activeElement.id || document.activeElement.localName"


def tab_to(tab: Tab, selector: str) -> None:
    for _ in range(60):
        if tab.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
            return
        tab.press("Tab")
    pytest.fail(f"Tab does not lead to {selector}")


def expect_named(tab: Tab, *elements: tuple[str, str]) -> None:
    """Each element, by role and name, is there once."""
    assert {element: tab.named(*element) for element in elements} == dict.fromkeys(elements, 1)


def follow(tab: Tab, selector: str, path: str) -> None:
    tab_to(tab, selector)
    tab.press("Enter")
    wait_for(tab, f"location.pathname.startsWith({json.dumps(path)})")
    wait_for(tab, "document.readyState", "complete")


@pytest.mark.parametrize("tab", ["chromium", "firefox"], indirect=True)
def test_daily_puzzle_by_keyboard_and_screen_reader(tab: Tab, site: str):
    day = datetime.now(UTC).date()
    puzzle = Puzzle(Rules(4, 10, False), str(day), None)
    code = puzzle.rules.text(puzzle.secret)
    other = next(each for each in ("0123", "4567") if each != code)
    tab.goto(f"{site}/daily")
    follow(tab, ".days .primary", f"/guess/p4c10n/{day}")
    wait_for(tab, FOCUSED, "guess")
    keys = [("button", digit) for digit in "0123456789"]
    expect_named(tab, *keys, ("button", "Delete"), ("button", "Guess!"), ("group", "Keypad"))
    expect_named(tab, ("textbox", "Your guess 1"), ("region", "Your guesses so far"))

    for digit in other:
        tab.press(digit)
    tab.press("Enter")
    said = rf"({' '.join(other)}): (\d bulls?, \d cows?)\. [\d,]+ codes? left\."
    wait_for(tab, f"/^{said}$/.test({STATUS})")
    wait_for(tab, FOCUSED, "guess")
    found = re.fullmatch(said, tab.evaluate(STATUS))
    assert found is not None
    expect_named(tab, ("table", "Your guesses so far"), ("textbox", "Your guess 2"))
    expect_named(tab, *(("cell", words) for words in found.groups()), ("rowheader", "1"))
    expect_named(tab, ("link", "Take back guess 1"))

    for digit in code:
        tab.press(digit)
    tab.press("Enter")
    wait_for(tab, STATUS, f"You found {' '.join(code)} in 2 turns.")
    wait_for(tab, FOCUSED, "h1")
    title = " ".join(tab.evaluate("document.activeElement.textContent").split())
    assert title.startswith("Found in 2 turns.")
    expect_named(tab, ("heading", title), ("cell", " ".join(code)), ("cell", "4 bulls, 0 cows"))
    expect_named(tab, ("region", "Your games"), ("table", "Your games"))
    for part in ("[data-share]", "[data-next]", ".to-review"):
        tab_to(tab, part)
    follow(tab, ".end a[href='/daily']", "/daily")
    name = f"{day:%B} {day.day}, {day.year} 2 turns, solved"
    wait_for(tab, "!!document.querySelector('.month .solved')")
    expect_named(tab, ("link", name))
