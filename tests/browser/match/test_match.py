"""Matches and races in two browsers, through restarts and lost connections, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsers.contexts import hurry
from tests.support.browsers.firefox import Firefox, FirefoxTab
from tests.support.browsers.tabs import ChromiumTab, Tab, wait_for
from tests.support.servers.postgres import execute, postgres
from tests.support.servers.serving import Server, free_port, running

__all__ = ["postgres"]

Serve = Callable[[], AbstractContextManager[Server]]

STATE = "document.querySelector('#board')?.dataset"
MAY_GUESS = f"!!document.querySelector('form.fill.live') && {STATE}.turn"
WATCHES = "!!document.querySelector('.match-watch')"
HEADING = "document.querySelector('h1').textContent.trim()"
ROWS = "document.querySelectorAll('tr[data-guess]').length"

PAIRS = [("firefox", "sqlite"), ("chromium", "postgres")]
"""The browser of the guest, and the database."""

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The database, SQLite if no other is named."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'matches.sqlite'}"
    found: str = request.getfixturevalue("postgres")
    execute(found, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return found


@pytest.fixture
def serve(small_trees: Path, tmp_path: Path, url: str) -> Serve:
    """Run the same server, as often as wanted."""
    given = {"STATE_DIR": str(tmp_path), "DATABASE_URL": url}
    state = {f"BULLSCOWS_{name}": value for name, value in given.items()}
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


@pytest.fixture
def other(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Tab]:
    """The browser of the guest."""
    if request.param == "firefox":
        yield request.getfixturevalue("fox")
    else:
        context = browser.new_context()
        yield ChromiumTab(context.new_page())
        context.close()


def create(page: Page, server: Server, kind: str, rules: str = "p4c10n") -> str:
    """Create a match by the form; return the link for the guest."""
    page.goto(f"{server.address}/match?rules={rules}")
    page.click(f"label:has([name=kind][value={kind}])")
    if kind == "match":
        page.fill("#code", "7039")
        page.check("[name=begins][value=creator]")
    page.click(".match-form .primary")
    return str(page.get_attribute("#invite", "href"))


def join(guest: Tab, link: str, code: str) -> None:
    guest.goto(link)
    form = "document.querySelector('form.match-form')"
    guest.evaluate(f"{form}.code && ({form}.code.value = '{code}')")
    guest.evaluate(f"{form}.requestSubmit()")
    wait_for(guest, f"{STATE}.seat", "1")


def guess(tab: Tab, code: str, turn: int) -> None:
    """Type a guess when it is this tab's turn, and send it."""
    wait_for(tab, MAY_GUESS, str(turn))
    for key in code:
        tab.press(key)
    tab.press("Enter")


@pytest.mark.parametrize(("other", "url"), PAIRS, indirect=True)
def test_match_survives_a_restart_and_a_lost_connection(serve: Serve, page: Page, other: Tab):
    ada = ChromiumTab(page)
    fox = other
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


@pytest.mark.parametrize(("other", "url"), PAIRS, indirect=True)
def test_race_is_won_by_fewest_turns_through_sleep_and_a_restart(
    serve: Serve, page: Page, other: Tab
):
    codes = ["01", "02", "10", "12", "20", "21"]
    ada = ChromiumTab(page)
    with serve() as server:
        link = create(page, server, "race", "p2c3n")
        set_state(page, "frozen")
        join(other, link, "")
        theirs = race(other, codes[::-1])
    with serve():
        set_state(page, "active")
        turns = (race(ada, codes), theirs)
        assert sum(turns) == len(codes) + 1
        for tab in (ada, other):
            wait_for(tab, f"{HEADING}.includes('won in {min(turns)} turn')", True)
            assert tab.evaluate(ROWS) == sum(turns)
            code = tab.evaluate("document.querySelector('[data-secret]').dataset.secret")
            assert code == codes[turns[0] - 1]


def set_state(page: Page, state: str) -> None:
    """Let a page sleep (`frozen`) or wake it (`active`)."""
    page.context.new_cdp_session(page).send("Page.setWebLifecycleState", {"state": state})


def race(tab: Tab, codes: list[str]) -> int:
    """Guess codes until one is right; return how many."""
    for turn, code in enumerate(codes, start=1):
        guess(tab, code, turn)
        wait_for(tab, f"{STATE}.turn !== '{turn}'", True)
        if not tab.evaluate(f"{STATE}.turn"):
            return turn
    raise AssertionError("no code is right")


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
        kept = "caches.match('/match', { ignoreSearch: true }).then(Boolean)"
        assert not page.evaluate(f"navigator.serviceWorker.ready.then(() => {kept})")
        page.click("[popovertarget=menu]")
        page.click("text=Continue on another device")
        fox.goto(str(page.get_attribute("#key", "href")))
        wait_for(fox, f"{STATE}.seat", "0")
        assert fox.evaluate("location.hash") == ""


STUBS = """
    globalThis.shown = [], globalThis.shared = [];
    navigator.share = async (given) => void shared.push(given);
    globalThis.Notification = class {
      static permission = "default";
      static requestPermission = async () => (Notification.permission = "granted");
      constructor(title) { shown.push(title); }
    };
    const isHidden = () => sessionStorage.hidden === "yes";
    Object.defineProperty(document, "hidden", { get: isHidden });
"""
"""A phone that shares and notifies, and whose page another app hides."""


def test_turn_is_marked_and_notified_and_the_link_is_shared(serve: Serve, browser: Browser):
    context = browser.new_context(has_touch=True, is_mobile=True, service_workers="block")
    context.add_init_script(STUBS)
    page = context.new_page()
    friend = browser.new_context(service_workers="block").new_page()
    ada = ChromiumTab(page)
    bob = ChromiumTab(friend)
    icon = "link[rel=icon]"
    with serve() as server, context, friend.context:
        link = create(page, server, "match")
        page.click("[data-share]")
        assert page.evaluate("shared") == [{"text": link}]
        quiet = page.get_attribute(icon, "href")
        join(bob, link, "8264")
        wait_for(ada, MAY_GUESS, "1")
        assert page.title().startswith("● Your turn: guess 1")
        assert page.get_attribute(icon, "href") != quiet
        page.click("[popovertarget=menu]")
        page.click("[data-notify]")
        page.keyboard.press("Escape")
        guess(ada, "0123", 1)
        wait_for(ada, WATCHES, True)
        assert page.get_attribute(icon, "href") == quiet
        assert not page.title().startswith("●")
        page.evaluate("sessionStorage.hidden = 'yes'")
        guess(bob, "4567", 1)
        wait_for(ada, "shown.length", 1)
        assert page.evaluate("shown")[0].startswith("● Your turn: guess 2")
        assert page.title().startswith("● Your turn: guess 2")
