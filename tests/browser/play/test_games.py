"""Whole games in a browser: by mouse, by keyboard, by finger, without JavaScript, with Back."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from bullscows.game.rules import Rules, respond
from tests.browser.conftest import Visit

BULLS_COWS = ("p4c10n", "/play?tree=avg-bulls-cows&shuffle=on", "4271")
MASTERMIND = ("p4c6r", "/play?tree=avg-mastermind&shuffle=on", "3350")
GAMES = [pytest.param(*BULLS_COWS, id="bulls-cows"), pytest.param(*MASTERMIND, id="mastermind")]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL_PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


def right_answer(page: Page, rules: str, secret: str) -> str:
    guess = page.locator("[data-guess]").get_attribute("data-guess")
    assert guess is not None
    game = Rules.parse(rules)
    codes = (game.code(game.parse_code(text)) for text in (guess, secret))
    return str(respond(*codes))


def link_to(page: Page, answer: str) -> Locator:
    return page.locator(f"[data-answer='{answer}']")


def turns_played(page: Page) -> int:
    return page.locator(".ledger tbody tr").count()


def play(page: Page, rules: str, secret: str, choose: str = "click") -> None:
    """Answer truly until the game ends, by `click` or `tap`."""
    for turn in range(1, 10):
        answer = right_answer(page, rules, secret)
        getattr(link_to(page, answer), choose)()
        expect(page.locator(".ledger tbody tr")).to_have_count(turn)
        if page.locator("[data-secret]").count():
            break
    assert page.locator("[data-secret]").get_attribute("data-secret") == secret
    assert turns_played(page) <= 7


@pytest.mark.parametrize(("rules", "start", "secret"), GAMES)
def test_game_by_mouse_changes_only_the_content(visit: Visit, rules: str, start: str, secret: str):
    page = visit(start)
    page.evaluate("window.untouched = true")
    play(page, rules, secret)
    assert page.evaluate("window.untouched")
    assert page.url.endswith("4.0")
    expect(page.locator("#status")).to_contain_text(" ".join(secret))


@pytest.mark.parametrize(
    ("prefix", "rules", "start", "secret"), [("", *BULLS_COWS), ("/ru", *MASTERMIND)]
)
def test_game_without_javascript(visit: Visit, prefix: str, rules: str, start: str, secret: str):
    page = visit(prefix + start, java_script_enabled=False)
    play(page, rules, secret)


@pytest.mark.parametrize(("rules", "start", "secret"), GAMES)
@pytest.mark.parametrize(
    "device",
    [pytest.param(PHONE, id="390", marks=pytest.mark.slow), pytest.param(SMALL_PHONE, id="320")],
)
def test_game_on_a_phone(
    visit: Visit, device: dict[str, object], rules: str, start: str, secret: str
):
    page = visit(start, **device)
    cells = page.locator("[data-answer]")
    boxes = cells.evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    assert len(boxes) >= 13
    for box in boxes:
        assert min(box["width"], box["height"]) >= 44
        assert box["bottom"] <= page.evaluate("innerHeight"), "below the fold"
    play(page, rules, secret, "tap")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def press_until(page: Page, key: str, selector: str, limit: int = 80) -> None:
    """Press `key` until the element with the focus matches; it must show that it has it."""
    for _ in range(limit):
        page.keyboard.press(key)
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            return
    pytest.fail(f"{key} does not lead to {selector}")


@pytest.mark.parametrize(
    ("rules", "tree", "secret"),
    [
        ("p4c10n", "avg-bulls-cows", "9805"),
        pytest.param("p4c6r", "avg-mastermind", "0542", marks=pytest.mark.slow),
    ],
)
def test_game_by_keyboard_alone(visit: Visit, rules: str, tree: str, secret: str):
    page = visit("/")
    press_until(page, "Tab", f"form:has([value={tree}]) button")
    page.keyboard.press("Enter")
    expect(page.locator("[data-guess]")).to_be_visible()
    for turn in range(1, 10):
        answer = right_answer(page, rules, secret)
        press_until(page, "Tab", f"[data-answer='{answer}']")
        page.keyboard.press("Enter")
        expect(page.locator(".ledger tbody tr")).to_have_count(turn)
        expect(page.locator("h1")).to_be_focused()  # it stays with the game
        if page.locator("[data-secret]").count():
            break
    assert page.locator("[data-secret]").get_attribute("data-secret") == secret


def test_skip_link_leads_to_the_content(visit: Visit):
    page = visit("/trees")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_back_forward_reload_and_a_shared_link(visit: Visit):
    page = visit("/play/avg-bulls-cows/k3")
    first = page.locator("[data-guess]").get_attribute("data-guess")
    link_to(page, "0.1").click()
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    link_to(page, "1.1").click()
    expect(page.locator(".ledger tbody tr")).to_have_count(2)
    expect(page).to_have_title(re.compile("^Guess 3"))  # told after the page is shown
    place, title = page.url, page.title()
    third = page.locator("[data-guess]").get_attribute("data-guess")
    page.go_back()
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    page.go_back()
    expect(page.locator("[data-guess]")).to_have_attribute("data-guess", str(first))
    expect(page.locator(".ledger tbody tr")).to_have_count(0)
    expect(page.locator("header.site-head")).to_have_count(1)
    page.go_forward()
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    page.go_forward()
    expect(page.locator("[data-guess]")).to_have_attribute("data-guess", str(third))
    assert page.url == place
    page.reload()
    expect(page.locator("[data-guess]")).to_have_attribute("data-guess", str(third))
    assert page.title() == title
    shared = visit(place.removeprefix(re.match(r"https?://[^/]+", place)[0]))  # type: ignore[index]
    expect(shared.locator("[data-guess]")).to_have_attribute("data-guess", str(third))


def test_undo_goes_back_to_a_turn(visit: Visit):
    page = visit("/play/avg-bulls-cows/0/0.1-1.1")
    page.locator(".undo a").last.click()
    expect(page.locator(".ledger tbody tr")).to_have_count(1)
    assert page.url.endswith("/play/avg-bulls-cows/0/0.1")


def test_status_and_languages_follow_the_game(visit: Visit):
    page = visit("/play/avg-bulls-cows/0")
    region = page.locator("#status").element_handle()
    link_to(page, "0.1").click()
    expect(page.locator("#status")).to_contain_text("Guess 2")
    assert page.evaluate("region => region.isConnected", region), "the live region must stay"
    page.locator("#languages a").click()
    page.wait_for_url("**/ru/play/avg-bulls-cows/0/0.1")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "plain"])
def test_slip_is_found_and_mended(visit: Visit, script: bool):
    page = visit("/play/avg-mastermind/0/0.1-1.1", java_script_enabled=script)
    page.locator(".doubt a").click()
    expect(page.locator("h1")).to_have_text("Something does not fit")
    page.locator("a.repair").first.click()
    expect(page.locator("[data-guess]")).to_be_visible()
    assert "none" not in page.url


def test_saying_the_right_answer_leads_to_fewer_repairs(visit: Visit):
    page = visit("/play/avg-bulls-cows/k3/0.2-1.1-1.2/none")
    all_repairs = page.locator("a.repair").count()
    page.locator("a[data-unoffered]").first.click()
    expect(page.locator("a[data-unoffered]")).to_have_count(0)
    assert 0 < page.locator("a.repair").count() <= all_repairs
    assert "answer=" in page.url


def test_secret_is_held_against_the_answers(visit: Visit):
    page = visit("/play/avg-bulls-cows/0/0.1-1.1/none")
    page.fill("#secret", "0123")
    page.keyboard.press("Enter")
    expect(page.locator(".checks .wrong")).to_have_count(2)
    page.locator(".stage .button.primary").click()
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", "0123")


def test_tree_opens_branch_by_branch(visit: Visit):
    page = visit("/trees/avg-bulls-cows")
    page.locator("details[hx-get$='/0.1'] > summary").click()
    inner = page.locator("details[hx-get$='/0.1-1.1']")
    expect(inner).to_have_count(1)
    inner.locator("> summary").click()
    expect(inner.locator("summary").nth(3)).to_be_visible()
    assert page.url.endswith("/trees/avg-bulls-cows")


def test_tree_opens_without_javascript(visit: Visit):
    page = visit("/trees/avg-bulls-cows", java_script_enabled=False)
    page.locator("details:has([data-answer='0.1']) > summary").first.click()
    page.locator("[data-answer='0.1']").click()
    assert page.url.endswith("/trees/avg-bulls-cows/0.1")


def test_copy_button_copies_the_string_with_its_del(visit: Visit, site: str):
    page = visit("/trees/avg-bulls-cows")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    page.locator(".string > summary").click()
    page.locator("[data-copy=tree-string]").click()
    expect(page.locator("#status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    shown = page.locator("#tree-string").text_content()
    assert shown is not None
    assert copied == shown.replace("\\x7f", "\x7f")
    assert "\\" not in copied


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "plain"])
def test_secret_is_told_peg_by_peg(visit: Visit, script: bool):
    page = visit("/play/avg-mastermind/0/0.1-1.1/none", java_script_enabled=script)
    for place, peg in enumerate("1022", start=1):
        page.locator(f"label:has([name=peg{place}][value='{peg}'])").click()
    page.locator("form:has(.picker) button").click()
    expect(page.locator(".checks tbody tr")).to_have_count(2)
    expect(page.locator(".checks tbody tr").first).to_be_in_viewport()
    assert page.url.endswith("/none?secret=1022#told")
    assert page.locator("[name=peg1]:checked").get_attribute("value") == "1"


def test_secret_is_told_peg_by_peg_with_the_keyboard(visit: Visit):
    page = visit("/play/avg-mastermind/0/0.1-1.1/none")
    page.locator("[name=peg1]").first.focus()
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/none?secret=0111#told")


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "plain"])
def test_strategy_and_variation_are_chosen_at_the_start(visit: Visit, script: bool):
    page = visit("/", java_script_enabled=script)
    form = page.locator("form:has([value=avg-mastermind])")
    form.locator("summary").click()
    form.locator("label:has([value=crush-mastermind])").click()
    form.locator("label:has([name=shuffle])").click()
    form.locator("button").click()
    page.wait_for_url("**/play/crush-mastermind/0")
