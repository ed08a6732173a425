"""The tally of finished games, which this browser alone keeps."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import BLANK, Visit
from tests.support.drivers.axe import too_faint_in_the_dark, violations

BULLS_COWS = "/play/avg-bulls-cows"
FIVE_TURNS = ("0.2", "1.2", "0.3", "3.0", "4.0")


def play(page: Page, site: str, start: str, answers: tuple[str, ...]) -> None:
    page.goto(site + start)
    for turn, answer in enumerate(answers, start=1):
        page.locator(f"[data-answer='{answer}']").click()
        expect(page.locator(".ledger tbody tr")).to_have_count(turn)


def tally(page: Page) -> dict[str, str]:
    """The number of games, their average, and how many ended at each turn that is shown."""
    expect(page.locator(".tally")).to_be_visible()
    rows = page.locator(".tally tbody tr:visible").all()
    return {
        "games": page.locator(".tally-games").inner_text(),
        "average": page.locator(".tally-average").inner_text(),
        "turns": " ".join(row.locator("td").last.inner_text() for row in rows),
    }


def test_finished_games_are_counted_by_turn(visit: Visit, site: str):
    page = visit(BLANK)
    play(page, site, f"{BULLS_COWS}/k3", FIVE_TURNS)
    assert tally(page) == {"games": "1", "average": "5", "turns": "0 0 0 0 1"}
    play(page, site, "/ru/play/crush-bulls-cows/k4", ("4.0",))
    assert tally(page) == {"games": "2", "average": "3", "turns": "1 0 0 0 1"}
    play(page, site, f"/ru{BULLS_COWS}/k5", FIVE_TURNS)
    assert tally(page) == {"games": "3", "average": "3,67", "turns": "1 0 0 0 2"}


def test_what_counts_has_come_before_the_end(visit: Visit, site: str):
    """Else whoever leaves at once on a slow line loses the game."""
    page = visit(BLANK)
    page.goto(f"{site}{BULLS_COWS}/k3")
    with page.expect_request(lambda request: "tally.js" in request.url):
        page.locator("[data-answer='0.2']").click()


def test_game_counts_once_on_reload_back_and_undo(visit: Visit, site: str):
    page = visit(BLANK)
    play(page, site, f"{BULLS_COWS}/k3", FIVE_TURNS)
    once = tally(page)
    page.reload()
    assert tally(page) == once
    page.go_back()
    expect(page.locator("[data-guess]")).to_be_visible()
    page.go_forward()
    assert tally(page) == once
    page.locator(".undo a").last.click()
    page.locator("[data-answer='4.0']").click()
    assert tally(page) == once


def test_tally_is_accessible_and_fits(visit: Visit, site: str):
    page = visit(
        BLANK,
        color_scheme="light",
        viewport={"width": 320, "height": 640},
        reduced_motion="reduce",
    )
    play(page, site, f"/ru{BULLS_COWS}/k3", FIVE_TURNS)
    page.locator(".forget summary").click()
    assert tally(page)["games"] == "1"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert too_faint_in_the_dark(page) == []


def test_each_kind_of_game_has_its_tally(visit: Visit, site: str):
    page = visit(BLANK)
    play(page, site, f"{BULLS_COWS}/k3", FIVE_TURNS)
    play(page, site, "/play/avg-mastermind/0", ("2.0", "2.2", "4.0"))
    assert tally(page) == {"games": "1", "average": "3", "turns": "0 0 1"}


def test_shared_link_is_not_a_game_of_ones_own(visit: Visit, site: str):
    page = visit(f"{BULLS_COWS}/0/{'-'.join(FIVE_TURNS)}")
    expect(page.locator(".tally")).to_be_hidden()
    page.goto(f"{site}{BULLS_COWS}/k3")
    page.goto(f"{site}{BULLS_COWS}/k3/{'-'.join(FIVE_TURNS)}")
    expect(page.locator(".tally")).to_be_hidden()


def test_games_can_be_forgotten(visit: Visit, site: str):
    page = visit(BLANK)
    play(page, site, f"{BULLS_COWS}/k3", FIVE_TURNS)
    page.locator(".forget summary").click()
    page.locator("[data-forget]").click()
    expect(page.locator(".tally")).to_be_hidden()
    expect(page.locator("#status")).to_have_text("Forgotten")
    page.reload()
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".tally")).to_be_hidden()
    kept = page.evaluate("Object.keys(localStorage)")
    assert kept == ["choices"], "what was chosen is no game"


def test_same_game_counts_each_time_it_is_played(visit: Visit, site: str):
    """An unshuffled game has the same address every time."""
    page = visit(BLANK)
    for times in ("1", "2", "3"):
        play(page, site, f"{BULLS_COWS}/0", FIVE_TURNS)
        assert tally(page) == {"games": times, "average": "5", "turns": f"0 0 0 0 {times}"}
        page.reload()
        assert tally(page)["games"] == times


def test_game_played_again_by_its_button_counts_again(visit: Visit, site: str):
    page = visit(BLANK)
    play(page, site, f"{BULLS_COWS}/0", ("4.0",))
    page.get_by_role("link", name="Play again").click()
    page.locator("[data-answer='4.0']").click()
    assert tally(page)["games"] == "2"


GOOD = "p4c10n 1763700000000 7\n"


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "p4c10n x/y/z\n<b>",
        '{"a":1}',
        f"{GOOD}p4c10n 1 0\n",
        f"{GOOD}p4c10n 1 7",
        GOOD.replace("7\n", "7000\n"),
    ],
)
def test_what_is_damaged_is_not_believed(visit: Visit, site: str, kept: str):
    page = visit(BLANK)
    page.evaluate("text => localStorage.setItem('games', text)", kept)
    play(page, site, f"{BULLS_COWS}/k3", ("4.0",))
    assert tally(page) == {"games": "1", "average": "1", "turns": "1"}
    assert page.evaluate("localStorage.games.split('\\n').length") == 2


def test_what_is_kept_is_believed(visit: Visit, site: str):
    page = visit(BLANK)
    page.evaluate("text => localStorage.setItem('games', text)", GOOD)
    play(page, site, f"{BULLS_COWS}/k3", ("4.0",))
    assert tally(page) == {"games": "2", "average": "4", "turns": "1 0 0 0 0 0 1"}


def test_browser_that_keeps_nothing_shows_no_tally(visit: Visit, site: str):
    page = visit(BLANK)
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException(name); } });"
    )
    play(page, site, f"{BULLS_COWS}/k3", FIVE_TURNS)
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".tally")).to_be_hidden()


def test_no_tally_without_javascript(visit: Visit, site: str):
    page = visit(BLANK, java_script_enabled=False)
    play(page, site, f"{BULLS_COWS}/k3", FIVE_TURNS)
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".tally")).to_be_hidden()
