"""Duels in a browser: by touch, by keyboard, without JavaScript."""

from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from bullscows.game.history import History, candidates
from bullscows.game.rules import Rules
from tests.browser.conftest import Visit
from tests.support.browsers.axe import too_faint_in_the_dark, violations
from tests.support.browsers.playing import SMALL_PHONE, cut_off, overflow, true_answer

BULLS_COWS = Rules.parse("p4c10n")


def answer(page: Page, mine: str) -> None:
    """Click the true answer to the computer's guess."""
    asked = str(page.locator(".guess-now [data-guess]").get_attribute("data-guess"))
    page.locator(f"a.cell[data-answer='{true_answer(page, 'p4c10n', mine)}']").click()
    expect(page.locator(f".guess-now [data-guess='{asked}']")).to_have_count(0)


def play(page: Page, mine: str, guess: object) -> str:
    """Play to the end; `guess` makes the visitor's guesses."""
    for _ in range(40):
        result = page.locator(".duel-result")
        if result.count():
            return str(result.get_attribute("data-result"))
        if page.locator("form.fill").count():
            before = page.locator("[aria-labelledby=mine] tr[data-guess]").count()
            guess(page)  # type: ignore[operator]
            expect(page.locator("[aria-labelledby=mine] tr[data-guess]")).to_have_count(before + 1)
        else:
            answer(page, mine)
    raise AssertionError("the duel does not end")


def click_the_offer(page: Page) -> None:
    """Click the consistent guess that the page offers."""
    page.locator(".fold summary").last.click()
    page.locator(".duel-tip a").click()


