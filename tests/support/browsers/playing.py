"""Actions of visitors in browser tests: answer truthfully, guess, and use the keyboard."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from bullscows.game.rules import Rules

PATIENCE = 60
"""Seconds that anything in a browser may take."""

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
"""Context options for a window in which the aids are a column next to the board."""

SMALL_PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
"""Context options for the smallest phone."""

ROWS = ".ledger tbody tr"
"""The turns played so far."""


def wait_for(page: Page, expression: str, value: object = True) -> None:
    """Wait until an expression has a value, also where scripts are off; fail with the last one."""
    deadline = time.monotonic() + PATIENCE
    while (found := _evaluated(page, expression)) != value:
        assert time.monotonic() < deadline, f"{expression} is {found!r}, not {value!r}"
        page.wait_for_timeout(20)


def _evaluated(page: Page, expression: str) -> Any:
    try:
        return page.evaluate(expression)
    except Error as error:  # the page was left while it answered: ask the next one
        if "Execution context was destroyed" not in error.message:
            raise
        page.wait_for_load_state()
        return page.evaluate(expression)


def true_answer(page: Page, rules: str, secret: str) -> str:
    guess = page.locator("[data-guess]:not([data-answer])").last.get_attribute("data-guess")
    game = Rules.parse(rules)
    return str(game.answers[game.respond(game.parse_code(str(guess)), game.parse_code(secret))])


def expect_turns(page: Page, count: int) -> None:
    expect(page.locator(ROWS)).to_have_count(count)


def answer(page: Page, *answers: str) -> None:
    """Click answers, and wait for the turn after each."""
    for text in answers:
        turns = page.locator(ROWS).count()
        page.locator(f"a[data-answer='{text}']").click()
        expect_turns(page, turns + 1)


def play(page: Page, rules: str, secret: str, choose: str = "click") -> None:
    """Answer truthfully until the game ends.

    Parameters
    ----------
    choose : str
        How to choose an answer: `click`, `tap`, `tab` (the Tab and Enter keys) or `type` (two
        digits, one with bulls only).
    """
    while not page.locator("[data-secret]").count():
        turns = page.locator(ROWS).count()
        text = true_answer(page, rules, secret)
        if choose == "type":
            page.keyboard.type(text[0] if rules.endswith("b") else text.replace(".", ""))
        elif choose == "tab":
            press_until(page, "Tab", f"a[data-answer='{text}']")
            page.keyboard.press("Enter")
        else:
            getattr(page.locator(f"a[data-answer='{text}']"), choose)()
        expect_turns(page, turns + 1)
        assert turns < 10
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", secret)


def guess(page: Page, *codes: str) -> None:
    """Write guesses, and wait for the answer and the URL of each."""
    for code in codes:
        answered = page.locator("[data-guess][data-answer]").count()
        page.locator("#guess").fill(code)
        page.keyboard.press("Enter")
        expect(page.locator("[data-guess][data-answer]")).to_have_count(answered + 1)
        expect(page).to_have_url(re.compile(rf"{code}(\?|$)"))


def press_until(page: Page, key: str, selector: str, limit: int = 80) -> None:
    """Press a key until an element that matches has the focus, and shows it."""
    for _ in range(limit):
        page.keyboard.press(key)
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            return
    pytest.fail(f"{key} does not lead to {selector}")


def in_windows(page: Page, *sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Resize the page to each width and height; a third number is the size of its text in %."""
    for size in sizes:
        width, height, *text = size
        page.set_viewport_size({"width": width, "height": height})
        for percent in text:
            page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        yield size


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def cut_off(page: Page, inner: str, outer: str) -> list[str]:
    """Return the texts of the inner elements that stick out of their outer element."""
    found = page.locator(inner).evaluate_all(
        """(parts, outer) => parts.filter((part) => {
          const box = part.closest(outer).getBoundingClientRect();
          const { left, right, top, bottom } = part.getBoundingClientRect();
          return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
        }).map((part) => part.textContent)""",
        outer,
    )
    return list(found)


def open_details(page: Page) -> None:
    """Open every element that folds, except those whose content is loaded later."""
    page.evaluate(
        "document.querySelectorAll('details:not([hx-get])').forEach(e => { e.open = true; })"
    )
