"""Choices stored in the browser: the pegs, the strategy, the game."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import BLANK, Visit
from tests.support.browsers.playing import guess, in_windows

SAMPLE = ".sprite #s1"


def drawn(page: Page) -> set[str]:
    parts = ("shape", "ball", "digit", "letter", "own")
    display = "e => getComputedStyle(e).display"
    return {p for p in parts if page.locator(f"{SAMPLE} .{p}").evaluate(display) != "none"}


def test_pegs_look_as_chosen_on_every_page(visit: Visit):
    page = visit("/preferences")
    assert drawn(page) == {"ball", "digit"}
    page.get_by_label("A shape for each colour").check()
    page.get_by_label("Letters", exact=True).check()
    page.goto(page.url.replace("/preferences", "/play/avg-mastermind/0"))
    assert drawn(page) == {"shape", "letter"}


def test_choices_made_before_the_scripts_arrive_are_kept(own_page: Page, site: str):
    page = own_page
    page.goto(site + BLANK)
    choices = "{ theme: 'dark', pegs: 'own', marks: ['x', 'y'] }"
    page.evaluate(f"localStorage.choices = JSON.stringify({choices})")
    late: list[Route] = []
    scripts = re.compile("/(notes|preferences)[.]")
    page.route(scripts, lambda route: late.append(route))
    with page.expect_request(scripts):
        page.goto(f"{site}/guess/p4c10n/k3f9/0123", wait_until="commit")
    marking = page.locator(".marking input")
    marking.check()
    late.pop().continue_()
    expect(page.locator(".notes")).not_to_have_attribute("aria-busy", "true")
    expect(marking).to_be_checked()
    with page.expect_request(scripts):
        page.goto(f"{site}/preferences", wait_until="commit")
    page.get_by_label("High", exact=True).check()
    page.locator("[data-place='1']").fill("z")
    late.pop().continue_()
    expect(page.get_by_label("Dark", exact=True)).to_be_checked()
    expect(page.get_by_label("High", exact=True)).to_be_checked()
    marks = page.locator("[data-place='0'], [data-place='1']")
    assert marks.evaluate_all("marks => marks.map(mark => mark.value)") == ["x", "z"]
    page.unroute_all()
    page.reload()
    expect(page.get_by_label("High", exact=True)).to_be_checked()
    page.goto(f"{site}/guess/p4c10n/k3f9/0123")
    expect(marking).to_be_checked()


BACKGROUND = "getComputedStyle(document.body).backgroundColor"
BARS = """[...document.querySelectorAll("meta[name=theme-color]")]
  .filter((bars) => matchMedia(bars.media).matches).map((bars) => bars.content)"""


def test_theme_contrast_and_palette_apply_to_every_page(visit: Visit):
    page = visit("/preferences", color_scheme="dark")
    assert page.evaluate(BACKGROUND) == "rgb(14, 20, 17)"
    page.get_by_label("Light", exact=True).check()
    assert page.evaluate(BACKGROUND) == "rgb(243, 245, 239)", "at once"
    page.goto(page.url.replace("/preferences", "/guess/p4c10n/k3f9/0123"))
    assert page.evaluate(BACKGROUND) == "rgb(243, 245, 239)"
    assert page.evaluate(BARS) == ["#f3f5ef"]
    primary = page.locator(".primary").first
    expect(primary).to_have_css("background-color", "rgb(11, 107, 70)")
    page.goto(page.url.replace("/guess/p4c10n/k3f9/0123", "/preferences"))
    page.get_by_label("High", exact=True).check()
    page.get_by_label("Blue and orange").check()
    page.goto(page.url.replace("/preferences", "/guess/p4c10n/k3f9/0123"))
    assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
    expect(primary).to_have_css("background-color", "rgb(11, 85, 168)")


def test_strategy_and_game_are_remembered(visit: Visit):
    page = visit("/play")
    for form in page.locator("form details").all():
        form.evaluate("e => { e.open = true; }")
    form = page.locator("form:has([data-rules=p4c6r])")
    form.locator("[value=crush-mastermind]").check()
    form.locator("[name=shuffle]").uncheck()
    page.reload()
    expect(form.locator("[value=crush-mastermind]")).to_be_checked()
    expect(form.locator("[name=shuffle]")).not_to_be_checked()
    expect(page.locator("[value=avg-bulls-cows]")).to_be_checked()
    page.goto(page.url.replace("/play", "/?lang=en"))
    page.get_by_text("Mastermind", exact=True).click()
    page.reload()
    expect(page.get_by_label("Mastermind", exact=True)).to_be_checked()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play/crush-mastermind/0")


@pytest.mark.parametrize(
    ("going", "over", "name"),
    [
        (
            "/play/avg-bulls-cows/0/0.2-1.2",
            "/play/avg-bulls-cows/0/0.2-1.2-0.3-3.0-4.0",
            "Computer guesses · turn 3",
        ),
        (
            "/guess/p4c10n/k3f9/0123",
            "/guess/p4c10n/k3f9/0123-4567-0456-4620",
            "Bulls & Cows · turn 2",
        ),
        ("/duel/adversary/p4c10n/0123:0.0", "/duel/adversary/p4c10n/0123:0.0-4567:4.0", "turn 2"),
    ],
)
def test_game_under_way_is_one_click_away_until_it_is_over(
    visit: Visit, going: str, over: str, name: str
):
    page = visit("/")
    start = page.url
    link = page.locator(".under-way a")
    expect(link).to_be_hidden()
    page.goto(start.rstrip("/") + going)
    page.goto(start)
    expect(link).to_contain_text(name)
    today = page.evaluate("new Date().toLocaleDateString('en', { day: 'numeric', month: 'long' })")
    expect(link).to_contain_text(today)
    link.click()
    page.wait_for_url(f"**{going}")
    page.goto(start.rstrip("/") + over)
    page.goto(start)
    expect(link).to_be_hidden()


def test_invalid_stored_choices_are_ignored(visit: Visit, site: str):
    page = visit(BLANK)
    for kept in ("no JSON", "7", "null", '{"game": "//evil.example", "trees": 3}'):
        page.evaluate("kept => { localStorage.choices = kept; }", kept)
        page.goto(site)
        expect(page.locator(".under-way a")).to_be_hidden()
        expect(page.locator(".start [value=avg-bulls-cows]")).to_be_checked()


WRONG_TYPES = '{"theme": 7, "marks": null, "game": 5, "turn": "x", "sound": ["on"], "pegs": "own"}'
"""What no version of the site has stored."""


def test_stored_choices_of_another_type_are_ignored_on_every_page(visit: Visit):
    """Each choice by itself: the others are kept.  The fixture fails at an error of a script."""
    page = visit(BLANK)
    page.evaluate("kept => { localStorage.choices = kept; }", WRONG_TYPES)
    page.goto(page.url.replace(BLANK, "/guess/p4c6r/k3f9"))
    guess(page, "0011")
    assert page.evaluate("document.documentElement.dataset.theme") == "system"
    page.goto(page.url.replace("/guess/p4c6r/k3f9/0011", "/preferences"))
    expect(page.get_by_label("Marks of my own", exact=True)).to_be_checked()
    expect(page.locator("[name=theme][value=system]")).to_be_checked()
    page.goto(page.url.replace("/preferences", "/"))
    expect(page.locator(".under-way a")).to_contain_text("Mastermind · turn 2")


def test_single_keys_can_be_switched_off(visit: Visit):
    page = visit("/preferences")
    page.get_by_label("They do nothing").check()
    page.reload()
    expect(page.get_by_label("They do nothing")).to_be_checked()
    start = page.url.replace("/preferences", "")
    page.goto(f"{start}/play/avg-bulls-cows/k3")
    expect(page.locator(".by-keys")).to_be_hidden()
    page.keyboard.type("01")
    expect(page.locator(".cell.chosen")).to_have_count(0)
    page.goto(f"{start}/guess/p4c6r/k3f9")
    page.locator("#content").focus()
    page.keyboard.type("1b")
    expect(page.locator("#guess")).to_have_value("")
    page.locator("#guess").focus()
    page.keyboard.type("1b")
    expect(page.locator("#guess")).to_have_value("11")


def test_start_and_todays_puzzle_have_the_same_weight(visit: Visit):
    page = visit("/")
    for size in in_windows(page, (320, 568), (390, 844), (1280, 800), (1920, 1080)):
        start, day = (
            page.locator(f"{part} .primary").bounding_box() for part in (".start", "#day-puzzle")
        )
        assert start is not None
        assert day is not None
        assert abs(start["height"] - day["height"]) < 2, size
        assert abs(start["width"] - day["width"]) < 25, size
        assert day["y"] + day["height"] < size[1], "both are on the first screen"
        if size[0] > 1000:
            assert abs(start["y"] + start["height"] - day["y"] - day["height"]) < 6, size
