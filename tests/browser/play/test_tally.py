"""The tally of finished games, which only this browser stores."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import BLANK, Visit
from tests.support.browsers.axe import too_faint_in_the_dark, violations
from tests.support.browsers.playing import answer, overflow

BULLS_COWS = "/play/avg-bulls-cows"
FIVE_TURNS = ("0.2", "1.2", "0.3", "3.0", "4.0")


def finish(page: Page, site: str, start: str, answers: tuple[str, ...] = FIVE_TURNS) -> None:
    """Open a game before its last answer, and give that answer."""
    page.goto(f"{site}{start}/{'-'.join(answers[:-1])}".rstrip("/"))
    answer(page, answers[-1])


def tally(page: Page) -> dict[str, str]:
    """The number of games, their mean, and how many ended at each turn."""
    expect(page.locator(".tally")).to_be_visible()
    rows = page.locator(".tally tbody tr:visible").all()
    return {
        "games": page.locator(".tally-games").inner_text(),
        "average": page.locator(".tally-average").inner_text(),
        "turns": " ".join(row.locator("td").last.inner_text() for row in rows),
    }


def test_finished_games_are_counted_by_turn_for_each_game(visit: Visit, site: str):
    page = visit(BLANK)
    page.goto(f"{site}{BULLS_COWS}/k3")
    answer(page, *FIVE_TURNS)
    assert tally(page) == {"games": "1", "average": "5", "turns": "0 0 0 0 1"}
    finish(page, site, "/ru/play/crush-bulls-cows/k4", ("4.0",))
    assert tally(page) == {"games": "2", "average": "3", "turns": "1 0 0 0 1"}
    finish(page, site, f"/ru{BULLS_COWS}/k5")
    assert tally(page) == {"games": "3", "average": "3,67", "turns": "1 0 0 0 2"}
    finish(page, site, "/play/avg-mastermind/0", ("2.0", "2.2", "4.0"))
    assert tally(page) == {"games": "1", "average": "3", "turns": "0 0 1"}


def test_script_that_counts_loads_before_the_end(visit: Visit):
    """Otherwise a visitor who leaves at once on a slow line loses the game."""
    page = visit(f"{BULLS_COWS}/k3")
    with page.expect_request(lambda request: "tally.js" in request.url):
        page.locator("[data-answer='0.2']").click()


def test_game_counts_once_after_reload_back_and_undo(visit: Visit, site: str):
    page = visit(BLANK)
    finish(page, site, f"{BULLS_COWS}/k3")
    once = tally(page)
    page.reload()
    assert tally(page) == once
    page.go_back()
    expect(page.locator("[data-guess]").last).to_be_visible()
    page.go_forward()
    assert tally(page) == once
    page.locator(".undo a").last.click()
    page.locator("[data-answer='4.0']").click()
    assert tally(page) == once


def test_tally_is_accessible_fits_and_can_be_deleted(visit: Visit, site: str):
    page = visit(
        BLANK, color_scheme="light", viewport={"width": 320, "height": 640}, reduced_motion="reduce"
    )
    finish(page, site, f"/ru{BULLS_COWS}/k3")
    page.locator(".forget summary").click()
    assert tally(page)["games"] == "1"
    assert overflow(page) <= 0
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 640})
    assert overflow(page) <= 0
    assert too_faint_in_the_dark(page) == []
    page.locator("[data-forget]").click()
    expect(page.locator(".tally")).to_be_hidden()
    expect(page.locator("#status")).not_to_be_empty()
    page.reload()
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".tally")).to_be_hidden()
    kept = page.evaluate("Object.keys(localStorage)")
    assert sorted(kept) == ["asked", "choices"], "what was chosen or answered is no game"


def test_same_game_counts_each_time_it_is_played(visit: Visit, site: str):
    """An unshuffled game has the same URL every time."""
    page = visit(f"{BULLS_COWS}/0")
    answer(page, "4.0")
    assert tally(page)["games"] == "1"
    page.goto(f"{site}{BULLS_COWS}/0")
    answer(page, "4.0")
    assert tally(page) == {"games": "2", "average": "1", "turns": "2"}
    page.get_by_role("link", name="Play again").click()
    page.locator("[data-answer='4.0']").click()
    assert tally(page)["games"] == "3"


STORED = "p4c10n 1763700000000 7\n"


DAMAGED = (
    *("", "p4c10n x/y/z\n<b>", '{"a":1}', f"{STORED}p4c10n 1 0\n", f"{STORED}p4c10n 1 7"),
    STORED.replace("7\n", "7000\n"),
)


def test_stored_tally_is_read_and_a_damaged_one_ignored(visit: Visit, site: str):
    page = visit(BLANK)
    for stored in (*DAMAGED, STORED):
        page.evaluate("text => { localStorage.clear(); localStorage.games = text; }", stored)
        finish(page, site, f"{BULLS_COWS}/k3", ("4.0",))
        if stored == STORED:
            assert tally(page) == {"games": "2", "average": "4", "turns": "1 0 0 0 0 0 1"}
        else:
            assert tally(page) == {"games": "1", "average": "1", "turns": "1"}, stored
            assert page.evaluate("localStorage.games.split('\\n').length") == 2


@pytest.mark.parametrize("script", [True, False], ids=["no storage", "no JavaScript"])
def test_no_tally_without_storage_or_javascript(visit: Visit, site: str, script: bool):
    page = visit(BLANK, java_script_enabled=script)
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException(name); } });"
    )
    finish(page, site, f"{BULLS_COWS}/k3")
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".tally")).to_be_hidden()


def test_game_that_was_opened_by_a_link_does_not_count(visit: Visit, site: str):
    page = visit(f"{BULLS_COWS}/k3")
    page.goto(f"{site}{BULLS_COWS}/k3/{'-'.join(FIVE_TURNS)}")
    expect(page.locator(".tally")).to_be_hidden()
