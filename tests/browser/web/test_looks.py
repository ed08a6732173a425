"""Every page is accessible, fits its window and logs no error.

The quick part opens a page of each kind in Russian, whose words are longer, on a small phone, on a
tablet and with large text. The slow part opens every page in both languages, light and dark, in all
windows.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit
from tests.support.drivers.axe import CONTRAST, RULES, SCRIPT, violations
from tests.support.drivers.contexts import watch
from tests.support.pages import open_pages
from tests.support.playing import open_details, overflow

PAGES = {
    "start": "/",
    "about": "/about",
    "preferences": "/preferences",
    "status": "/status",
    "status-jobs": "/status/jobs",
    "trees": "/trees",
    "tree": "/trees/avg-bulls-cows",
    "node": "/trees/avg-mastermind/0.1-1.1",
    "unfolded": "/trees/avg-bulls-cows/0.4?depth=3",
    "path": "/trees/avg-mastermind?secret=3350",
    "no-path": "/trees/avg-mastermind?secret=9",
    "statistics": "/statistics",
    "statistics-columns": "/statistics/columns",
    "statistics-bulls-cows": "/statistics/avg-bulls-cows",
    "statistics-mastermind": "/statistics/crush-mastermind",
    "results": "/results",
    "results-cycles": "/results/francis-classes",
    "results-columns": "/results/goel-garg-charts",
    "results-unexplained": "/results/kwb",
    "compare": "/compare",
    "compared": "/compare/avg-bulls-cows/crush-bulls-cows",
    "compared-apart": "/compare/avg-mastermind/crush-mastermind/0.3-1.1",
    "compared-nothing": "/compare/avg-bulls-cows/avg-mastermind",
    "bulls-cows-first": "/play/avg-bulls-cows/0",
    "bulls-cows-third": "/play/avg-bulls-cows/k3/0.2-1.1",
    "bulls-cows-end": "/play/avg-bulls-cows/0/0.2-1.2-0.3-3.0-4.0",
    "mastermind-first": "/play/avg-mastermind/0",
    "mastermind-third": "/play/avg-mastermind/5x/0.1-1.1",
    "mastermind-end": "/play/avg-mastermind/0/2.0-2.2-4.0",
    "doubt": "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none",
    "doubt-mastermind": "/play/avg-mastermind/5x/0.1-1.1/none",
    "doubt-answered": "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none?answer=0.4",
    "told": "/play/avg-bulls-cows/k3/0.2-1.1/none?secret=1234",
    "mistold": "/play/avg-bulls-cows/k3/0.2-1.1/none?secret=12",
    "told-pegs": "/play/avg-mastermind/5x/0.1-1.1/none?secret=3350",
    "analysis-bulls-cows": "/play/avg-bulls-cows/k3/0.2-1.1?analysis=open",
    "analysis-mastermind": "/play/avg-mastermind/5x?analysis=open",
    "analysis-all": "/play/crush-mastermind/5x/0.1?analysis=all",
    "contradiction": "/play/avg-bulls-cows/k3/0.4-2.2-0.0",
    "guess": "/guess",
    "guess-first": "/guess/p4c10n/2026-11-21",
    "guess-refused": "/guess/p4c10n/k3f9/0123?guess=0112",
    "guess-checked": "/guess/p4c10n/k3f9/0123-4567?hints=on&check=on&guess=0132",
    "guess-pegs": "/guess/p4c6r/k3f9/0011?hints=on",
    "guess-end": "/guess/p4c10n/k3f9/0123-4567-0456-4620",
    "guess-helped": "/guess/p4c10n/2026-11-21/0123?help=h1.u4567.k",
    "guess-future": "/guess/p4c10n/9999-12-31",
    "guess-pegs-end": "/guess/p4c6r/k3f9/0011-2233-0011-1104",
    "analyse": "/analyse",
    "analyse-no-game": "/analyse?positions=9&symbols=10",
    "analyse-size": "/analyse/size?positions=8&symbols=9",
    "analyse-first": "/analyse/p4c10n",
    "analyse-second": "/analyse/p4c10n?h=0123:0.1",
    "analyse-own": "/analyse/p4c6r?h=0011:1.1&guess=2345",
    "analyse-few": "/analyse/p4c6r?h=0011:1.1-0223:1.0-1454:2.1",
    "analyse-long": "/analyse/p6c6n?h=012345:2.2&objective=worst,average",
    "analyse-late": "/analyse/p4c6r?h=0011:1.1&max_turns=2",
    "analyse-mistake": "/analyse/p4c10n?h=0123:0.4-0132:0.3",
    "analyse-mistakes": "/analyse/p4c10n?h=0123:0.0-4567:0.0-0123:4.0-4567:4.0",
    "analyse-found": "/analyse/p4c10n?h=0123:0.4-1032:4.0",
    "analyse-not-read": "/analyse/p4c10n?h=x&guess=00&objective=last",
    "analyse-turn-not-read": "/analyse/p4c10n?h=0123+1B%0A45x7&guess=1&answer=1.1",
    "analyse-too-large": "/analyse/p8c9r",
    "review": "/review/p4c10n?h=0123:1.1-4567:1.1-4650:3.0-4620:4.0&turn=2&guess=0145",
    "review-pegs": "/review/p4c6r?h=0011:0.3-1104:4.0&theirs=0012:4.0&turn=1&guess=2345",
    "answered": "/answer/p4c10n?secret=4271&guess=1234",
    "answered-pegs": "/answer/p4c6r?secret=0112&guess=1110",
    "answered-wrong": "/answer/p4c10n?secret=1123&guess=x",
    "error": "/nothing",
    "error-answer": "/play/avg-bulls-cows/0/3.1",
    "offline": "/offline",
}
ALIKE = (
    *("unfolded", "path", "statistics-columns", "statistics-mastermind", "results-cycles"),
    *("results-unexplained", "compared-apart", "compared-nothing", "bulls-cows-first"),
    *("bulls-cows-end", "mastermind-first", "mastermind-third", "doubt", "doubt-mastermind"),
    *("mistold", "told-pegs", "analysis-mastermind", "analysis-all", "guess-first"),
    *("guess-refused", "guess-pegs", "guess-end", "analyse-no-game", "analyse-first"),
    *("analyse-second", "analyse-few", "analyse-long", "analyse-late", "analyse-mistake"),
    *("analyse-found", "analyse-not-read", "error-answer"),
    *("review-pegs", "answered-pegs"),
)
"""Pages whose parts other pages have as well, for the slow part."""
PAGES |= {path: path for path in open_pages() if path not in PAGES.values()}
WIDTHS = (320, 1280)
FEW_WIDTHS = (320, 768)
ALL_WIDTHS = (320, 360, 768, 1024, 1280, 1600)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

STILL = "'offset', 'computedOffset', 'easing', 'composite', 'pointerEvents'"
"""Properties of a keyframe that move nothing."""

Open = Callable[[str], Page]

each_page = pytest.mark.parametrize("name", PAGES)
each_kind = pytest.mark.parametrize("name", [name for name in PAGES if name not in ALIKE])
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


@pytest.fixture(scope="module")
def looks(browser: Browser, site: str) -> Iterator[Open]:
    """Open pages one after the other, with axe in each."""
    context = browser.new_context(reduced_motion="reduce", service_workers="block")
    context.add_init_script(SCRIPT)
    page = context.new_page()
    errors: list[str] = []
    watch(page, errors)

    def open_page(path: str) -> Page:
        assert errors == []
        page.goto(site + path)
        open_details(page)
        return page

    yield open_page
    context.close()
    assert errors == []


@each_kind
def test_page_is_accessible_and_fits(looks: Open, name: str):
    page = looks(f"/ru{PAGES[name]}")
    assert page.locator("[aria-live], [role=status], [role=alert]").count() == 1, "live region"
    assert list(inaccessible(page, 320, scheme="light", rules=RULES)) == []
    assert list(too_wide(page, FEW_WIDTHS)) == []


@pytest.mark.slow
@each_page
@each_language
def test_page_fits_any_window(looks: Open, name: str, prefix: str):
    assert list(too_wide(looks(prefix + PAGES[name]), ALL_WIDTHS)) == []


@pytest.mark.slow
@each_page
@each_language
def test_page_is_accessible_in_any_window(looks: Open, name: str, prefix: str):
    """Colours are the same in both languages, so the dark ones are looked at in one."""
    page = looks(prefix + PAGES[name])
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
        assert page.locator(".guess .pin").first.is_visible()
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
    moving = (
        "document.getAnimations().flatMap(a => a.effect.getKeyframes())"
        ".flatMap(frame => Object.keys(frame)).filter(name => !["
        + STILL
        + "].includes(name)).length"
    )
    assert page.evaluate(moving) == 0
    slow = (
        "[...document.querySelectorAll('*')]"
        ".filter(e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    )
    assert page.evaluate(slow) == 0


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


def test_largest_tree_opens_in_one_screenful(visit: Visit):
    page = visit("/trees/crush-bulls-cows", viewport={"width": 1280, "height": 800})
    box = page.locator(".branches > li").last.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    assert page.locator("main :not(.icicle, .icicle *)").count() < 600, "the others come on demand"
