"""The end of a puzzle: on one screen, without movement, with what to do next."""

import re
from datetime import date

from playwright.sync_api import Page, expect

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle
from tests.browser.conftest import BLANK, Visit, each_language
from tests.support.browsers.playing import SMALL_PHONE, guess, in_windows, overflow

PRACTICE = "/guess/p4c10n/k3f9"  # 4620
WRONG = ("0123", "4567", "8901", "2345", "6789", "0246", "1357", "9876")
PARTS = ("tr:last-child .slot", ".result", ".end .tally", ".to-review", "[data-share]")
"""What the first screen shows: the found code, the result, the bars, the buttons."""

OUTSIDE = """(parts) => parts.filter((part) => {
  const { top, bottom, left, right } = document.querySelector(part).getBoundingClientRect();
  return top < 40 || left < 0 || bottom > innerHeight || right > innerWidth;
})"""


def store_games(page: Page, rules: str) -> None:
    games = "".join(f"guess-{rules} s{turns}/ {turns}\\n" for turns in (3, 5, 6, 14))
    page.evaluate(f"localStorage.games = '{games}'")


@each_language
def test_end_is_one_screen(visit: Visit, site: str, prefix: str, today: date):
    page = visit(BLANK)
    store_games(page, "p4c10n")
    page.goto(f"{site}{prefix}/guess/p4c10n/{today}/{'-'.join(WRONG[:7])}?limit=8")
    guess(page, WRONG[7])
    expect(page.locator(".end .tally")).to_be_visible()
    for size in in_windows(page, (360, 640), (375, 553), (320, 480), (640, 400), (1280, 800)):
        assert page.evaluate(OUTSIDE, [".solution", *PARTS[1:]]) == [], size
        assert overflow(page) <= 0
        tall = "document.documentElement.scrollHeight - innerHeight"
        assert page.evaluate(tall) <= 0, "only the rows scroll"
        assert page.locator(".rows").evaluate("rows => rows.scrollTop") == 0, "at their end"


def test_next_puzzle_is_one_that_is_not_solved(visit: Visit, site: str, today: date):
    page = visit(BLANK)
    end = f"{site}/guess/p4c10n/{today}/reveal"
    following = page.locator("[data-next]:not([hidden])")
    other = f"p4c6r/{today}"
    for record, href in (("", other), (f"{other} u0011 \\n", other), (f"{other} k \\n", "p4c10n")):
        page.evaluate(f"localStorage.puzzles = '1\\n{record}'")
        page.goto(end)
        expect(following).to_have_count(1)
        expect(following).to_have_attribute("href", f"/guess/{href}")


def test_results_of_the_day_are_sent_once_unless_switched_off(visit: Visit, site: str, today: date):
    rules = Rules.parse("p4c10n")
    secret = rules.text(Puzzle(rules, str(today), None).secret)
    start = f"/guess/p4c10n/{today}/{'0123' if secret != '0123' else '4567'}"
    page = visit(BLANK)
    sent = []
    page.on("request", lambda each: sent.append(each.method) if "/results" in each.url else None)
    page.evaluate("localStorage.counted = 'no'")
    page.goto(site + start)
    guess(page, secret)
    switch = page.get_by_label("Count my result")
    expect(switch).not_to_be_checked()
    expect(page.locator(".players")).to_be_hidden()
    assert sent == []
    switch.check()
    expect(page.locator(".players .here td").last).to_have_text(re.compile("[1-9]"))
    page.reload()
    expect(page.locator(".players")).to_be_visible()
    assert (sent[0], set(sent[1:])) == ("POST", {"GET"})
    page.route("**/results*", lambda route: route.fulfill(status=503))
    page.reload()
    expect(page.locator(".day-next dd").first).to_have_text(re.compile(":"))
    expect(page.locator(".players")).to_be_hidden()


STANDINGS = {
    "Better than 100% of players": [0, 1, 3],
    "Better than 29% of players": [2, 4, 1, 1],
    "Same as 100% of players": [0, 5],
    "Same as 50% of players": [2, 3],
    "": [3, 1],
}
"""Results of all players by turn, and how a result of two turns compares with them."""


