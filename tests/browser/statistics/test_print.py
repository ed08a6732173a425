"""Tables of statistics print whole: no column is cut off on a sheet of paper."""

import pytest

from tests.browser.conftest import Visit

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
