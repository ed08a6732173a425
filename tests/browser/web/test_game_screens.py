"""Game screens in windows of every size: all parts are in sight, and keys stay in their place.

The rows stand in the middle of what the keys leave, so they move by half a row with each turn.
"""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, each_language
from tests.support.browsers.playing import SMALL_PHONE, in_windows, wait_for

SIZES = (
    *((320, 480), (360, 640), (375, 553), (390, 664), (640, 400), (740, 360), (768, 1024)),
    *((1280, 800), (3840, 2160), (320, 200)),
)
"""Phones, tablets and screens; 640x400 and 320x200 are a laptop at 200 and 400 %."""
WIDE = ((1280, 800), (3840, 2160))
DIGITS = "0123-4567-8901-2345-6789-1357-2468-3579-0246-1468-0135-2461-3572-5791"
PEGS = ["01010101", "00110011"] * 5

ROW = ("form.fill .slots", "form.fill .primary", *(f".key[data-key='{n}']" for n in "01"))
LAST = "tr[data-guess]:last-child"
ASKED = ("h1 [data-guess]", ".said", ".pad .cell:first-child", ".pad .win")
BOTH = (f"[aria-labelledby=mine] {LAST}", "[aria-labelledby=theirs]")
TURNS = "document.querySelectorAll('[data-guess][data-answer]').length"
LIVE = "!!document.querySelector('form.live')"