def test_result_is_compared_only_with_results_that_are_no_better(
    visit: Visit, site: str, today: date
):
    """The second number includes this result."""
    rules = Rules.parse("p4c10n")
    secret = rules.text(Puzzle(rules, str(today), None).secret)
    page = visit(BLANK)
    shown = [0, 1]
    page.route("**/results*", lambda route: route.fulfill(json={"distribution": shown}))
    page.goto(f"{site}/guess/p4c10n/{today}/{'0123' if secret != '0123' else '4567'}")
    guess(page, secret)
    standing = page.locator(".counted strong")
    count = page.locator(".players .here td").last
    expect(count).to_have_text("1")
    expect(standing).to_be_hidden()
    for words, shown in STANDINGS.items():
        page.reload()
        expect(count).to_have_text(str(shown[1]))
        expect(standing).to_be_visible(visible=bool(words))
        if words:
            expect(standing).to_have_text(words)


LAST_SLOT = "getComputedStyle(document.querySelector('.past tr:last-child .slot')).backgroundColor"


def test_row_of_the_code_stays_green(visit: Visit):
    page = visit(f"{PRACTICE}/0123")
    plain = page.evaluate(LAST_SLOT)
    guess(page, "4620")
    page.wait_for_function(f"plain => {LAST_SLOT} !== plain", arg=plain)
    green = page.evaluate(LAST_SLOT)
    page.reload()
    assert page.evaluate(LAST_SLOT) == green
    page.goto(page.url.replace("/4620", "/reveal").replace("-4620", "/reveal"))
    expect(page.locator("h1.result")).to_contain_text("You gave up")
    assert page.evaluate(LAST_SLOT) == plain


def test_calendar_leads_to_the_result_of_a_solved_puzzle(visit: Visit, site: str, today: date):
    page = visit(BLANK)
    button = page.locator(".days > .actions .button")
    states = {
        "": "Play the daily puzzle",
        "u0123 ": "Continue",
        " 0123-4567": "See your result",
        "k ": "See the result",
    }
    for record, words in states.items():
        page.evaluate(f"localStorage.puzzles = '1\\n{record and f'p4c10n/{today} {record}'}\\n'")
        page.goto(f"{site}/daily")
        expect(button.locator("span:visible")).to_have_text(words)


SHARE = "void Object.assign(navigator, { share: async ({ text }) => { window.shared = text; } })"


def test_result_is_offered_to_other_apps_on_phones(visit: Visit, site: str):
    page = visit(f"{PRACTICE}/0123-4620", **SMALL_PHONE)
    page.evaluate(SHARE)
    page.locator("[data-share]").tap()
    page.wait_for_function("() => window.shared")
    first, *answers, link = page.evaluate("window.shared").splitlines()
    assert first.startswith("Bulls & Cows, k3f9: 2 turns")
    assert (answers[-1], link) == ("🐂🐂🐂🐂", f"{site}{PRACTICE}")
    expect(page.locator("[data-share]")).to_have_text("Share result")


def test_result_is_a_text_field_without_javascript(visit: Visit, site: str):
    page = visit(f"{PRACTICE}/0123-4620", java_script_enabled=False)
    field = page.get_by_label("Your result")
    expect(field).to_be_visible()
    assert field.input_value().splitlines()[-1] == f"{site}{PRACTICE}"
    expect(page.locator("[data-share]")).to_be_hidden()


def test_new_puzzle_is_offered_after_midnight(own_page: Page, site: str, today: date):
    page = own_page
    page.clock.install(time=f"{today}T23:59:50Z")
    page.goto(f"{site}/guess/p4c10n/{today}/reveal")
    expect(page.locator(".day-next dd").first).to_have_text(re.compile(r"^00:00:\d\d$"))
    expect(page.locator(".day-next a")).to_be_hidden()
    page.clock.run_for(11_000)
    expect(page.locator(".day-next a")).to_have_attribute("href", "/guess/p4c10n/today")
    expect(page.locator(".day-next a")).to_be_visible()
    expect(page.locator(".day-next dd").first).to_be_hidden()
