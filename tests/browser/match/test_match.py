"""Matches and races in two browsers, through restarts and lost connections, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsers.contexts import hurry
from tests.support.browsers.playing import wait_for
from tests.support.servers.postgres import execute, postgres
from tests.support.servers.serving import Server, reserved_port, running

__all__ = ["postgres"]

Serve = Callable[[], AbstractContextManager[Server]]

STATE = "document.querySelector('#board')?.dataset"
MAY_GUESS = f"!!document.querySelector('form.fill.live') && {STATE}.turn"
WATCHES = "!!document.querySelector('.match-watch')"
HEADING = "document.querySelector('h1').textContent.trim()"
ROWS = "document.querySelectorAll('tr[data-guess]').length"

each_database = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)

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
    return partial(running, small_trees, tmp_path / "log", port=str(reserved_port()), **state)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Chromium with its service worker."""
    context = browser.new_context()
    page = context.new_page()
    hurry(page)
    yield page
    context.close()


@pytest.fixture
def guest(browser: Browser) -> Iterator[Page]:
    """The page of the guest, in a context of its own."""
    context = browser.new_context()
    yield context.new_page()
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


def join(guest: Page, link: str, code: str) -> None:
    guest.goto(link)
    form = "document.querySelector('form.match-form')"
    guest.evaluate(f"{form}.code && ({form}.code.value = '{code}')")
    guest.evaluate(f"{form}.requestSubmit()")
    wait_for(guest, f"{STATE}.seat", "1")


def guess(page: Page, code: str, turn: int) -> None:
    """Type a guess when it is this page's turn, and send it."""
    wait_for(page, MAY_GUESS, str(turn))
    page.keyboard.type(code)
    page.keyboard.press("Enter")


@each_database
def test_match_survives_a_restart_and_a_lost_connection(serve: Serve, page: Page, guest: Page):
    with serve() as server:
        link = create(page, server, "match")
        join(guest, link, "8264")
        guess(page, "0123", 1)
        guess(guest, "4567", 1)
        wait_for(page, MAY_GUESS, "2")
    page.keyboard.type("8246")
    page.keyboard.press("Enter")  # nobody answers: the page keeps the guess
    page.wait_for_selector(".failure")
    with serve() as server:
        page.click(".failure button")
        guess(guest, "7093", 2)
        wait_for(page, MAY_GUESS, "3")
        page.context.set_offline(True)
        page.keyboard.press("8")
        page.context.set_offline(False)
        assert page.evaluate("document.querySelector('[name=guess]').value") == "8"
        page.keyboard.type("264")
        page.keyboard.press("Enter")
        wait_for(page, WATCHES, True)
        page.context.set_offline(True)
        guess(guest, "7098", 3)
        wait_for(guest, HEADING, "Your friend won in 3 turns")
        assert page.evaluate(WATCHES)
        page.context.set_offline(False)
        wait_for(page, HEADING, "You won in 3 turns")
        assert page.evaluate(ROWS) == guest.evaluate(ROWS) == 6
        assert page.title().startswith("You won in 3 turns")


@each_database
def test_race_is_won_by_fewest_turns_through_sleep_and_a_restart(
    serve: Serve, page: Page, guest: Page
):
    codes = ["01", "02", "10", "12", "20", "21"]
    with serve() as server:
        link = create(page, server, "race", "p2c3n")
        set_state(page, "frozen")
        join(guest, link, "")
        theirs = race(guest, codes[::-1])
    with serve():
        set_state(page, "active")
        turns = (race(page, codes), theirs)
        assert sum(turns) == len(codes) + 1
        for each in (page, guest):
            wait_for(each, f"{HEADING}.includes('won in {min(turns)} turn')", True)
            assert each.evaluate(ROWS) == sum(turns)
            code = each.evaluate("document.querySelector('[data-secret]').dataset.secret")
            assert code == codes[turns[0] - 1]


def set_state(page: Page, state: str) -> None:
    """Let a page sleep (`frozen`) or wake it (`active`)."""
    page.context.new_cdp_session(page).send("Page.setWebLifecycleState", {"state": state})


def race(page: Page, codes: list[str]) -> int:
    """Guess codes until one is right; return how many."""
    for turn, code in enumerate(codes, start=1):
        guess(page, code, turn)
        wait_for(page, f"{STATE}.turn !== '{turn}'", True)
        if not page.evaluate(f"{STATE}.turn"):
            return turn
    raise AssertionError("no code is right")


def test_race_is_run_by_both_at_their_own_pace(serve: Serve, page: Page, guest: Page):
    with serve() as server:
        link = create(page, server, "race")
        join(guest, link, "")
        guess(page, "0123", 1)
        guess(page, "4567", 2)
        wait_for(guest, "document.querySelector('#presence').textContent.includes('2 turns')", True)
        guess(guest, "0123", 1)
        wait_for(guest, MAY_GUESS, "2")
        assert guest.evaluate(ROWS) == 1
        page.click("[popovertarget=menu]")
        page.click(".match-resign summary")
        page.click(".match-resign button")
        wait_for(page, WATCHES, True)
        assert page.evaluate(ROWS) == 2


def test_private_link_moves_a_player_to_another_browser(serve: Serve, page: Page, guest: Page):
    with serve() as server:
        create(page, server, "match")
        kept = "caches.match('/match', { ignoreSearch: true }).then(Boolean)"
        assert not page.evaluate(f"navigator.serviceWorker.ready.then(() => {kept})")
        page.click("[popovertarget=menu]")
        page.click("text=Continue on another device")
        guest.goto(str(page.get_attribute("#key", "href")))
        wait_for(guest, f"{STATE}.seat", "0")
        assert guest.evaluate("location.hash") == ""


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
    icon = "link[rel=icon]"
    with serve() as server, context, friend.context:
        link = create(page, server, "match")
        page.click("[data-share]")
        assert page.evaluate("shared") == [{"text": link}]
        quiet = page.get_attribute(icon, "href")
        join(friend, link, "8264")
        wait_for(page, MAY_GUESS, "1")
        assert page.title().startswith("● Your turn: guess 1")
        assert page.get_attribute(icon, "href") != quiet
        page.click("[popovertarget=menu]")
        page.click("[data-notify]")
        page.keyboard.press("Escape")
        guess(page, "0123", 1)
        wait_for(page, WATCHES, True)
        assert page.get_attribute(icon, "href") == quiet
        assert not page.title().startswith("●")
        page.evaluate("sessionStorage.hidden = 'yes'")
        guess(friend, "4567", 1)
        wait_for(page, "shown.length", 1)
        assert page.evaluate("shown")[0].startswith("● Your turn: guess 2")
        assert page.title().startswith("● Your turn: guess 2")
