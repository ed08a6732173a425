"""Every page is accessible, fits its window and logs no error.

The quick part opens a page of each kind in Russian, whose words are longer, on a small phone, on a
tablet and with large text. The slow part opens every page in both languages, light and dark, in all
windows.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import Visit
from tests.support.browsers.axe import CONTRAST, RULES, SCRIPT, violations
from tests.support.browsers.contexts import watch
from tests.support.browsers.playing import open_details, overflow
from tests.support.browsers.visits import PHONE, visit
from tests.support.pages import open_pages

KINDS = [
    *("/", "/about", "/preferences", "/status", "/trees", "/trees/avg-bulls-cows"),
    *("/trees/avg-mastermind/0.1-1.1", "/trees/avg-mastermind?secret=9", "/statistics"),
    *("/statistics/avg-bulls-cows", "/results", "/results/goel-garg-charts", "/compare"),
    *("/compare/avg-bulls-cows/crush-bulls-cows", "/play/avg-bulls-cows/k3/0.2-1.1"),
    *("/play/avg-mastermind/0/2.0-2.2-4.0", "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none?answer=0.4"),
    "/play/avg-bulls-cows/k3/0.2-1.1/none?secret=1234",
    *("/play/avg-bulls-cows/k3/0.2-1.1?analysis=open", "/play/avg-bulls-cows/k3/0.4-2.2-0.0"),
    *("/guess", "/guess/p4c10n/k3f9/0123-4567?hints=on&check=on&guess=0132"),
    *("/guess/p4c10n/2026-11-21/0123?help=h1.u4567.k", "/guess/p4c10n/9999-12-31"),
    *("/guess/p4c6r/k3f9/0011-2233-0011-1104", "/analyse", "/analyse/size?positions=8&symbols=9"),
    "/analyse/p4c6r?h=0011:1.1&guess=2345",
    "/analyse/p4c10n?h=0123:0.0-4567:0.0-0123:4.0-4567:4.0",
    *("/analyse/p4c10n?h=0123+1B%0A45x7&guess=1&answer=1.1", "/analyse/p8c9r"),
    "/review/p4c10n?h=0123:1.1-4567:1.1-4650:3.0-4620:4.0&turn=2&guess=0145",
    *("/answer/p4c10n?secret=4271&guess=1234", "/answer/p4c10n?secret=1123&guess=x", "/nothing"),
    "/offline",
]
KINDS += [path for path in open_pages() if path not in KINDS]
ALIKE = [
    *("/trees/avg-bulls-cows/0.4?depth=3", "/trees/avg-mastermind?secret=3350"),
    *("/statistics/columns", "/statistics/crush-mastermind", "/results/francis-classes"),
    *("/results/kwb", "/compare/avg-mastermind/crush-mastermind/0.3-1.1"),
    *("/compare/avg-bulls-cows/avg-mastermind", "/play/avg-bulls-cows/0"),
    *("/play/avg-bulls-cows/0/0.2-1.2-0.3-3.0-4.0", "/play/avg-mastermind/0"),
    *("/play/avg-mastermind/5x/0.1-1.1", "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none"),
    *("/play/avg-mastermind/5x/0.1-1.1/none", "/play/avg-bulls-cows/k3/0.2-1.1/none?secret=12"),
    *("/play/avg-mastermind/5x/0.1-1.1/none?secret=3350", "/play/avg-mastermind/5x?analysis=open"),
    *("/play/crush-mastermind/5x/0.1?analysis=all", "/guess/p4c10n/2026-11-21"),
    *("/guess/p4c10n/k3f9/0123?guess=0112", "/guess/p4c6r/k3f9/0011?hints=on"),
    *("/guess/p4c10n/k3f9/0123-4567-0456-4620", "/analyse?positions=9&symbols=10"),
    *("/analyse/p4c10n", "/analyse/p4c10n?h=0123:0.1"),
    "/analyse/p4c6r?h=0011:1.1-0223:1.0-1454:2.1",
    "/analyse/p6c6n?h=012345:2.2&objective=worst,average",
    *("/analyse/p4c6r?h=0011:1.1&max_turns=2", "/analyse/p4c10n?h=0123:0.4-0132:0.3"),
    *("/analyse/p4c10n?h=0123:0.4-1032:4.0", "/analyse/p4c10n?h=x&guess=00&objective=last"),
    "/play/avg-bulls-cows/0/3.1",
    "/review/p4c6r?h=0011:0.3-1104:4.0&theirs=0012:4.0&turn=1&guess=2345",
    *("/answer/p4c6r?secret=0112&guess=1110", "/trees/avg-mastermind/0.1-1.1", "/analyse"),
    "/guess/p4c10n/9999-12-31",
]
"""Pages whose parts other pages have as well, for the slow part."""
WIDTHS = (320, 1280)
FEW_WIDTHS = (320, 768)
ALL_WIDTHS = (320, 360, 768, 1024, 1280, 1600)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

STILL = "'offset', 'computedOffset', 'easing', 'composite', 'pointerEvents'"
"""Properties of a keyframe that move nothing."""

NO_VISIT = "if (location.protocol !== 'about:') sessionStorage.clear();"
"""Lets a page ask no question: the visitor has not been at the home page."""

Open = Callable[[str], Page]

each_page = pytest.mark.parametrize(
    "path", [*KINDS, *(path for path in ALIKE if path not in KINDS)]
)
each_kind = pytest.mark.parametrize("path", [path for path in KINDS if path not in ALIKE])
each_language = pytest.mark.parametrize("prefix", ["", "/ru"], ids=["en", "ru"])


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 640 if width == 320 else 800})


def too_wide(page: Page, widths: tuple[int, ...]) -> Iterator[str]:
    """In which windows the page is too wide, and whether it is with text twice as large."""
    for width in widths:
        resize(page, width)
        if (pixels := overflow(page)) > 0:
            yield f"{width}: {pixels} px too wide"
    resize(page, 640)
    page.evaluate(
        "const sheet = new CSSStyleSheet();"
        "sheet.replaceSync('html { font-size: 200%; }');"
        "document.adoptedStyleSheets = [sheet];"
    )
    if (pixels := overflow(page)) > 0:
        yield f"{pixels} px too wide with text twice as large"
    page.evaluate("document.adoptedStyleSheets = [];")


def inaccessible(page: Page, width: int, *, scheme: str, rules: list[str]) -> Iterator[str]:
    """Yield the violations that axe finds at one window width."""
    resize(page, width)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for report in violations(page, rules):
        yield f"{width}, {scheme}: {report}"


@contextmanager
def opening(browser: Browser, site: str, script: str = "") -> Iterator[Open]:
    """Open pages one after the other, with a script in each."""
    context = browser.new_context(reduced_motion="reduce", service_workers="block")
    context.add_init_script(script)
    page = context.new_page()
    errors: list[str] = []
    watch(page, errors)

    def open_page(path: str) -> Page:
        assert errors == []
        page.goto(site + path)
        return page

    yield open_page
    context.close()
    assert errors == []


@pytest.fixture(scope="module")
def plain(browser: Browser, site: str) -> Iterator[Open]:
    """Open pages as they are, without the question of the first screen."""
    with opening(browser, site, NO_VISIT) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def looks(browser: Browser, site: str) -> Iterator[Open]:
    """Open pages with axe, and whatever folds on them."""
    with opening(browser, site, SCRIPT) as open_page:

        def unfolded(path: str) -> Page:
            page = open_page(path)
            open_details(page)
            return page

        yield unfolded


@each_kind
def test_page_is_accessible_and_fits(looks: Open, path: str):
    page = looks(f"/ru{path}")
    assert page.locator("[aria-live], [role=status], [role=alert]").count() == 1, "live region"
    assert list(inaccessible(page, 320, scheme="light", rules=RULES)) == []
    assert list(too_wide(page, FEW_WIDTHS)) == []


@pytest.mark.slow
@each_page
@each_language
def test_page_fits_any_window(looks: Open, path: str, prefix: str):
    assert list(too_wide(looks(prefix + path), ALL_WIDTHS)) == []


@pytest.mark.slow
@each_page
@each_language
def test_page_is_accessible_in_any_window(looks: Open, path: str, prefix: str):
    """Colours are the same in both languages, so the dark ones are looked at in one."""
    page = looks(prefix + path)
    flaws: list[str] = []
    for width in WIDTHS:
        flaws += inaccessible(page, width, scheme="light", rules=RULES)
        if not prefix:
            flaws += inaccessible(page, width, scheme="dark", rules=CONTRAST)
    assert flaws == []


def test_api_description_is_accessible_and_fits(looks: Open):
    page = looks("/docs")
    expect(page.locator(".opblock").first).to_be_visible()
    assert page.locator(".back a").get_attribute("href") == "/", "a way back"
    assert list(inaccessible(page, 320, scheme="light", rules=RULES)) == []
    assert list(inaccessible(page, 1280, scheme="dark", rules=CONTRAST)) == []
    assert list(too_wide(page, WIDTHS)) == []


def test_forced_colours_keep_the_board_readable(visit: Visit):
    page = visit("/play/avg-mastermind/5x/0.1-1.1", forced_colors="active")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.locator("h1 .pin").first.is_visible()
        edges = page.evaluate("""[...document.querySelectorAll("a.cell")].filter((cell) =>
            getComputedStyle(cell).borderTopColor
              === getComputedStyle(document.body).backgroundColor).length""")
        assert edges == 0, "an answer has no edge"
        assert page.locator(".zero").first.evaluate("e => getComputedStyle(e).opacity") == "1"


def test_print_shows_the_branch_in_ink_and_no_controls(visit: Visit):
    page = visit("/trees/avg-bulls-cows/0.4?depth=3", viewport={"width": 700, "height": 900})
    for scheme in SCHEMES:
        page.emulate_media(media="print", color_scheme=scheme)
        assert page.locator(".branches .branches .branches .digits").first.is_visible()
        assert page.locator(".crumbs").is_visible(), "the path to the branch"
        for controls in (".site-nav", ".depths", ".find", ".button", ".branch-open"):
            assert not page.locator(controls).first.is_visible(), controls
        ink = page.evaluate("getComputedStyle(document.querySelector('.branch')).color")
        assert ink == "rgb(0, 0, 0)"
        assert overflow(page) <= 0


@pytest.mark.parametrize(
    "path", ["/play/avg-bulls-cows/k3/0.2-1.1", "/trees/avg-bulls-cows", "/statistics"]
)
def test_nothing_moves_with_reduced_motion(visit: Visit, path: str):
    page = visit(path, reduced_motion="reduce")
    # A new board waits a moment before it takes clicks: an animation in which nothing moves.
    frames = "document.getAnimations().flatMap(a => a.effect.getKeyframes())"
    names = f"{frames}.flatMap(frame => Object.keys(frame))"
    assert page.evaluate(f"{names}.filter(name => ![{STILL}].includes(name)).length") == 0
    slow = (
        "[...document.querySelectorAll('*')]"
        ".filter(e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    )
    assert page.evaluate(slow) == 0


UNCOVERED = """(part) => {
  part.scrollIntoView({ block: "center", inline: "nearest" });
  const { left, right, top, height } = part.getBoundingClientRect();
  return [left + 3, (left + right) / 2, right - 3].every(
    (x) => part.contains(document.elementFromPoint(x, top + height / 2)));
}"""


@pytest.mark.parametrize("path", ["/statistics", "/statistics/avg-bulls-cows"])
def test_wide_table_scrolls_by_keyboard_next_to_its_first_column(visit: Visit, path: str):
    page = visit(path, viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    region = page.locator(".scroll").first
    heading = region.locator("tbody th").first
    region.focus()
    before = heading.bounding_box()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    assert heading.bounding_box() == before
    assert before is not None
    assert before["width"] < 120, "most of the window is for figures"
    region.evaluate("region => region.scrollTo(150, 0)")
    assert heading.evaluate(UNCOVERED), "the figures go below it"


PATHS = (
    *("/", "/guess/p4c10n/k3f9/0123", "/play/avg-bulls-cows/k3/0.2", "/duel"),
    *("/trees", "/trees/avg-bulls-cows", "/analyse/p4c10n?h=0123:0.1"),
)
MORE = ("/statistics", "/results", "/about", "/preferences")
"""Pages with less on them, for the slow part."""
REQUESTS = 8
BYTES = 72_000
LAPTOP = {"width": 1280, "height": 800}


@pytest.mark.parametrize(
    ("path", "size"),
    [
        *((path, PHONE) for path in PATHS),
        ("/", LAPTOP),
        *(pytest.param(path, PHONE, marks=pytest.mark.slow) for path in MORE),
    ],
)
def test_first_visit_takes_few_requests_and_bytes(
    browser: Browser, site: str, path: str, size: dict[str, int]
):
    found = visit(browser, site + path, size)
    assert 4 < len(found.requests) <= REQUESTS, found.requests
    assert 40_000 < found.size <= BYTES
    assert found.shift < 0.01, "a font that comes late may move that much"


def test_duel_takes_few_requests(browser: Browser, site: str):
    found = visit(browser, f"{site}/duel/p4c10n/new")
    assert len([url for url in found.requests if "/static/" in url]) < REQUESTS
    assert found.size <= BYTES


LARGE_WINDOWS = ((390, 844), (1280, 800))
LARGE = (
    *("/", "/daily", "/duel/p4c10n", "/analyse", "/play/avg-bulls-cows/0"),
    *("/play/avg-mastermind/0/1.1", "/play/avg-bulls-cows/0/0.2?analysis=open"),
    *("/guess/p4c10n/k3f9/0123-4567", "/guess/p4c6r/k3f9", "/guess/p4c10n/k3f9/0123-4567-4620"),
    *("/duel/p4c10n/new", "/duel/p4c10n/new?begins=computer", "/learn", "/learn/1/3"),
    *("/match", "/guess", "/play/avg-bulls-cows/k3/4.0", "/trees", "/trees/avg-mastermind/0.1"),
    *("/answer/p4c10n?guess=1234&secret=4271", "/preferences", "/statistics", "/atlas"),
    "/results",
    "/puzzle/p4c10n?h=7035:0.1-8923:1.0-8417:0.1-6524:1.2",
)
TWICE = """document.adoptedStyleSheets = [new CSSStyleSheet()];
document.adoptedStyleSheets[0].replaceSync("html { font-size: 200%; }")"""
SIZES = """[...document.querySelectorAll(
  ".slot, .key, .cell .count, .game-title, .said .left, .said .prompt, .thought, .answer-key")]
  .filter((part) => part.checkVisibility())
  .map((part) => [part.className, parseFloat(getComputedStyle(part).fontSize)])"""
CUT = """(() => {
  const isSeen = (part) => part.checkVisibility() && !part.closest(".unseen, .sprite, svg")
    && getComputedStyle(part).clipPath === "none";
  const isCut = (overflow, hidden) => ["hidden", "clip"].includes(overflow) && hidden > 1;
  const { scrollWidth } = document.documentElement;
  const flaws = scrollWidth > innerWidth ? [`page: ${scrollWidth - innerWidth} px too wide`] : [];
  const text = document.createRange();
  for (const part of [...document.querySelectorAll("body *")].filter(isSeen)) {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(part);
    const name = `${part.tagName}.${part.className}`;
    if (isCut(overflowY, part.scrollHeight - part.clientHeight)) flaws.push(`${name}: below`);
    if (textOverflow === "ellipsis" || part.closest(".scroll, pre")) continue;
    if (isCut(overflowX, part.scrollWidth - part.clientWidth)) flaws.push(`${name}: right`);
    for (const node of part.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      text.selectNodeContents(node);
      const box = part.closest(".button, .cell, .key")?.getBoundingClientRect();
      const isOut = ({ left, right }) => left < Math.max(-1, (box?.left ?? 0) - 1)
        || right > Math.min(innerWidth, box?.right ?? innerWidth) + 1;
      if ([...text.getClientRects()].some(isOut)) flaws.push(`${name}: ${node.data}`);
    }
  }
  return flaws;
})()"""
"""Returns what is cut by its own box or by the window."""


@pytest.mark.parametrize("path", LARGE)
@each_language
def test_text_twice_as_large_is_not_cut_and_no_part_gets_smaller(
    plain: Open, path: str, prefix: str
):
    page = plain(prefix + path)
    for width, height in LARGE_WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        before = page.evaluate(SIZES)
        page.evaluate(TWICE)
        assert page.evaluate(CUT) == [], width
        pairs = zip(before, page.evaluate(SIZES), strict=True)
        smaller = [(name, old, new) for (name, old), (_, new) in pairs if new < old]
        assert smaller == [], width
        page.evaluate("document.adoptedStyleSheets = []")


IN_SIGHT = """(selector) => {
  const button = document.querySelector(selector);
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const middle = (left + right) / 2;
  return [top + 2, bottom - 2].every((y) => button.contains(document.elementFromPoint(middle, y)));
}"""
"""Returns whether a part is in the window and nothing covers it."""


@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/play/avg-bulls-cows/0", ".pad .win"),
        ("/duel/p4c10n/new", ".enter .primary"),
        ("/duel/p4c6r/new", ".enter .primary"),
    ],
)
def test_first_step_is_in_sight_with_large_text_on_a_phone(plain: Open, path: str, button: str):
    page = plain(f"/ru{path}")
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate(TWICE)
    page.wait_for_function(IN_SIGHT, arg=button)


BROKEN = r"""(() => {
  document.body.style.hyphens = "none";  // the browsers of tests have no dictionaries
  const words = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const part = node.parentElement;
    if (part.closest(".unseen, code, [popover]") || !part.checkVisibility()) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\s\-–—\/]{3,}/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) words.push(word);
    }
  }
  return words;
})()"""
"""Returns the words that are broken over lines."""


SMALL_PHONE: ViewportSize = {"width": 320, "height": 568}
NARROW = (
    *("/", "/daily", "/guess", "/duel", "/learn", "/match", "/about", "/preferences", "/analyse"),
    *("/analyse/p4c10n?h=0123:0.1", "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none?answer=0.4"),
    *("/answer/p4c10n?guess=1234&secret=4271", "/compare/avg-bulls-cows/crush-bulls-cows"),
    *("/play/avg-bulls-cows/0/0.2", "/guess/p4c10n/k3f9/0123-4567-0456-4620", "/nothing"),
    *("/guess/p5c8r/k3f9/00112", "/trees", "/trees/avg-bulls-cows", "/trees/avg-mastermind/0.1"),
    *("/statistics", "/statistics/avg-bulls-cows", "/atlas", "/results", "/more", "/privacy"),
    "/puzzle/p4c6r?h=0231:1.1-4212:1.1-0415:0.3",
    "/review/p4c10n?h=0123:1.1-4567:1.1-4650:3.0-4620:4.0",
)


@pytest.mark.parametrize("path", NARROW)
def test_text_twice_as_large_is_not_cut_and_no_word_broken_on_a_small_phone(plain: Open, path: str):
    page = plain(f"/ru{path}")
    page.set_viewport_size(SMALL_PHONE)
    page.evaluate(TWICE)
    assert page.evaluate(CUT) == []
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("step", range(1, 5))
@each_language
def test_rules_of_the_lesson_need_no_scrolling_with_large_text(plain: Open, prefix: str, step: int):
    page = plain(f"{prefix}/learn/1/{step}")
    page.set_viewport_size(SMALL_PHONE)
    page.evaluate(TWICE)
    rows = "document.querySelector('.rows')"
    assert page.evaluate(f"{rows}.scrollHeight - {rows}.clientHeight") <= 0
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


@each_language
def test_start_is_in_the_first_window_with_large_text(visit: Visit, prefix: str):
    page = visit(f"{prefix}/", viewport={"width": 360, "height": 640})
    page.evaluate(TWICE)
    start = page.locator(".start .primary").bounding_box()
    tabs = page.locator(".site-nav").bounding_box()
    assert start is not None
    assert tabs is not None
    assert start["y"] + start["height"] < tabs["y"]


@each_language
def test_next_step_of_a_lesson_is_beside_the_step_in_a_low_window(plain: Open, prefix: str):
    page = plain(f"{prefix}/learn")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(TWICE)
    step = page.locator(".step").bounding_box()
    onward = page.locator(".onward .button").bounding_box()
    assert step is not None
    assert onward is not None
    assert step["x"] + step["width"] <= onward["x"]
    assert step["y"] < onward["y"] < step["y"] + step["height"], "not in the corner"


BARE = """() => {
  const places = [];
  for (let top = 0; top < document.documentElement.scrollHeight; top += 80) {
    scrollTo({ top, behavior: "instant" });
    const part = document.elementFromPoint(60, innerHeight - 20);
    if (!part.closest(".site-nav")) places.push(`${top}: ${part.tagName}.${part.className}`);
  }
  return places;
}"""
"""Returns what covers the tabs at the bottom of the window, by how far the page is scrolled."""


@pytest.mark.parametrize("path", ["/statistics", "/preferences"])
def test_nothing_covers_the_tabs_while_a_page_scrolls(visit: Visit, path: str):
    assert visit(path, viewport=SMALL_PHONE).evaluate(BARE) == []


PAGES = ("/daily", "/match", "/duel/p4c10n", "/analyse", "/trees", "/guess", "/more", "/privacy")


def test_pages_have_one_left_edge_and_the_navigation_is_one_line(plain: Open):
    for prefix in ("", "/ru"):
        page = plain(prefix + "/statistics")
        page.set_viewport_size({"width": 1280, "height": 800})
        edge = left(page, "h1")
        for path in PAGES:
            page = plain(prefix + path)
            assert left(page, "h1") == edge, path
            head = page.locator(".site-head").bounding_box()
            assert head is not None
            assert head["height"] < 70, "the navigation is one line"
        page.evaluate(TWICE)
        box = page.locator(".site-head").bounding_box()
        assert box is not None
        assert box["height"] < 130, "one line of 88 px, and space around it"
        page.evaluate("document.adoptedStyleSheets = [];")


@pytest.mark.parametrize("path", ["/analyse", "/analyse/p4c10n?h=0123:0.1", "/answer/p4c10n"])
def test_columns_are_beside_each_other_if_the_text_is_not_too_large_for_it(visit: Visit, path: str):
    page = visit(f"/ru{path}", viewport={"width": 1280, "height": 800})
    assert left(page, ".side") > left(page, ".stage") + 500
    page.evaluate(TWICE)
    assert left(page, ".side") == left(page, ".stage")


BROKEN_HEADINGS = """() => [...document.querySelectorAll("thead th")].filter((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  // The box of words that only screen readers hear is one pixel, above its line of text.
  const rects = [...text.getClientRects()].filter(({ height }) => height > 1);
  const lines = new Set(rects.map(({ top }) => Math.round(top)));
  return cell.checkVisibility() && lines.size > cell.textContent.trim().split(/\\s+/).length;
}).map((cell) => cell.textContent)"""
"""Returns the headings of columns that have a line break within a word."""


@pytest.mark.parametrize("width", [390, 1280])
def test_headings_of_compared_trees_are_not_broken_within_a_word(visit: Visit, width: int):
    page = visit(
        "/ru/compare/avg-bulls-cows/crush-bulls-cows", viewport={"width": width, "height": 800}
    )
    assert page.evaluate(BROKEN_HEADINGS) == []


@pytest.mark.parametrize("path", ["/match", "/duel/p4c10n"])
def test_choices_of_duel_and_match_use_both_halves_of_a_wide_window(plain: Open, path: str):
    page = plain(path)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert left(page, "form") < 640 < left(page, ".side > *")


@pytest.mark.parametrize("prefix", ["", "/ru"])
def test_table_of_a_tree_fits_a_wide_window(visit: Visit, prefix: str):
    page = visit(prefix + "/statistics/avg-bulls-cows", viewport={"width": 1280, "height": 800})
    table = page.get_by_role("region").filter(has=page.locator("[data-first]"))
    assert table.evaluate("part => part.scrollWidth - part.clientWidth") == 0


def left(page: Page, selector: str) -> int:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return round(box["x"])
