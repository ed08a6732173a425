"""Both lessons on a phone, by keys alone and without scripts."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, each_language
from tests.browser.web.test_game_screens import expect_in_sight

PHONE = {"width": 360, "height": 640}
GUESSES = {"1/5": ("012", "345", "415"), "2/3": ("345",)}
GUESSES |= {"2/4": ("981", "243"), "2/5": ("678", "459")}
"""Guesses at steps with exercises."""
NEXT = ".onward .primary"


def take(page: Page, step: str) -> None:
    """Guess by keys at a step, then go on; everything needed is in sight."""
    expect(page.locator(".step-dot.done")).to_have_count(int(step[-1]))
    for number, guess in enumerate(GUESSES.get(step, ()), start=1):
        expect_in_sight(page, "form.fill .primary", "form.fill .slotted", ".skip-lesson")
        page.keyboard.type(guess)
        page.keyboard.press("Enter")
        path = "-".join(GUESSES[step][:number]) if step in ("1/5", "2/5") else guess
        expect(page).to_have_url(re.compile(rf"/learn/{step}/{path}$"))
    expect_in_sight(page, NEXT, ".step-dot", ".skip-lesson")
    while not page.locator(f"{NEXT}:focus").count():
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("width", [360, 1280])
def test_dots_of_the_steps_are_above_the_keys(visit: Visit, width: int):
    page = visit("/learn/1/5/012", viewport={"width": width, "height": 800})
    dots = page.locator(".step-dot").last.bounding_box()
    keys = page.locator(".keypad").bounding_box()
    assert dots is not None
    assert keys is not None
    assert keys["x"] <= dots["x"] <= keys["x"] + keys["width"]


@pytest.mark.parametrize("script", [True, False], ids=["scripts", "plain"])
@each_language
def test_both_lessons_by_keys_on_a_phone(visit: Visit, script: bool, prefix: str):
    for lesson, start in (("1", "/learn"), ("2", "/learn/2/1")):
        page = visit(prefix + start, viewport=PHONE, java_script_enabled=script)
        for step in range(1, 6):
            take(page, f"{lesson}/{step}")
        expect(page).to_have_url(re.compile(f"{prefix}/guess$"))
