"""A short match between two windows, one with sounds; the slow part has restarts and races."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.web.test_sound import RECORD, TURN, WIN, YOURS, expect_heard
from tests.support.browsers.contexts import hurry

IS_SEEN = """(part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === part;
}"""


def guess(page: Page, code: str, turn: int) -> None:
    """Type a guess when it is this window's turn, and send it."""
    expect(page.locator(f"#board[data-turn='{turn}']:has(form.fill.live)")).to_be_visible()
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    expect(page.locator(f"tr[data-guess='{code}'][data-answer]")).to_have_count(1)


def test_match_is_played_to_its_end_and_shows_no_code_before(browser: Browser, site: str):
    with browser.new_context() as mine, browser.new_context() as yours:
        ada = mine.new_page()
        bob = yours.new_page()
        for page in (ada, bob):
            hurry(page)
        ada.add_init_script(RECORD)
        ada.goto(f"{site}/preferences")
        ada.get_by_label("A note for each turn").check()
        ada.get_by_label("A pulse for each turn").check()
        ada.goto(f"{site}/match")
        ada.click("label:has([name=kind][value=match])")
        ada.fill("#code", "7039")
        ada.check("[name=begins][value=creator]")
        ada.click(".match-form .primary")
        ada.set_viewport_size({"width": 360, "height": 640})
        expect(ada.locator(".unscripted:visible")).to_have_count(0)
        ada.set_viewport_size({"width": 1280, "height": 720})
        invitation = str(ada.get_attribute("#invite", "href"))
        ada.locator("body").click(position={"x": 1, "y": 1})  # before that no page may sound
        bob.goto(invitation)
        bob.fill(".match-form [name=code]", "8264")
        bob.click(".match-form .primary")
        expect(bob.locator(".side > .terms[open]")).to_be_visible()
        assert bob.locator(".match-watch .prompt").evaluate(IS_SEEN), "its turn is covered"
        for turn, (first, second) in enumerate((("0123", "4567"), ("8264", "7098")), 1):
            expect_heard(ada, [*(YOURS + TURN) * (turn - 1), *YOURS], [*[2, 1] * (turn - 1), 2])
            assert "8264" not in ada.content()
            guess(ada, first, turn)
            assert "7039" not in bob.content()
            guess(bob, second, turn)
        expect_heard(ada, (YOURS + TURN) * 2 + WIN, [2, 1, 2, 1, 4])
        for page, heading in ((ada, "You won in 2 turns"), (bob, "Your friend won in 2 turns")):
            expect(page.locator("h1")).to_have_text(heading)
            expect(page.locator("tr[data-guess]")).to_have_count(4)
            assert {"7039", "8264"} == {
                str(code.get_attribute("data-secret"))
                for code in page.locator("[data-secret]").all()
            }
