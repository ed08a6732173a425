"""The analysis of any position in a browser: by keyboard alone, without JavaScript, with Back."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit, each_language
from tests.support.browsers.playing import expect_turns, in_windows, play, press_until

PAGE = "/analyse/p4c10n"


def test_position_and_its_turns_are_entered_by_keyboard_alone(visit: Visit):
    page = visit("/analyse")
    press_until(page, "Tab", "a[href='/analyse/p4c10n']")
    page.keyboard.press("Enter")
    expect(page.locator("[data-guess]")).to_be_visible()
    press_until(page, "Tab", "#guess")
    page.keyboard.type("9876")
    press_until(page, "Tab", "select[name=answer]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_turns(page, 1)
    expect(page).to_have_url(re.compile(r"h=9876:0\.1$"))
    expect(page.locator("h1")).to_be_focused()  # it stays with the position
    press_until(page, "Tab", "a[data-answer='1.1']")
    page.keyboard.press("Enter")
    expect_turns(page, 2)


SHAPES = """(chips) => chips.map((chip) => {
  const [bulls, cows] = [...chip.querySelectorAll(".count")]
    .map((part) => part.getBoundingClientRect());
  const { borderColor } = getComputedStyle(chip), isInside = chip.scrollWidth <= chip.clientWidth;
  return [chip.offsetWidth, chip.offsetHeight, borderColor, bulls.top === cows.top, isInside];
})"""
"""Returns size, border, whether the answer is in one line, and whether it is in its border."""


@each_language
@pytest.mark.parametrize("scripted", [True, False])
def test_first_turn_is_entered_on_the_first_screen(visit: Visit, prefix: str, scripted: bool):
    window = {"width": 320, "height": 568}
    page = visit(f"{prefix}/analyse", viewport=window, java_script_enabled=scripted)
    tabs = page.locator(".site-nav").bounding_box()
    for choice in (page.locator("#guess"), page.locator("button[value='4.0']")):
        box = choice.bounding_box()
        assert box is not None
        assert tabs is not None
        assert box["y"] + box["height"] <= tabs["y"]
    chips = page.locator(".turn .cell").evaluate_all(SHAPES)
    assert len(chips) == 14
    assert all(chip == chips[0] for chip in chips), "the answers look alike"
    expect(page.locator("#positions")).to_be_hidden()
    page.locator("#guess").fill("4271")
    assert page.locator("#guess").evaluate("field => field.scrollWidth <= field.clientWidth")
    page.locator("button[value='0.2']").click()
    expect_turns(page, 1)
    expect(page).to_have_url(re.compile(rf"{prefix}/analyse/p4c10n\?h=4271:0\.2$"))


def test_position_is_played_without_javascript(visit: Visit):
    page = visit(f"/ru{PAGE}?h=9876:0.1", java_script_enabled=False)
    play(page, "p4c10n", "0943")


def test_only_the_content_changes_and_back_goes_back(visit: Visit):
    page = visit(PAGE)
    page.evaluate("window.untouched = true")
    page.locator("[data-answer='0.1']").click()
    expect_turns(page, 1)
    page.locator("[data-answer='1.1']").click()
    expect_turns(page, 2)
    expect(page.locator("#status")).to_contain_text("codes left")
    assert page.evaluate("window.untouched")
    page.go_back()
    expect_turns(page, 1)
    page.locator(".undo a").click()
    expect(page.locator(".ledger")).to_have_count(0)
    assert page.url.endswith(PAGE)


@pytest.mark.parametrize(
    ("position", "value", "best"),
    [
        ("p3c4n?h=012:0.2", "29", "123"),
        pytest.param("p4c10n?h=0123:0.1", "7935", "1456", marks=pytest.mark.slow),
    ],
)
def test_proof_comes_by_itself_once_the_search_is_loaded(
    visit: Visit, position: str, value: str, best: str
):
    page = visit(f"/analyse/{position}")
    verdict = page.locator(".verdict")
    expect(verdict).to_have_attribute("data-value", value, timeout=60_000)
    expect(page.locator(f"[data-guess='{best}']")).to_be_visible()


def test_loss_of_the_own_guess_comes_by_itself(visit: Visit):
    page = visit(f"{PAGE}?h=0123:0.1&guess=0987")
    loss = page.locator(".verdict[data-above]")
    expect(loss).to_contain_text("It costs 0.04 turns more than the best", timeout=60_000)
    expect(page.locator("#ranking [data-row='0987'] .above")).to_have_attribute(
        "data-above", "0.0382"
    )


LOSS = """<p class="verdict"><span class="price good"><svg class="bar"></svg>
<span class="price-turns">%s</span><strong class="grade">%s</strong></span></p>"""
OVERLAP = """() => {
  const [turns, grade] = [".price-turns", ".grade"].map((part) => document.querySelector(part));
  const words = document.createRange();
  words.selectNodeContents(turns);
  return words.getBoundingClientRect().right > grade.getBoundingClientRect().left;
}"""


def test_bounds_of_a_loss_do_not_cover_its_grade(visit: Visit):
    page = visit("/analyse")
    for words in (("+0.02 to +0.04 turns", "good"), ("от +0,02 до +0,04 хода", "сомнительная")):
        page.locator("main").evaluate("(main, loss) => { main.innerHTML = loss; }", LOSS % words)
        for size in in_windows(page, (320, 640), (1280, 640)):
            assert not page.evaluate(OVERLAP), (words, size)


BUSY = ".board[aria-busy=true]"
BAR = "getComputedStyle(document.body, '::after')"


def expect_bar(page: Page, visible: bool = True) -> None:
    """The bar of work under way lies across the top of the window, or is not there."""
    page.wait_for_function(f"() => ({BAR}.content !== 'none') === {str(visible).lower()}")
    if visible:
        page.wait_for_function(f"() => {BAR}.visibility === 'visible'")
        style = page.evaluate(f"[{BAR}.position, {BAR}.top, {BAR}.height]")
        assert style == ["fixed", "0px", "4px"]


@pytest.mark.parametrize(
    ("path", "answer", "guess", "words"),
    [
        ("/analyse/p4c10n", "0.1", "1456", "Best guess"),
        ("/analyse/p5c7n?guess=01234", "1.3", None, "Looking for the best guess"),
    ],
    ids=["known", "searched"],
)
def test_position_comes_before_its_analysis(
    visit: Visit, path: str, answer: str, guess: str | None, words: str
):
    held: list[Route] = []
    page = visit(path)
    page.route(re.compile("polls=0"), lambda route: held.append(route))
    expect_bar(page, visible=False)
    with page.expect_request(re.compile("polls=0")):  # which is sent a moment after the position
        page.locator(f"[data-answer='{answer}']").click()
    expect_turns(page, 1)
    expect(page.locator(BUSY)).to_have_count(1)
    expect_bar(page)
    expect(page.locator("h1")).to_contain_text(words)
    expect(page.locator("h1")).to_be_focused()
    expect(page.locator("[data-remaining]")).to_be_visible()
    expect(page.locator("svg.field")).to_be_visible()
    expect(page.locator("#ranking tr")).to_have_count(0)
    if guess is not None:
        expect(page.locator("[data-guess]")).to_have_attribute("data-guess", guess)
    page.locator("#guess").fill("012")
    held.pop().continue_()
    expect(page.locator("#ranking tbody tr").first).to_be_visible()
    expect(page.locator("[data-guess]")).to_be_visible()
    expect(page.locator("#guess")).to_have_value("012")
    expect(page.locator("#status")).to_contain_text("Best guess")
    assert "polls" not in page.url


def test_game_is_described_and_opened_in_place(visit: Visit):
    page = visit("/analyse")
    page.evaluate("window.untouched = true")
    page.locator(".other-games > summary").click()
    page.locator("#positions").fill("3")
    page.locator("#symbols").fill("4")
    page.locator("#game .primary").click()
    expect(page).to_have_url(re.compile("/analyse/p3c4n$"))
    expect(page.locator("#ranking tbody tr").first).to_be_visible()
    expect(page.locator("[data-guess]")).to_be_visible()
    assert page.evaluate("window.untouched")
    page.go_back()
    expect(page.locator(".other-games > summary")).to_be_visible()


def test_analysis_that_fails_is_asked_for_again(visit: Visit):
    page = visit("/analyse/p5c7n?guess=01234")
    page.route(re.compile("polls=0"), lambda route: route.fulfill(status=503, body="busy"))
    page.locator("[data-answer='1.3']").click()
    button = page.locator("#stage .failure button")
    expect(button).to_be_visible()
    page.unroute(re.compile("polls=0"))
    button.click()
    expect(page.locator("#ranking tbody tr").first).to_be_visible()
    expect(page.locator(".failure")).to_have_count(0)


def test_page_asks_again_while_nothing_is_proved(visit: Visit):
    """A larger game finds no memory in a server that has compiled its search itself."""
    page = visit("/analyse/p5c8n")
    page.locator("#guess").fill("0123")
    expect(page.locator("[id^=again-]:not(#again-0)")).to_have_count(1)  # it has asked
    expect(page.locator("#again-0")).to_have_count(0)
    assert page.url.endswith("/analyse/p5c8n"), "the address stays"
    expect(page.locator("#guess")).to_have_value("0123")
    expect(page.locator("#guess")).to_be_focused()


@each_language
def test_codes_are_counted_while_a_game_is_typed(visit: Visit, prefix: str):
    page = visit(f"{prefix}/analyse")
    page.locator(".other-games > summary").click()
    size = page.locator("#size")
    expect(size).to_contain_text(re.compile(r"5\W040 .*2\W000\W000"))
    page.locator("#symbols").fill("6")
    expect(size).to_contain_text("360")
    page.locator("#repeats").check()
    expect(size).to_contain_text(re.compile(r"1\W296"))
    page.locator("#positions").fill("9")
    expect(size.locator(".error")).to_be_visible()
    page.locator("#positions").fill("8")
    expect(size).to_contain_text(re.compile(r"1\W679\W616"))
    assert page.url.endswith(f"{prefix}/analyse"), "nothing was sent yet"
    expect(page.locator("#positions")).to_be_focused()
