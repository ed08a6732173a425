"""A match and a race between Chromium and Firefox, through a restart and a lost connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.drivers.contexts import hurry
from tests.support.drivers.firefox import Firefox, FirefoxTab
from tests.support.drivers.tabs import ChromiumTab, Tab, wait_for
from tests.support.serving import Server, free_port, running

Serve = Callable[[], AbstractContextManager[Server]]

STATE = "document.querySelector('#board')?.dataset"
MAY_GUESS = f"!!document.querySelector('form.fill.live') && {STATE}.turn"
WATCHES = "!!document.querySelector('.match-watch')"
HEADING = "document.querySelector('h1').textContent.trim()"
ROWS = "document.querySelectorAll('tr[data-guess]').length"

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def serve(small_trees: Path, tmp_path: Path) -> Serve:
    """Run the same server, as often as wanted."""
    state = {"BULLSCOWS_STATE_DIR": str(tmp_path), "BULLSCOWS_PRELOAD_SEARCH": "false"}
    return partial(running, small_trees, tmp_path / "log", port=str(free_port()), **state)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Chromium with its service worker."""
    context = browser.new_context()
    page = context.new_page()
    hurry(page)
    yield page
    context.close()


@pytest.fixture
def fox(firefox: Firefox) -> Iterator[FirefoxTab]:
    tab = FirefoxTab(firefox)
    yield tab
    tab.close()


def create(page: Page, server: Server, kind: str) -> str:
    """Create a match by the form; return the link for the guest."""
    page.goto(f"{server.address}/match")
    page.click(f"label:has([name=kind][value={kind}])")
    if kind == "match":
        page.fill("#code", "7039")
        page.check("[name=begins][value=creator]")
    page.click(".match-form .primary")
    return str(page.get_attribute("#invite", "href"))


def join(fox: FirefoxTab, link: str, code: str) -> None:
    fox.goto(link)
    form = "document.querySelector('form.match-form')"
    fox.evaluate(f"{form}.code && ({form}.code.value = '{code}')")
    fox.evaluate(f"{form}.requestSubmit()")
    wait_for(fox, f"{STATE}.seat", "1")


def guess(tab: Tab, code: str, turn: int) -> None:
    """Type a guess when it is this tab's turn, and send it."""
    wait_for(tab, MAY_GUESS, str(turn))
    for key in code:
        tab.press(key)
    tab.press("Enter")


def test_match_survives_a_restart_and_a_lost_connection(serve: Serve, page: Page, fox: FirefoxTab):
    ada = ChromiumTab(page)
    with serve() as server:
        link = create(page, server, "match")
        join(fox, link, "8264")
        guess(ada, "0123", 1)
        guess(fox, "4567", 1)
        wait_for(ada, MAY_GUESS, "2")
    for key in "8246":
        ada.press(key)
    ada.press("Enter")  # nobody answers: the page keeps the guess
    page.wait_for_selector(".failure")
    with serve() as server:
        page.click(".failure button")
        guess(fox, "7093", 2)
        wait_for(ada, MAY_GUESS, "3")
        page.context.set_offline(True)
        ada.press("8")
        page.context.set_offline(False)
        assert ada.evaluate("document.querySelector('[name=guess]').value") == "8"
        for key in "264":
            ada.press(key)
        ada.press("Enter")
        wait_for(ada, WATCHES, True)
        page.context.set_offline(True)
        guess(fox, "7098", 3)
        wait_for(fox, HEADING, "Your friend won in 3 turns")
        assert ada.evaluate(WATCHES)
        page.context.set_offline(False)
        wait_for(ada, HEADING, "You won in 3 turns")
        assert ada.evaluate(ROWS) == fox.evaluate(ROWS) == 6
        assert page.title().startswith("You won in 3 turns")


def test_race_is_run_by_both_at_their_own_pace(serve: Serve, page: Page, fox: FirefoxTab):
    ada = ChromiumTab(page)
    with serve() as server:
        link = create(page, server, "race")
        join(fox, link, "")
        guess(ada, "0123", 1)
        guess(ada, "4567", 2)
        wait_for(fox, "document.querySelector('#presence').textContent.includes('2 turns')", True)
        guess(fox, "0123", 1)
        wait_for(fox, MAY_GUESS, "2")
        assert fox.evaluate(ROWS) == 1
        page.click("[popovertarget=menu]")
        page.click(".match-resign summary")
        page.click(".match-resign button")
        wait_for(ada, WATCHES, True)
        assert ada.evaluate(ROWS) == 2


def test_private_link_moves_a_player_to_another_browser(serve: Serve, page: Page, fox: FirefoxTab):
    with serve() as server:
        create(page, server, "match")
        page.click("[popovertarget=menu]")
        page.click("text=Continue on another device")
        fox.goto(str(page.get_attribute("#key", "href")))
        wait_for(fox, f"{STATE}.seat", "0")
        assert fox.evaluate("location.hash") == ""
