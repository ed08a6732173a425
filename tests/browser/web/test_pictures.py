"""Pictures in a browser: candidate map, tree, charts, pegs, and the export of a tree."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from bullscows.tree.export import FORMATS
from bullscows.tree.files import read_tree
from tests.browser.conftest import Visit
from tests.support.browsers.axe import too_faint_in_the_dark, violations


def bright(page: Page) -> list[str]:
    """Return the answers whose cells are not dimmed."""
    shown = page.evaluate(
        """() => [...document.querySelectorAll(".field path")]
            .filter(e => getComputedStyle(e).opacity > 0.5).map(e => e.getAttribute("class"))"""
    )
    return [str(style) for style in shown]


@pytest.mark.parametrize(
    ("path", "how"),
    [("/play/avg-bulls-cows/0/0.1", "hover"), ("/analyse/p4c10n?h=0123:0.1", "focus")],
)
def test_answer_under_the_pointer_or_focus_lights_only_its_cells(visit: Visit, path: str, how: str):
    page = visit(path, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    assert len(bright(page)) > 8
    for answer in ("0.1", "1.1", "2.0"):
        cell = page.locator(f".answers [data-answer='{answer}']")
        if how == "hover":
            cell.hover()
        else:
            page.keyboard.press("Tab")  # from now on the browser shows where the keyboard is
            cell.focus()
        bulls, cows = answer.split(".")
        assert bright(page) == [f"b{bulls} c{cows}"]


@pytest.mark.parametrize(
    "path", ["/trees/avg-bulls-cows", "/ru/trees/avg-mastermind/1.1", "/trees"]
)
def test_labels_of_the_tree_picture_fit_their_blocks(visit: Visit, path: str):
    page = visit(path, reduced_motion="reduce")
    for width in (320, 700, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        outside = page.evaluate(
            """() => [...document.querySelectorAll(".icicle a > svg")].filter(block => {
                const room = block.querySelector("rect").getBoundingClientRect();
                return [...block.querySelectorAll("text, use")].some(e => {
                  const box = e.getBoundingClientRect();
                  return box.width && (box.left < room.left || box.right > room.right);
                });
            }).map(e => e.textContent.trim())"""
        )
        assert not outside
        shown = page.locator(".icicle text:visible").count()
        assert shown >= (1 if width == 320 else 4), "labels are there where there is room"


SHEET = {"width": 1046, "height": 718}
"""An A4 sheet on its side, less its margins, in CSS pixels."""


@pytest.mark.parametrize("path", ["/statistics", "/ru/statistics", "/statistics/avg-bulls-cows"])
def test_tables_are_no_wider_than_the_sheet(visit: Visit, path: str):
    page = visit(path, viewport=SHEET)
    page.emulate_media(media="print")
    rights = page.locator("table").evaluate_all(
        "tables => tables.map(e => e.getBoundingClientRect().right)"
    )
    assert rights
    assert max(rights) <= SHEET["width"]
    wide = page.locator("main:has(.data.wide)")
    assert not wide.count() or wide.evaluate("e => getComputedStyle(e).page") == "wide"


@pytest.fixture
def file(small_trees: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tree.html"
    tree = read_tree(small_trees / "small-bulls-cows.json").tree
    path.write_text("".join(FORMATS["html"](tree)), encoding="utf-8")
    return path


def test_page_is_accessible_and_fits_narrow_phones(browser: Browser, file: Path):
    page = browser.new_page(viewport={"width": 320, "height": 640}, color_scheme="light")
    page.goto(file.as_uri())
    page.evaluate("[...document.querySelectorAll('details')].forEach(e => { e.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    assert too_faint_in_the_dark(page) == []
    page.close()


def test_page_unfolds_on_paper(browser: Browser, file: Path):
    page = browser.new_page()
    page.goto(file.as_uri())
    last = page.locator("p").last
    assert not last.is_visible()
    page.emulate_media(media="print")
    assert last.is_visible()
    page.close()