FLAWS = """(parts) => {
  const flaws = parts.flatMap((name) => {
    const part = [...document.querySelectorAll(name)].at(-1);
    if (!part) return `${name} is missing`;
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const hidden = [left + 2, right - 2].some((x) => [top + 2, bottom - 2].some(
      (y) => !part.parentElement.contains(document.elementFromPoint(x, y))));
    return hidden ? `${name} is covered: ${[left, top, right, bottom]}` : [];
  });
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) flaws.push("the page scrolls");
  return flaws;
}"""
"""Says which parts have a corner out of sight or covered, and whether the page scrolls."""

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""In the first the page answers a new size of its window."""
WATCH = f"""async () => {{
  await {TWO_FRAMES};
  window.watch?.disconnect();
  window.shifts = [];
  window.watch = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()));
  window.watch.observe({{ type: "layout-shift" }});
}}"""
"""Notes every layout shift from now on, those after input included."""
SHIFTS = f"""async () => {{
  await {TWO_FRAMES};
  return [...window.shifts, ...window.watch.takeRecords()].filter(({{ value }}) => value > 1e-4)
    .map(({{ value, sources }}) => [value, ...sources.map(({{ node }}) => node?.className)]);
}}"""
"""Returns the shifts and the parts that moved; less than 0.0001 is rounding."""


def expect_in_sight(page: Page, *parts: str) -> None:
    """Wait until these parts are in sight, and the page does not scroll."""
    wait_for(page, f"({FLAWS})({json.dumps(parts)})", [])


def top(page: Page, part: str) -> float:
    place: Any = page.evaluate(f"document.querySelector({part!r}).getBoundingClientRect().top")
    return float(place)


def guess(page: Page, code: str) -> None:
    turns = page.evaluate(TURNS)
    page.keyboard.type(code)
    expect_in_sight(page, *ROW)
    page.keyboard.press("Enter")
    wait_for(page, TURNS, turns + 1)


def look(
    page: Page, first: int, places: dict[tuple[int, ...], list[float]], *parts: str, keys: str = ""
) -> None:
    """Resize the page to each size, beginning with one; all parts are in sight each time.

    The keys are where they were at that size before.  Layout shifts are noted from then on.
    """
    for size in in_windows(page, *SIZES[first:], *SIZES[:first]):
        expect_in_sight(page, *parts)
        if keys:
            found = [top(page, keys)]
            assert found == pytest.approx(places.setdefault(size, found), abs=2), size
    page.evaluate(WATCH)


def expect_no_shift(page: Page) -> None:
    assert page.evaluate(SHIFTS) == []


def test_row_is_in_sight_above_keys_that_stay_in_their_place_at_any_size(page: Page, site: str):
    page.goto(f"{site}/ru/guess/p4c10n/k3f9")
    wait_for(page, LIVE)
    places: dict[tuple[int, ...], list[float]] = {}
    look(page, 0, places, *ROW, keys=ROW[1])
    for turn, code in enumerate(("0123", "4567"), 1):
        guess(page, code)
        expect_no_shift(page)
        look(page, 3 * turn, places, *ROW, LAST, ".said .left", keys=ROW[1])
    page.keyboard.type("00")  # a message
    wait_for(page, "!!document.querySelector('.notice').textContent")
    expect_no_shift(page)
    look(page, 9, places, *ROW, ".notice", keys=ROW[1])
    page.goto(f"{site}/ru/guess/p4c10n/k3f9/{DIGITS}")
    look(page, 0, places, *ROW, LAST, keys=ROW[1])


@pytest.mark.parametrize("rules", ["p4c6r", "p8c2r"])
def test_row_of_pegs_is_in_sight(page: Page, site: str, rules: str):
    codes = [code[: int(rules[1])] for code in PEGS]
    page.goto(f"{site}/ru/guess/{rules}/k3f9/{'-'.join(codes)}")
    page.keyboard.type("0101")
    for _ in in_windows(page, (320, 480), (740, 360), (320, 200)):
        expect_in_sight(page, *ROW, LAST)


def test_answers_are_in_sight_and_stay_in_their_place_at_any_size(page: Page, site: str):
    page.goto(f"{site}/ru/play/avg-bulls-cows/0")
    places: dict[tuple[int, ...], list[float]] = {}
    look(page, 0, places, *ASKED, keys=ASKED[2])
    for turn, answer in enumerate(("02", "12"), 1):
        page.keyboard.type(answer)
        wait_for(page, TURNS, turn)
        expect_no_shift(page)
        look(page, 3 * turn, places, *ASKED, LAST, keys=ASKED[2])


def test_both_boards_of_a_duel_are_in_sight_at_any_size(page: Page, site: str):
    page.goto(f"{site}/ru/duel/p4c10n/new?level=champion")
    for turn, code in enumerate(("0123", "4567")):
        wait_for(page, LIVE)
        page.keyboard.type(code)
        look(page, 3 * turn, {}, *ROW)
        page.keyboard.press("Enter")
        wait_for(page, "!!document.querySelector('.guess-now')")
        look(page, 4 * turn, {}, *BOTH, *ASKED[:1], *ASKED[2:])
        cell = str(page.evaluate("document.querySelector('a.cell').dataset.answer"))
        page.keyboard.type(cell.replace(".", ""))
    wait_for(page, LIVE)
    look(page, 0, {}, *BOTH, f"[aria-labelledby=theirs] {LAST}", *ROW)


FIRST = (
    *("/play/avg-bulls-cows/0", "/play/avg-mastermind/0", "/guess/p4c10n/k3f9"),
    *("/guess/p4c6r/k3f9", "/duel/p4c10n/new", "/duel/p4c6r/new?begins=computer"),
)
"""The first screen of each kind of game."""
KEY = (".thought", *(f".rows .answer-key {part}" for part in ("div", "div + div", "p")))

LINES = """() => [...document.querySelectorAll(".rows .answer-key :is(div, p)")].map((line) => {
  const range = document.createRange();
  range.selectNodeContents(line);
  return line.getBoundingClientRect().height / parseFloat(getComputedStyle(line).fontSize);
})"""
"""Returns the heights of the lines of the key, in sizes of their letters."""


FITS = """document.querySelector("main").scrollHeight <= innerHeight
  && document.querySelector(".rows").scrollHeight <= document.querySelector(".rows").clientHeight"""
HIDDEN_ROWS = """(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(
  document.querySelector(".rows"))"""
MIDDLES = """[...document.querySelectorAll(".rows .slots, .entry .slots, .answers, .keys")]
  .map((part) => part.getBoundingClientRect()).map(({ left, right }) => (left + right) / 2)"""
SPACES = """((head, rows, said, keys) => [rows.top - head.bottom, keys.top - said.bottom])(
  ...[".game-head", ".rows", ".said", ".keypad, .pad"]
  .map((name) => document.querySelector(name).getBoundingClientRect()))"""
"""Returns the heights above the rows, and between the message and the keys."""


@pytest.mark.parametrize("path", FIRST)
@each_language
def test_first_screen_explains_the_answers_in_a_line_each(
    page: Page, site: str, prefix: str, path: str
):
    page.goto(f"{site}{prefix}{path}")
    for size in in_windows(page, (320, 568), (360, 560), (360, 640), (390, 844), (1280, 800)):
        expect_in_sight(page, *KEY, ".said")
        assert page.evaluate(HIDDEN_ROWS) <= 0, size
        assert max(page.evaluate(f"({LINES})()")) < 2, size
    if "duel" not in path:
        for _ in in_windows(page, (360, 640, 200)):
            expect_in_sight(page, *KEY, ".entry .slots", ".fill .enter, .pad .win")
            assert page.evaluate(FITS), "no scrolling with large text either"
            assert max(page.evaluate(f"({LINES})()")) < 2


@pytest.mark.parametrize(
    "path", ["/guess/p4c10n/k3f9/0123-4567", "/guess/p4c6r/k3f9", "/play/avg-bulls-cows/0/0.2"]
)
def test_tiles_stand_in_the_middle_above_the_keys(page: Page, site: str, path: str):
    page.goto(site + path)
    for size in in_windows(page, *SIZES):
        middles = page.evaluate(MIDDLES)
        if size not in WIDE and size[0] > size[1]:
            middles.pop()  # the keys are at the right
        assert max(middles) - min(middles) < 2, size


@pytest.mark.parametrize("path", ["/guess/p4c10n/k3f9/0123", "/play/avg-bulls-cows/0/0.2"])
def test_rows_stand_in_the_middle_of_what_the_keys_leave(page: Page, site: str, path: str):
    page.goto(site + path)
    for size in in_windows(page, (390, 844), (768, 1024)):
        above, below = page.evaluate(SPACES)
        assert abs(above - below) < 2, size


LEFT_OVER = """((head, rows, keys) => [rows.top - head.bottom, innerHeight - keys.bottom])(
  ...[".game-head", ".past tbody", ".keypad, .pad"]
  .map((name) => document.querySelector(name).getBoundingClientRect()))"""
"""Returns the heights above the turns and below the keys."""
COLUMNS = """[".entry", ".side"]
  .map((name) => document.querySelector(name).getBoundingClientRect())
  .map(({ left, right }) => [left, right])"""


def test_board_of_five_turns_stands_in_the_middle_of_a_wide_window(page: Page, site: str):
    page.goto(f"{site}/guess/p4c10n/k3f9/0123-4567-0456-0234-0345")
    for size in in_windows(page, (1100, 800), (1280, 720), (1280, 800), (1920, 1080)):
        (left, right), (start, _) = page.evaluate(COLUMNS)
        assert right < start, size
        assert abs(left + right - size[0]) < 2, "the board is in the middle"
        above, below = page.evaluate(LEFT_OVER)
        assert abs(above - below) < 0.12 * (above + below), size
        assert page.evaluate(SPACES)[1] < 40, "no empty space between board and keys"


def test_turns_of_a_wide_window_stand_apart(page: Page, site: str):
    page.goto(f"{site}/guess/p4c10n/k3f9/0123-4567")
    page.set_viewport_size({"width": 1280, "height": 800})
    left = page.locator(".past .number").first.bounding_box()
    answer = page.locator(".past .answer-cell").nth(1).bounding_box()
    assert left is not None
    assert answer is not None
    assert answer["y"] - left["y"] - left["height"] >= 4


def test_duel_shows_its_odds_in_a_wide_window_but_no_hints(page: Page, site: str):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{site}/duel/p4c10n/new")
    expect(page.locator(".side > .odds[open]")).to_have_count(1)
    expect(page.locator(".side > .hints:not([open])")).to_have_count(1)


def test_tiles_grow_with_the_window_up_to_80_pixels(page: Page, site: str):
    page.goto(f"{site}/guess/p4c10n/k3f9/0123")
    widths = []
    for _ in in_windows(page, (320, 568), (390, 844), (1280, 800), (1920, 1080)):
        widths.append(page.evaluate("document.querySelector('.entry .slot').offsetWidth"))
    assert widths == sorted(widths)
    assert widths[0] >= 34
    assert widths[1] >= 44
    assert 64 <= widths[2] <= 80 == widths[3]


@pytest.mark.parametrize("path", ["/ru/guess/p4c10n/k3f9/0123", "/ru/play/avg-bulls-cows/0/0.2"])
def test_map_opens_whole_below_the_last_turn(page: Page, site: str, path: str):
    page.goto(site + path)
    sizes = (320, 568, 100), (360, 640, 100), (360, 640, 200), (740, 360, 100)
    for _ in in_windows(page, *sizes):
        page.locator(".map summary").click()
        expect_in_sight(page, ".map svg", ".map figcaption", LAST, ".entry .slots", ".map summary")
        page.locator(".map summary").click()
        expect_in_sight(page, ".keypad, .pad")
    page.set_viewport_size({"width": 1280, "height": 800})  # it is always open in the side column
    page.locator(".map figcaption").scroll_into_view_if_needed()
    expect_in_sight(page, ".map figcaption", LAST, ".entry .slots", ".keypad, .pad")


OPENED = (
    ("/guess/p4c10n/k3f9/0123-4567-0456?hints=on", ".hints summary", ".keypad"),
    ("/guess/p4c10n/k3f9/0123?hints=on", ".hints summary + p", ".keypad"),
    ("/play/avg-bulls-cows/0/0.2-1.1?analysis=open", ".analysis dd", ".analysis-head a"),
)


TOUCHED = """(wanted) => {
  const link = document.querySelector(".past .undo a");
  const { top, right } = link.getBoundingClientRect();
  let width = 0;
  for (let x = 0; x < right + 40; x += 1) {
    width += link.contains(document.elementFromPoint(x, top + 22));
  }
  return width >= wanted;
}"""
"""Returns whether a tap takes a guess back over a width in pixels."""


@pytest.mark.parametrize("path", ["/guess/p6c6n/k3f9/012345", "/guess/p5c8r/k3f9/00112"])
def test_link_back_is_as_wide_as_a_finger_next_to_many_tiles(page: Page, site: str, path: str):
    page.goto(site + path)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(TOUCHED, arg=44)


@pytest.mark.parametrize(("path", "first", "below"), OPENED)
def test_last_turn_is_in_sight_next_to_open_aids(
    page: Page, site: str, path: str, first: str, below: str
):
    page.goto(f"{site}/ru{path}")
    sizes = (320, 568, 100), (360, 640, 100), (390, 844, 100), (360, 640, 200)
    for _ in in_windows(page, *sizes):
        page.evaluate(f"document.querySelector('{first}').scrollIntoView({{ block: 'nearest' }})")
        expect_in_sight(page, LAST, ".entry .slots", below)
        expect(page.locator(first).first).to_be_in_viewport(ratio=1)


SHARE = "document.querySelector('.analysis > div').clientHeight / innerHeight"


def test_analysis_takes_most_of_a_phone(page: Page, site: str):
    page.goto(f"{site}/ru/play/avg-bulls-cows/0/0.2-1.1?analysis=open")
    for _ in in_windows(page, (320, 568), (360, 640), (390, 844)):
        assert page.evaluate(SHARE) > 0.58


@pytest.mark.parametrize("language", ["", "/ru"])
def test_hints_are_offered_before_they_are_explained(page: Page, site: str, language: str):
    page.goto(f"{site}{language}/guess/p4c10n/k3f9/0123")
    for _ in in_windows(page, (320, 568, 100), (360, 640, 200)):
        page.locator(".aids summary").first.click()
        expect_in_sight(page, ".aids > div > .actions a")
        page.keyboard.press("Escape")
        expect(page.locator(".aids")).not_to_have_attribute("open", "")


AIDED = (
    ("/guess/p4c10n/k3f9/0123", ".map summary", ".map[open]"),
    ("/guess/p4c10n/k3f9/0123", ".aids > summary", ".aids[open]"),
    ("/play/avg-bulls-cows/0/0.2", "#analysis-toggle", ".analysis.open"),
    ("/duel/p4c10n/new", ".odds summary", ".odds[open]"),
)


@pytest.mark.parametrize(("path", "opener", "opened"), AIDED)
def test_escape_or_a_tap_outside_closes_an_aid_that_covers_the_board(
    page: Page, site: str, path: str, opener: str, opened: str
):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(site + path)
    for close in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator(".game-title").click(),
        lambda: page.locator(opener).click(),
    ):
        page.locator(opener).click()
        expect(page.locator(opened)).to_have_count(1)
        page.locator("[popovertarget=help]").click()
        page.locator(".game-title").click()
        expect(page.locator("#help")).to_be_hidden()
        expect(page.locator(opened)).to_have_count(1)
        close()
        expect(page.locator(opened)).to_have_count(0)
    if "guess" in path:
        page.locator(opener).click()
        page.keyboard.type("12")
        expect(page.locator(opened)).to_have_count(1)


def test_verdict_about_a_code_is_not_below_open_hints(page: Page, site: str):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{site}/guess/p4c10n/k3f9/0123?hints=on")
    expect(page.locator(".aids[open]")).to_have_count(1)
    page.keyboard.type("1234")
    page.locator("[name=check]").click()
    expect_in_sight(page, LAST, "#checked")
    expect(page.locator(".aids[open]")).to_have_count(0)
    page.locator(".aids > summary").click()
    expect(page.locator(".aids .hints")).to_be_visible()


AROUND = """(() => {
  const [screen, key, question] = [".screen", ".rows .answer-key", ".rows .try"].map(
    (part) => document.querySelector(part).getBoundingClientRect());
  return [key.top - screen.top, screen.bottom - question.bottom];
})()"""
"""Returns the height above and below the question."""


@pytest.mark.parametrize(
    ("prefix", "path", "kind"),
    [
        pytest.param("", "/play/avg-bulls-cows/0", "digits", marks=pytest.mark.slow),
        ("/ru", "/play/avg-mastermind/0", "pegs"),
        ("", "/guess/p4c10n/k3f9", "digits"),
        pytest.param("", "/duel/p4c6r/new?begins=computer", "pegs", marks=pytest.mark.slow),
    ],
)
def test_first_screen_after_home_is_one_question_until_it_is_answered(
    page: Page, site: str, prefix: str, path: str, kind: str
):
    """The question alone, in the middle of what the header leaves.  A wrong answer is explained.

    Visitors who come by a link to another page are not asked.
    """
    question = page.locator(f".rows .{kind}-try")
    for before in ("/play", path):
        page.goto(f"{site}{prefix}{before}")
    expect(question).to_be_attached()
    expect(question).to_be_hidden()
    page.goto(f"{site}{prefix}/")
    page.goto(f"{site}{prefix}{path}")
    for size in in_windows(page, (320, 568), (390, 844), (1280, 800)):
        expect_in_sight(page, ".rows .answer-key", ".rows .try-choices", ".rows .try-skip")
        assert page.evaluate(HIDDEN_ROWS) <= 0, size
        expect(
            page.locator(".screen :is(.entry, .said, .side, .keypad, .pad):visible")
        ).to_have_count(0)
        above, below = page.evaluate(AROUND)
        assert abs(above - below) <= 0.12 * (above + below) + 1, size
    page.set_viewport_size({"width": 320, "height": 568})
    place = question.bounding_box()
    question.locator("label:not(:has([data-right]))").first.click()
    expect_in_sight(page, ".rows .try-wrong", ".rows .try legend small")
    assert question.bounding_box() == place, "the explanation moves nothing"
    explained = r":\s+2\s.*:\s+1, 4" if kind == "digits" else r":\s+1\s.*:\s+1 0"
    expect(page.get_by_role("status")).to_have_text(re.compile(explained))
    question.locator("label:has([data-right])").click()
    expect_in_sight(page, ".thought", ".rows .try-right", ".entry", ".said")
    expect(question).to_be_hidden()
    expect_in_sight(page, *KEY, ".entry", ".said")
    page.reload()
    expect(question).to_be_hidden()
    page.locator("[popovertarget=help]").click()
    expect(page.locator("#help .try")).to_be_visible()


@each_language
@pytest.mark.parametrize("path", ["/play/avg-bulls-cows/0", "/guess/p4c6r/k3f9"])
def test_question_of_the_first_screen_without_javascript(visit: Visit, prefix: str, path: str):
    page = visit(prefix + path, java_script_enabled=False, **SMALL_PHONE)
    question = page.locator(".rows .try")
    example = page.locator(".rows .answer-key > p").first
    expect(question).to_be_hidden()
    page.locator(".rows .answer-key a").click()
    expect(example).to_be_hidden()
    expect_in_sight(page, ".rows .answer-key", ".rows .try-choices", ".rows .try-skip")
    question.locator("label:not(:has([data-right]))").first.click()
    expect(question.locator(".try-wrong")).to_be_visible()
    question.locator("label:has([data-right])").click()
    expect(question.locator(".try-right")).to_be_visible()
    expect(example).to_be_visible()
    page.goto(page.url.partition("#")[0])
    page.locator(".rows .answer-key a").click()
    question.locator(".try-skip").click()
    expect(question).to_be_hidden()


@each_language
@pytest.mark.parametrize("path", FIRST)
def test_first_screen_without_javascript_does_not_scroll(visit: Visit, prefix: str, path: str):
    page = visit(prefix + path, java_script_enabled=False)
    for size in in_windows(page, (320, 568), (360, 560)):
        assert page.evaluate(FITS), size
        expect_in_sight(page, *KEY, ".fill .enter, .pad .win")


@pytest.mark.parametrize("aid", [".aids", ".map"])
@pytest.mark.parametrize("path", ["p4c10n/k3f9/0123-4567", "p4c6r/k3f9/0011"])
def test_open_aid_without_javascript_covers_no_words(visit: Visit, path: str, aid: str):
    page = visit(f"/ru/guess/{path}", java_script_enabled=False)
    page.set_viewport_size({"width": 360, "height": 900})
    page.locator(f"{aid} > summary").click()
    expect_in_sight(page, ".said .left", ".side .aids > summary", ".side .map > summary")
    expect_in_sight(page, f"{aid} :is(a.button, .field)")


def test_end_without_javascript_keeps_no_place_for_results(visit: Visit):
    page = visit("/ru/guess/p4c10n/k3f9/0123-4567-0456-4620", java_script_enabled=False)
    page.set_viewport_size({"width": 360, "height": 640})
    expect_in_sight(page, "tr[data-guess]", LAST, ".result", ".ended .actions")
    assert page.evaluate(HIDDEN_ROWS) <= 0


def test_hints_that_are_open_from_the_start_come_before_the_notes(page: Page, site: str):
    page.goto(f"{site}/guess/p4c10n/k3f9/0123-4567?hints=on")
    page.set_viewport_size({"width": 320, "height": 568})
    expect_in_sight(page, ".hints summary", ".hints .analysis-link")
    expect(page.locator(".notes")).to_be_visible()


CUT = """(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(
  document.querySelector(".game-title"))"""


@pytest.mark.parametrize("prefix", ["", "/ru"], ids=["en", "ru"])
def test_title_of_a_daily_puzzle_shows_its_year_on_the_smallest_phone(
    page: Page, site: str, prefix: str
):
    page.goto(f"{site}{prefix}/guess/p4c10n/2026-11-27")
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate(CUT) <= 0
    expect(page.locator(".game-title")).to_contain_text("2026")


def test_question_of_the_first_screen_can_be_skipped(page: Page, site: str):
    page.goto(site)
    page.goto(f"{site}/guess/p4c10n/k3f9")
    page.locator(".rows .try-skip").click()
    expect(page.locator(".rows .try")).to_be_hidden()
    page.goto(f"{site}/play/avg-bulls-cows/0")
    expect(page.locator(".rows .try")).to_be_hidden()
    page.goto(f"{site}/play/avg-mastermind/0")
    expect(page.locator(".rows .try")).to_be_visible()


def test_symbol_that_is_typed_skips_the_question(page: Page, site: str):
    page.goto(site)
    page.goto(f"{site}/guess/p4c10n/k3f9")
    question = page.locator(".rows .try")
    question.locator("label:not(:has([data-right]))").first.click()
    page.keyboard.press("5")
    expect(question).to_be_hidden()
    expect(page.locator("[name=guess]")).to_have_value("5")
