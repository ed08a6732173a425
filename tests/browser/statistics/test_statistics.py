"""Statistics: no chart label covers a line or another label, and tables fit on paper."""

import pytest

from tests.browser.conftest import Visit

COVERED = """() => {
  const found = [];
  for (const chart of document.querySelectorAll("svg.chart")) {
    const texts = [...chart.querySelectorAll("text")];
    const boxes = texts.map((text) => text.getBBox());
    boxes.forEach(({ x, y, width, height }, place) => {
      const name = texts[place].textContent.trim();
      for (const path of chart.querySelectorAll("path.axis, path.mean")) {
        for (let across = 0; across <= 1; across += .05) for (const down of [.3, .45, .6, .75]) {
          const point = new DOMPoint(x + across * width, y + down * height);
          if (path.isPointInStroke(point)) found.push(`${name} on a line`);
        }
      }
      boxes.slice(0, place).forEach((box, other) => {
        const least = .3 * height, isBeside = box.x + box.width <= x + 1 || x + width <= box.x + 1;
        const isBelow = box.y + box.height <= y + least || y + height <= box.y + least;
        if (!isBeside && !isBelow) found.push(`${name} over ${texts[other].textContent}`);
      });
    });
  }
  return [...new Set(found)];
}"""
PATHS = (
    "/ru/statistics/avg-bulls-cows",
    "/statistics/crush-mastermind",
    "/ru/trees",
)


@pytest.mark.parametrize("path", PATHS)
def test_no_label_of_a_chart_is_covered(visit: Visit, path: str):
    page = visit(path)
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    assert page.locator("svg.chart text").count() > 10
    assert page.evaluate(COVERED) == []


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
