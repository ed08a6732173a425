"""Pegs have enough contrast with their background, and their marks fit on them."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit

SCHEMES = ("light", "dark")
NON_TEXT = 3.0
"""Minimum contrast of graphics (WCAG 2.2, 1.4.11)."""

OVERFLOWING = """() => [...document.querySelectorAll("symbol:has(.shape)")].flatMap((symbol) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), rim = 1.4;
  svg.innerHTML = symbol.innerHTML;
  document.body.append(svg);
  const pen = document.createElement("canvas").getContext("2d");
  const isOnShape = (x, y) => svg.querySelector(".shape").isPointInFill({ x, y });
  return [...svg.querySelectorAll("text:not(.own)")].filter((text) => {
    const [x, y] = ["x", "y"].map((name) => +text.getAttribute(name));
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(text);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    pen.textAlign = "center";
    const ink = pen.measureText(text.textContent);
    const across = [x - ink.actualBoundingBoxLeft - rim, x + ink.actualBoundingBoxRight + rim];
    const down = [y - ink.actualBoundingBoxAscent - rim, y + ink.actualBoundingBoxDescent + rim];
    return !across.every((x) => down.every((y) => isOnShape(x, y)));
  }).map((text) => `${text.textContent} on ${symbol.id}`);
})"""
"""Marks that leave the shape of their peg, or come closer than 1.4 of 40 units to its edge."""


def luminance(colour: tuple[int, ...]) -> float:
    """The relative luminance of a colour, as WCAG defines it."""
    parts = [value / 255 for value in colour]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


Pixel = tuple[int, int, int]


def contrast(one: Pixel, other: Pixel) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def pixels(picture: Locator) -> tuple[Pixel, Pixel, Pixel]:
    """Return the colours of a peg's paper, of its rim, and of its centre.

    The rim is what differs most from the paper on the way from the top to the centre.
    """
    image = Image.open(BytesIO(picture.screenshot(animations="disabled"))).convert("RGB")
    x, y = image.width // 2, image.height // 2
    paper, *line, centre = (image.getpixel(at) for at in ((0, 0), *((x, up) for up in range(y))))
    rim = max(line[: y // 3], key=lambda pixel: contrast(pixel, paper))  # type: ignore[arg-type]
    return paper, rim, centre  # type: ignore[return-value]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_green_pegs_contrast_with_the_winning_row(visit: Visit, scheme: str):
    page = visit("/guess/p4c6r/e/0123", color_scheme=scheme, device_scale_factor=4)
    page.keyboard.type("3143")
    page.keyboard.press("Enter")
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", "3143")
    row = page.locator("#board table").first.locator("tr").last
    greens = row.locator("svg:has(use[href='#s3'])")
    expect(greens).to_have_count(2)
    for green in greens.all():
        paper, rim, _ = pixels(green)
        assert contrast(paper, rim) >= NON_TEXT


def test_black_pegs_are_black_within_a_light_rim_in_the_dark(visit: Visit):
    page = visit("/guess/p4c6r/e/3314", color_scheme="dark", device_scale_factor=4)
    mark = page.locator("[data-guess][data-answer] svg:has(use[href='#black'])").first
    paper, rim, centre = pixels(mark)
    assert max(centre) < 0x20
    assert contrast(rim, centre) >= 7
    assert contrast(rim, paper) >= NON_TEXT


def test_marks_lie_on_their_pegs(visit: Visit):
    page = visit("/preferences")
    page.get_by_label("A shape for each colour").check()
    assert page.evaluate(OVERFLOWING) == []
