"""Puzzles in a browser's storage: a code that was shown before does not count as found."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import BLANK, Visit, each_language
from tests.support.browsers.axe import violations
from tests.support.browsers.playing import DESKTOP, SMALL_PHONE, guess, open_details, overflow

DAY = "/guess/p4c10n/2026-11-21"
SECRET = "8450"
KNOWN = "the code was known already"


def result(page: Page) -> str:
    """Return the first line of the result to share."""
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", SECRET)
    return str(page.locator("#result").text_content()).strip().splitlines()[0]


def kept(page: Page) -> str:
    return str(page.evaluate("localStorage.puzzles"))


def expect_aided(page: Page) -> None:
    assert result(page).endswith(f"1 turn, {KNOWN}")
    assert page.locator(".review-later").count() == 0
    expect(page.locator(".end .tally")).to_be_hidden()
    expect(page.locator(".helped")).to_be_visible()


@each_language
def test_code_shown_after_giving_up_does_not_count_as_found(visit: Visit, prefix: str):
    page = visit(prefix + DAY)
    page.locator("[popovertarget=menu]").click()
    page.locator("a[href$='/reveal']").click()
    expect(page.locator("[data-secret]")).to_be_visible()
    page.go_back()
    expect(page.locator(".known")).to_be_visible()
    guess(page, SECRET)
    expect(page.locator(".helped")).to_be_visible()
    assert page.locator(".review-later").count() == 0
    assert "%" not in result(page)
    expect(page.locator(".end .tally")).to_be_hidden()
    assert page.evaluate("localStorage.games") is None, "and no game is counted"


def test_giving_up_is_remembered_on_another_visit(visit: Visit, site: str):
    page = visit(f"{DAY}/0123/reveal")
    page.goto(site + DAY)
    expect(page.locator(".known")).to_be_visible()
    guess(page, SECRET)
    expect_aided(page)


def test_shared_end_counts_as_seen(visit: Visit, site: str):
    page = visit(f"{DAY}/0123-{SECRET}")
    assert result(page).endswith(": 2 turns"), "it is shown as it was shared"
    page.goto(site + DAY)
    guess(page, SECRET)
    expect_aided(page)


def test_open_page_knows_what_another_tab_has_shown(visit: Visit, site: str):
    """Another tab gives up, and this page is not loaded again."""
    page = visit(DAY)
    other = page.context.new_page()
    other.goto(f"{site}{DAY}/reveal")
    other.close()
    guess(page, SECRET)
    expect(page.locator(".helped")).to_be_visible()
    expect_aided(page)
    assert page.evaluate("localStorage.games") is None


def test_undone_guesses_and_hints_are_in_the_result(visit: Visit):
    page = visit(DAY, **DESKTOP)
    page.get_by_role("link", name="Show hints").click()
    expect(page.locator(".hints")).to_be_visible()
    guess(page, "0123")
    page.get_by_role("link", name="No more hints").click()
    expect(page.locator(".hints")).to_have_count(0)
    guess(page, "4567")
    page.go_back()
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    guess(page, SECRET)
    assert result(page).endswith(": 2 turns, 2 hints, 1 guess taken back")
    assert page.locator(".review-later").count() == 0
    expect(page.locator(".end .tally-average")).to_have_text("3")
    page.reload()
    assert result(page).endswith(": 2 turns, 2 hints, 1 guess taken back")
    expect(page.locator(".end .tally-games")).to_have_text("1")


@each_language
def test_solved_day_stays_solved(visit: Visit, site: str, prefix: str):
    page = visit("/guess")
    page.goto(site + prefix + DAY)
    guess(page, "0123")
    guess(page, SECRET)
    first = result(page)
    end = page.url
    expect(page.locator(".end .tally-games")).to_have_text("1")
    for _ in range(2):
        page.goto(site + prefix + "/guess")
        page.goto(site + prefix + DAY)
        expect(page).to_have_url(end)
        assert result(page) == first
        expect(page.locator(".end .tally-games")).to_have_text("1")
    page.go_back()
    expect(page).to_have_url(f"{site}{prefix}/guess")
    page.go_forward()
    page.locator("[popovertarget=menu]").click()
    page.locator("a[href$='?help=k']").last.click()
    expect(page.locator(".known")).to_be_visible()
    guess(page, SECRET)
    assert "%" not in result(page)
    expect(page.locator(".end .tally-games")).to_have_text("1")
    page.goto(site + prefix + DAY)
    expect(page).to_have_url(end)


def test_own_game_is_shown_as_it_was_played(visit: Visit, site: str):
    page = visit(DAY)
    guess(page, "0123")
    page.locator(".undo a").click()
    expect(page.locator(".ledger")).to_have_count(0)
    guess(page, SECRET)
    page.wait_for_function("end => localStorage.puzzles.trim().endsWith(end)", arg=f" {SECRET}")
    page.goto(f"{site}{DAY}/{SECRET}")
    expect(page).to_have_url(f"{site}{DAY}/{SECRET}?help=u0123")
    assert result(page).endswith(": 1 turn, 1 guess taken back")


GOOD = "1\np4c10n/2026-11-21 u0123 8450\n"


DAMAGED = (
    *("", "{}", GOOD.replace("1\n", "2\n", 1), GOOD.replace("8450\n", "8450"), f"{GOOD}p4c10n\n"),
    *(GOOD.replace("8450", "//evil.example"), GOOD.replace("u0123", "<b>")),
)


def test_damaged_record_is_ignored(visit: Visit, site: str):
    page = visit(BLANK)
    for record in DAMAGED:
        page.evaluate("text => { localStorage.clear(); localStorage.puzzles = text; }", record)
        page.goto(site + DAY)
        expect(page.locator("#guess")).to_be_visible()
        expect(page.locator(".known")).to_be_hidden()
        guess(page, SECRET)
        assert "known" not in result(page), record
        assert kept(page) == f"1\np4c10n/2026-11-21 u{SECRET} {SECRET}\n"
        page.goto(site + BLANK)


def test_valid_record_is_read_and_bounded(visit: Visit, site: str):
    page = visit(BLANK)
    lines = "".join(f"p4c10n/s{number} k \n" for number in range(1010))
    page.evaluate("text => localStorage.setItem('puzzles', text)", f"1\n{lines}")
    page.goto(f"{site}/guess/p4c10n/s1009")
    expect(page.locator(".known")).to_be_visible()
    page.goto(site + DAY)
    expect(page.locator("#guess")).to_be_visible()
    assert len(kept(page).splitlines()) == 1001
    assert kept(page).endswith("p4c10n/2026-11-21  \n")
    assert "s1009 " in kept(page)
    assert "s0 " not in kept(page)


def test_deleting_the_games_deletes_the_puzzles(visit: Visit):
    page = visit(DAY)
    guess(page, SECRET)
    page.get_by_role("button", name="Your results").click()
    page.locator(".forget summary").click()
    page.locator("[data-forget]").click()
    expect(page.locator("#status")).to_have_text("Deleted")
    assert page.evaluate("localStorage.length") == 0


def test_game_is_playable_without_storage(visit: Visit, site: str):
    page = visit(BLANK)
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException(name); } });"
    )
    page.goto(site + DAY)
    guess(page, "0123")
    guess(page, SECRET)
    assert result(page).endswith(": 2 turns")


def test_game_is_playable_with_full_storage(visit: Visit, site: str):
    page = visit(BLANK)
    page.goto(site + DAY)
    page.evaluate(
        """() => { let text = "x".repeat(1 << 22);
        for (let name = 0; text; name += 1) {
          try { localStorage.setItem(name, text); }
          catch { text = text.slice(0, text.length / 2); }
        } }"""
    )
    guess(page, "0123")
    guess(page, SECRET)
    assert result(page).endswith(": 2 turns")
    expect(page.locator(".no-results")).to_be_visible()
    page.evaluate("localStorage.clear()")
    page.reload()
    assert result(page).endswith(": 2 turns")


def test_puzzle_solved_in_two_tabs_counts_once(visit: Visit, site: str):
    page = visit(DAY)
    other = page.context.new_page()
    other.goto(site + DAY)
    guess(other, "0123", SECRET)
    expect(other.locator(".end .tally-games")).to_have_text("1")
    guess(page, SECRET)
    expect(page.locator(".helped")).to_be_visible()
    assert kept(page) == f"1\np4c10n/2026-11-21 u0123-{SECRET} 0123-{SECRET}\n"
    assert page.evaluate("localStorage.games") == "guess-p4c10n 2026-11-21/ 2\n"


def test_without_javascript_the_url_records_help(visit: Visit):
    page = visit(DAY, java_script_enabled=False)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Give up").click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator(".known")).to_be_visible()
    page.locator("#guess").fill(SECRET)
    page.locator("form.fill .primary").click()
    assert result(page).endswith(f"1 turn, {KNOWN}")
    assert page.locator(".review-later").count() == 0


@pytest.mark.parametrize(("scheme", "help"), [("light", "k"), ("dark", "h1-2.u4567")])
def test_aided_end_is_accessible_and_fits(visit: Visit, scheme: str, help: str):
    page = visit(f"/ru{DAY}/0123-{SECRET}?help={help}", color_scheme=scheme, **SMALL_PHONE)
    open_details(page)
    assert overflow(page) <= 0
    assert violations(page) == []


def test_solved_games_give_puzzles_that_win_in_two(visit: Visit):
    page = visit(BLANK)
    games = ("p4c10n/k3f9  7035-8923-8417-6524-4620", "p4c10n/k3f8  0123-4567", "p4c6r/k3f9  1104")
    lines = "\n".join(("1", *games, ""))
    page.evaluate("(lines) => { localStorage.puzzles = lines; }", lines)
    page.goto(page.url.replace(BLANK, "/guess"))
    links = page.locator(".own-puzzles a")
    expect(links).to_have_count(1)
    links.click()
    field = page.locator("#guess")
    field.fill("5678")
    field.press("Enter")
    expect(page.locator(".checked.wrong")).to_contain_text("leaves 2 codes")
    field.fill("4620")
    field.press("Enter")
    expect(page.locator(".checked:not(.wrong)")).to_contain_text("Each of the 4 codes")
    expect(page.locator(".onward .primary")).to_be_visible()
