"""The candidate map and the tree picture: highlighting, labels, zoom."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit


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


def test_winning_answer_lights_one_cell(visit: Visit):
    page = visit("/play/avg-bulls-cows/0", reduced_motion="reduce")
    page.locator(".answers .win").hover()
    assert bright(page) == ["b4 c0 win"]


def test_shades_of_a_large_game_stay_as_they_are(visit: Visit):
    page = visit("/analyse/p5c10n?h=01234:0.2", reduced_motion="reduce")
    shades = bright(page)
    assert all(style.startswith("n") for style in shades)
    page.locator("a.cell").first.hover()
    assert bright(page) == shades


def test_field_fades_unless_motion_is_reduced(visit: Visit):
    page = visit("/play/avg-bulls-cows/0/0.1")
    path = page.locator(".field path").first
    for motion in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=motion)
        name = path.evaluate("e => getComputedStyle(e).animationName")
        assert (name == "none") == (motion == "reduce")


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


def test_tree_picture_zooms_in_and_out(visit: Visit):
    page = visit("/trees/avg-bulls-cows", viewport={"width": 1280, "height": 800})
    page.locator(".icicle a[href='/trees/avg-bulls-cows/0.1']").first.click()
    expect(page.locator(".slate [data-guess]")).to_have_attribute("data-guess", "1456")
    page.locator(".icicle a").first.click()
    expect(page.locator(".slate [data-guess]")).to_have_attribute("data-guess", "0123")
