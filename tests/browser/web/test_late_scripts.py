"""Requests sent while scripts are still loading."""

import re

from playwright.sync_api import Route, expect

from tests.browser.conftest import BLANK, Visit

PUZZLE = "/guess/p4c10n/k3f9"


def test_answer_to_a_guess_sent_before_the_last_script_is_shown(visit: Visit, site: str):
    page = visit(BLANK)
    scripts: list[Route] = []
    answers: list[Route] = []
    page.route(re.compile(r"/scripts/site\.js"), lambda route: scripts.append(route))
    page.route(re.compile(r"[?&]guess=0123"), lambda route: answers.append(route))
    page.goto(site + PUZZLE, wait_until="commit")
    page.wait_for_selector("form.fill.live")  # htmx and the keypad are there
    page.locator("#guess").fill("0123")
    with page.expect_request(re.compile(r"[?&]guess=0123")) as sent:
        page.keyboard.press("Enter")
    assert sent.value.headers["hx-request"] == "true"
    scripts.pop().continue_()
    page.wait_for_load_state("load")
    answers.pop().continue_()
    expect(page.locator("[data-guess][data-answer]")).to_have_count(1)
    expect(page).to_have_url(f"{site}{PUZZLE}/0123")
