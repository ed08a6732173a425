"""Keys for answering: two digits, Backspace, arrows."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.support.playing import expect_turns, play

GAME = "/play/avg-bulls-cows/k3"


@pytest.mark.parametrize(
    ("rules", "start", "secret"),
    [("p4c10n", GAME, "9805"), ("p4c6r", "/ru/play/avg-mastermind/k3", "0542")],
)
def test_whole_game_by_two_digits_a_turn(visit: Visit, rules: str, start: str, secret: str):
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


def test_arrows_move_between_the_answers(visit: Visit):
    page = visit(GAME)
    focused = "document.activeElement.dataset.answer"
    for key, answer in (
        ("ArrowRight", "0.0"),
        ("ArrowRight", "0.1"),
        ("ArrowDown", "1.1"),
        ("ArrowLeft", "1.0"),
        ("ArrowUp", "0.0"),
        ("ArrowUp", "0.0"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == answer, key
    page.keyboard.press("Enter")
    expect_turns(page, 1)


def test_keys_with_a_modifier_are_left_to_the_browser(visit: Visit):
    page = visit(GAME)
    page.keyboard.press("Alt+1")
    expect(page.locator(".cell.chosen")).to_have_count(0)
