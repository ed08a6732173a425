"""The HTML export of a tree: read from disk, on a phone and on paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bullscows.tree.export import FORMATS
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder
from tests.support.drivers.axe import too_faint_in_the_dark, violations


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tree.html"
    tree = read_tree(default_folder() / "avg-mastermind.json").tree
    path.write_text("".join(FORMATS["html"](tree)), encoding="utf-8")
    return path


def test_page_is_accessible_and_fits_narrow_phones(browser: Browser, file: Path):
    page = browser.new_page(viewport={"width": 320, "height": 640}, color_scheme="light")
    page.goto(file.as_uri())
    page.evaluate(
        "[...document.querySelectorAll('details')].slice(0, 60).forEach(e => { e.open = true; })"
    )
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
