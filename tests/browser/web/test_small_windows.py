"""Small windows: the row to fill and the last answers are visible and not covered."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.duel.test_duel import answer_to_prolong

WINDOWS = [(375, 553), (360, 640), (390, 664), (640, 400), (740, 360)]
"""Phones in portrait with browser bars, a laptop at 200 %, a phone in landscape."""
DIGITS = "0123-4567-8901-2345-6789-1357-2468-3579-0246-1468-0135-2461-3572-5791-6802"
PEGS = "0011-2233-4455-0123-2345-4501-0022-1133-2244-3355-0505-1414-2323-3232-5050"
GAMES = [
    *(("p4c10n", DIGITS, window) for window in WINDOWS),
    *(("p4c6r", PEGS, window) for window in (WINDOWS[0], WINDOWS[-1])),
]
"""Games, guesses that miss the code, and windows."""
ROW = ("form.fill .slots", "form.fill .primary", ".keypad [data-key]")
ANSWER = "[data-guess][data-answer]"

IN_SIGHT = """(part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return [left + 3, right - 3].every((x) => [top + 3, bottom - 3].every(
    (y) => part.parentElement.contains(document.elementFromPoint(x, y))));
}"""
"""Whether all corners of a part are in the window and not covered."""


def expect_in_sight(page: Page, *parts: str) -> None:
    """Wait until the last element of each kind is in sight."""
    for part in parts:
        page.wait_for_function(IN_SIGHT, arg=page.locator(part).last.element_handle())


@pytest.mark.parametrize(
    ("rules", "codes", "window"), GAMES, ids=[f"{rules}-{w}x{h}" for rules, _, (w, h) in GAMES]
)
def test_row_to_fill_and_last_answer_are_in_sight_at_any_turn(
    visit: Visit, rules: str, codes: str, window: tuple[int, int]
):
    guesses = codes.split("-")
    for turn in (1, 6, 10, 15):
        before = "-".join(guesses[: turn - 1])
        size = {"width": window[0], "height": window[1]}
        page = visit(f"/ru/guess/{rules}/k3f9/{before}".rstrip("/"), viewport=size)
        page.keyboard.type(guesses[turn - 1])
        expect_in_sight(page, *ROW, *([ANSWER] if before else []))
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"{guesses[turn - 1]}$"))
        expect(page.locator(ANSWER)).to_have_count(turn)
        expect_in_sight(page, *ROW, ANSWER)


@pytest.mark.parametrize("window", [(360, 780), (1280, 800)], ids=["phone", "desk"])
def test_last_answer_is_in_sight_together_with_the_computers_guess(
    visit: Visit, window: tuple[int, int]
):
    size = {"width": window[0], "height": window[1]}
    page = visit("/ru/duel/p4c10n/new?level=first", viewport=size)
    for guess in DIGITS.split("-")[:4]:
        page.keyboard.type(guess)
        page.keyboard.press("Enter")
        expect(page.locator(f"[data-guess='{guess}'][data-answer]")).to_have_count(1)
        expect_in_sight(page, f"[data-guess='{guess}'][data-answer]", "a[data-answer]")
        expect_in_sight(page, "[data-guess]:not([data-answer])")
        answer_to_prolong(page)
