"""The daily puzzle on the start page: its state, the streak, and the file of games."""

import json
import re
import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from bullscows_web.guess.puzzle import Puzzle
from bullscows_web.trees.library import Library
from tests import ROOT
from tests.browser.conftest import BLANK, Visit
from tests.support.browsers.axe import too_faint_in_the_dark, violations
from tests.support.browsers.playing import SMALL_PHONE, guess, overflow


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library with one tree: the puzzle does not depend on the tree."""
    folder = tmp_path_factory.mktemp("daily")
    shutil.copy(ROOT / "trees" / "avg-bulls-cows.json", folder)
    return Library.open(folder)


def secret(library: Library, day: date) -> str:
    puzzle = Puzzle.parse(library, "p4c10n", day.isoformat())
    return puzzle.rules.text(puzzle.secret)


def state(page: Page) -> str:
    """Return the state that the card shows once it is in view."""
    page.locator(".day-card").scroll_into_view_if_needed()
    expect(page.locator(".day-next dd")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    shown = page.locator(".day-state [data-state]:not([hidden])")
    return str(shown.get_attribute("data-state"))


def test_day_is_new_then_under_way_then_solved(
    visit: Visit, site: str, today: date, library: Library
):
    code = secret(library, today)
    other = next(each for each in ("0123", "4567") if each != code)
    page = visit("/?lang=en")
    assert state(page) == "new"
    page.locator(".day-card a.primary").click()
    page.locator(".rows .try-skip").click()  # the first screen after home asks a question
    guess(page, other)
    page.wait_for_function("end => localStorage.puzzles?.includes(end)", arg=other)
    page.goto(f"{site}/?lang=en")
    assert state(page) == "open"
    page.goto(f"{site}/daily")
    expect(page.locator(".days .clock")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    expect(page.locator(".month .begun")).to_have_attribute("aria-current", "date")
    expect(page.locator("[data-figure=solved]")).to_be_hidden()
    page.goto(f"{site}/?lang=en")
    assert state(page) == "open"
    page.get_by_role("link", name="Continue", exact=True).click()
    expect(page).to_have_url(f"{site}/guess/p4c10n/{today}/{other}")
    guess(page, code)
    page.wait_for_function("end => localStorage.puzzles.includes(end)", arg=f"{other}-{code}")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".week li")).to_have_text([re.compile("^– ")] * 6 + [re.compile("^2 ")])
    page.goto(f"{site}/?lang=en")
    assert state(page) == "solved"
    page.goto(f"{site}/daily")
    expect(page.locator(".month .solved strong")).to_have_text("2")
    for figure, value in (("solved", "1"), ("streak", "1"), ("best", "1"), ("mean", "2")):
        expect(page.locator(f"[data-figure={figure}]")).to_have_text(value)
    page.goto(f"{site}/?lang=en")
    expect(page.locator(".day-state :not([hidden]) > .day-turns")).to_have_text("2")
    expect(page.locator(".day-row dd")).to_have_text("1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    page.locator("[data-copy=day-text]").click()
    expect(page.locator("#status")).to_have_text("Copied")
    first, *answers, link = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert first == f"Bulls & Cows, {today}: 2"
    assert link == f"{site}/guess/p4c10n/{today}"
    assert answers[1:] == ["🐂🐂🐂🐂"]
    assert set(answers[0]) <= set("🐂🐄–")
    assert code not in f"{first}{answers}"
    assert other not in f"{first}{answers}"


def test_streak_counts_days_solved_on_the_day(visit: Visit, site: str, today: date):
    page = visit("/?lang=en")
    for solved, row in (((1, 2), "2"), ((0, 1, 2), "3"), ((2, 3), ""), ((0, 2), "1")):
        days = sorted(today - timedelta(days=ago) for ago in solved)
        text = "".join(f"p4c10n/{day}\n" for day in days)
        page.evaluate("text => { localStorage.days = text; }", f"1\n{text}")
        page.goto(f"{site}/?lang=en")
        state(page)
        expect(page.locator(".day-row dd")).to_have_text(row or "0")
        expect(page.locator(".day-row")).to_be_visible(visible=bool(row))


def test_puzzle_of_another_day_does_not_extend_the_streak(visit: Visit, library: Library):
    page = visit("/guess/p4c10n/2026-11-20")
    guess(page, secret(library, date(2026, 11, 20)))
    assert page.evaluate("localStorage.days") is None


GAMES = "guess-p4c10n k3f9/ 5\n"
FILE = {"format": "bullscows-games-1", "games": GAMES, "days": "1\np4c10n/2026-11-20\n"}
FILE |= {"puzzles": "1\np4c10n/k3f9 u0123 0123-4620\n"}


def load_file(page: Page, text: str) -> str:
    page.locator(".games-file summary").click()
    expect(page.locator("[data-save]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    file = FilePayload(name="games.json", mimeType="application/json", buffer=text.encode())
    page.set_input_files(".games-file input", file)
    said = page.locator(".games-file .said")
    expect(said).not_to_be_empty()
    return str(said.text_content())


def test_file_moves_games_to_another_browser(visit: Visit, tmp_path: Path):
    page = visit("/privacy")
    page.evaluate("localStorage.games = 'guess-p4c10n s1/ 4\\n'")
    assert "are here now" in load_file(page, json.dumps(FILE))
    assert page.evaluate("localStorage.games") == f"{GAMES}guess-p4c10n s1/ 4\n"
    assert page.evaluate("localStorage.puzzles") == FILE["puzzles"]
    with page.expect_download() as download:
        page.locator("[data-save]").click()
    download.value.save_as(tmp_path / "games.json")
    saved = json.loads((tmp_path / "games.json").read_text(encoding="utf-8"))
    assert saved == FILE | {"games": f"{GAMES}guess-p4c10n s1/ 4\n"}


def test_file_keeps_the_help_used_in_an_open_puzzle(visit: Visit):
    page = visit("/privacy")
    page.evaluate("localStorage.puzzles = '1\\np4c10n/k3f9 h2.u0123 \\np4c10n/s1 k \\n'")
    open_there = "1\np4c10n/k3f9 h1-2.u4567 \np4c10n/s1 h3 \n"
    load_file(page, json.dumps(FILE | {"puzzles": open_there}))
    united = "1\np4c10n/k3f9 h1-2.u0123-4567 \np4c10n/s1 k \n"
    assert page.evaluate("localStorage.puzzles") == united


INVALID = (
    *("", "{}", "[1]", "null", json.dumps(FILE)[:-1]),
    json.dumps(FILE | {"format": "bullscows-games-2"}),
    json.dumps(FILE | {"games": "guess-p4c10n k3f9/ 0\n"}),
    json.dumps(FILE | {"puzzles": "1\np4c10n/k3f9 <b> \n"}),
    json.dumps(FILE | {"days": ["p4c10n/2026-11-20"]}),
    json.dumps(FILE | {"more": ""}),
    json.dumps({name: text for name, text in FILE.items() if name != "days"}),
    json.dumps(FILE | {"games": GAMES * 60_000}),
)


def test_invalid_file_changes_nothing(visit: Visit):
    """All in one page; the message is cleared before the next file."""
    page = visit("/privacy")
    page.evaluate("localStorage.games = 'guess-p4c10n s1/ 4\\n'")
    before = page.evaluate("JSON.stringify(localStorage)")
    for text in INVALID:
        assert "nothing was changed" in load_file(page, text), text[:200]
        assert page.evaluate("JSON.stringify(localStorage)") == before, text[:200]
        page.locator(".games-file .said").evaluate("said => { said.textContent = ''; }")
        page.locator(".games-file summary").click()


def test_without_javascript_there_is_a_link(visit: Visit, today: date):
    page = visit("/?lang=en", java_script_enabled=False)
    link = page.locator(".day-card a.primary")
    expect(link).to_have_attribute("href", f"/guess/p4c10n/{today}")
    expect(link).to_have_text(re.compile("Guess it"))
    for part in (".day-next", ".day-card [data-copy]", ".day-turns"):
        expect(page.locator(part).first).to_be_hidden()


def test_card_is_accessible_and_fits(visit: Visit, today: date):
    page = visit("/ru/", color_scheme="light", reduced_motion="reduce", **SMALL_PHONE)
    page.evaluate(
        """day => { localStorage.puzzles = `1\\np4c10n/${day} u0123 0123-4620\\n`;
        localStorage.days = `1\\np4c10n/${day}\\n`; }""",
        str(today),
    )
    page.reload()
    assert state(page) == "solved"
    assert overflow(page) <= 0
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page) <= 0
    assert too_faint_in_the_dark(page) == []


MIDNIGHT = "T23:59:30Z"


def test_puzzle_begun_before_midnight_counts_for_its_day(
    own_page: Page, site: str, today: date, library: Library
):
    code = secret(library, today)
    other = next(each for each in ("0123", "4567") if each != code)
    page = own_page
    page.goto(site + BLANK)
    page.evaluate(
        "days => { localStorage.days = days; }", f"1\np4c10n/{today - timedelta(days=1)}\n"
    )
    page.clock.install(time=f"{today}{MIDNIGHT}")
    page.goto(f"{site}/guess/p4c10n/{today}")
    guess(page, other)
    page.wait_for_function("end => localStorage.begun?.includes(end)", arg=str(today))
    page.clock.fast_forward(60_000)
    guess(page, code)
    page.wait_for_function("end => localStorage.days.includes(end)", arg=str(today))
    page.goto(f"{site}/?lang=en")
    state(page)
    expect(page.locator(".day-row dd")).to_have_text("2")


def test_open_start_page_shows_the_puzzle_of_the_new_day(own_page: Page, site: str, today: date):
    tomorrow = str(today + timedelta(days=1))
    asked: list[Route] = []
    page = own_page
    page.clock.install(time=f"{today}{MIDNIGHT}")
    page.goto(f"{site}/?lang=en")
    assert state(page) == "new"
    page.route(f"{site}/", lambda route: asked.append(route))
    with page.expect_request(f"{site}/"):
        page.clock.fast_forward(31_000)
        page.clock.run_for(10_000)
    expect(page.locator("#day-puzzle[aria-busy=true]")).to_have_count(1)
    late, *_ = asked  # by a clock that is late
    late.continue_()
    expect(page.locator("#day-puzzle[aria-busy=true]")).to_have_count(0)
    page.unroute(f"{site}/")
    page.route(f"{site}/", lambda route: of_another_day(route, str(today), tomorrow))
    page.clock.run_for(10_000)
    expect(page.locator("#day-puzzle")).to_have_attribute("data-day", tomorrow)
    expect(page.locator(".day-card a.primary")).to_have_attribute("href", re.compile(tomorrow))
    expect(page.locator(".day-best")).to_be_visible()


def of_another_day(route: Route, today: str, other: str) -> None:
    """Answer as the server would on another day."""
    page = route.fetch()
    route.fulfill(response=page, body=page.text().replace(today, other))