def type_the_offer(page: Page) -> None:
    code = str(page.locator(".duel-tip .unseen").first.text_content()).replace(" ", "")
    page.locator("#guess").focus()
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_duel_is_played_by_touch_with_what_the_page_offers(visit: Visit):
    page = visit("/duel", **SMALL_PHONE)
    page.locator("a.primary[href='/duel/p4c10n']").click()
    start = page.locator(".duel-start .primary")
    expect(start).to_be_in_viewport(ratio=1)
    start.click()
    page.wait_for_url("**/duel/p4c10n/**")
    result = play(page, "2718", click_the_offer)
    said = {"won": "You won!", "drawn": "", "lost": ""}[result]
    expect(page.locator(".duel-result")).to_contain_text(said)
    for width in (320, 360, 900, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert cut_off(page, ".duel-side .answer", ".duel-side") == [], width
        assert overflow(page) <= 0, width
    mine, theirs = (page.locator(f"[aria-labelledby={side}]") for side in ("mine", "theirs"))
    assert mine.evaluate("e => e.getBoundingClientRect().right") < theirs.evaluate(
        "e => e.getBoundingClientRect().left"
    )
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert cut_off(page, ".duel-side .answer", ".duel-side") == []
    assert overflow(page) <= 0
    width = mine.locator(".slot").first.evaluate("e => e.offsetWidth")
    assert width > 28, "tiles are not smaller than in a window of 320 px"


def test_duel_by_keyboard_keeps_the_focus_in_the_content(visit: Visit):
    page = visit("/duel/p4c10n/new?begins=computer")
    answer(page, "5079")
    type_the_offer(page)
    expect(page.locator("h1")).to_be_focused()
    assert play(page, "5079", type_the_offer) in {"won", "drawn", "lost"}


def test_two_digits_answer_the_computers_guess(visit: Visit):
    page = visit("/ru/duel/p4c10n/new?begins=computer")
    asked = page.locator("[data-guess]").get_attribute("data-guess")
    page.keyboard.type("31")
    expect(page.locator("#status")).to_contain_text("3 1")
    page.keyboard.type("11")
    expect(page.locator(f"[data-guess='{asked}'][data-answer='1.1']")).to_have_count(1)
    page.keyboard.type("4567")
    expect(page.locator("#guess")).to_have_value("4567")
    page.keyboard.press("Enter")
    expect(page.locator("[data-guess='4567'][data-answer]")).to_have_count(1)
    second = page.locator("[data-guess]").last.get_attribute("data-guess")
    given = str(page.locator("a[data-answer]").first.get_attribute("data-answer"))
    page.keyboard.type(given.replace(".", ""))
    expect(page.locator(f"[data-guess='{second}'][data-answer='{given}']")).to_have_count(1)


def test_duel_without_javascript(visit: Visit):
    page = visit("/duel/p4c10n/new?level=champion", java_script_enabled=False)
    page.locator("#guess").fill("0123")
    page.locator("form.fill .primary").click()
    answer(page, "5079")
    expect(page.locator("[aria-labelledby=theirs] tr[data-guess]")).to_have_count(1)


def test_both_boards_row_and_keypad_share_a_screen_of_a_phone(visit: Visit):
    """Even at the seventh guess; earlier guesses scroll."""
    page = visit("/duel/p4c10n/new?level=medium", **SMALL_PHONE)
    guesses = iter(("0123", "4567", "8901", "2345", "6789", "1357"))
    while page.locator("[aria-labelledby=mine] tr[data-guess]").count() < 6:
        if page.locator("form.fill").count():
            page.goto(f"{page.url}?guess={next(guesses)}")
        else:
            answer_to_prolong(page)
    if not page.locator("form.fill").count():
        answer_to_prolong(page)
    for part in (
        "[aria-labelledby=mine] tbody tr:last-child",
        "[aria-labelledby=theirs] tbody tr:last-child",
        *(".fill .slots", ".duel-bar", ".keypad .primary"),
    ):
        expect(page.locator(part).first).to_be_in_viewport(ratio=0.99)


def test_focus_ring_covers_no_word_of_a_duel(visit: Visit):
    page = visit("/duel/p4c10n/new", viewport={"width": 360, "height": 640}, has_touch=True)
    slot = page.locator(".fill .slot.now")
    bottom = slot.evaluate(
        """slot => {
          const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(slot);
          const ring = parseFloat(outlineOffset) + parseFloat(outlineWidth);
          return outlineStyle === "solid" && slot.getBoundingClientRect().bottom + ring;
        }"""
    )
    top = page.locator(".fill .prompt").evaluate("e => e.getBoundingClientRect().top")
    assert 0 < bottom <= top


def answer_to_prolong(page: Page) -> None:
    """Give the answer that leaves the computer most candidates, and does not end the game."""
    rows = page.locator("[aria-labelledby=theirs] tr[data-guess]").all()
    turns = [
        (str(r.get_attribute("data-guess")), str(r.get_attribute("data-answer"))) for r in rows
    ]
    left = candidates(BULLS_COWS, History.of(BULLS_COWS, turns))
    asked = str(page.locator(".guess-now [data-guess]").get_attribute("data-guess"))
    parts = BULLS_COWS.partition(BULLS_COWS.parse_code(asked), left.tolist())
    parts.pop(BULLS_COWS.win, None)
    answer = BULLS_COWS.answers[max(parts, key=lambda index: len(parts[index]))]
    page.locator(f"a.cell[data-answer='{answer}']").click()
    expect(page.locator(f".guess-now [data-guess='{asked}']")).to_have_count(0)


ALL_WIDTHS = (1280, 320)
"""Widths at which axe runs in the slow part."""
FEW_WIDTHS = (320,)
"""Widths at which axe runs otherwise."""


@pytest.mark.parametrize(
    ("prefix", "widths"),
    [
        ("/ru", FEW_WIDTHS),
        pytest.param("/ru", ALL_WIDTHS, marks=pytest.mark.slow),
        pytest.param("", ALL_WIDTHS, marks=pytest.mark.slow),
    ],
)
def test_pages_of_the_duel_are_accessible_and_fit(
    visit: Visit, prefix: str, widths: tuple[int, ...]
):
    """A duel from start to end, a friend's game, and a game against the adversary."""
    path = f"{prefix}/duel/friend/p4c10n"
    page = visit(path, color_scheme="light", reduced_motion="reduce")
    site = page.url.split("/duel/")[0]
    page.locator("#code").fill("4567")
    page.locator("main form button").first.click()
    friend = page.locator("#friend-link").get_attribute("href")
    assert friend is not None
    page.goto(f"{site}/duel/p4c10n/new?begins=you")
    duel = page.url
    ends = (f"{duel}/0123-4.0", f"{friend}/4567", f"{site}/duel/adversary/p4c10n/0123:0.0-4567:4.0")
    for path in (
        *(f"{site}/duel/p4c6r", duel, f"{duel}/0123-0.1", f"{duel}/0123-0.1-4567"),
        *(f"{duel}/0123-0.1-4567/none", f"{site}/duel/adversary/p4c6r/0011:0.0", f"{friend}/0123"),
        *ends,
    ):
        page.goto(urljoin(page.url, path))
        if path in ends:
            expect(page.locator(".to-review")).to_be_visible()
        check(page, widths)


def check(page: Page, widths: tuple[int, ...]) -> None:
    """Assert that a page is accessible in light and dark, and fits its window."""
    for width in (360, 1280, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert overflow(page) <= 0, (page.url, width)
        if width in widths:
            assert violations(page) == []
    assert too_faint_in_the_dark(page) == []
    page.emulate_media(color_scheme="light")
