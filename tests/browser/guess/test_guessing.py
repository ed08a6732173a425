"""Games in which the visitor guesses: by keyboard, by touch, without JavaScript, with Back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, each_language
from tests.support.browsers.axe import too_faint_in_the_dark, violations
from tests.support.browsers.playing import (
    DESKTOP,
    SMALL_PHONE,
    expect_turns,
    guess,
    open_details,
    overflow,
)

BULLS_COWS = "/guess/p4c10n/k3f9"  # 4620
MASTERMIND = "/guess/p4c6r/k3f9"  # 1104
GUESSES = ("0123", "4567", "4620")
PEGS = ("0011", "1104")


@each_language
def test_game_in_place_keeps_the_focus_in_the_field(visit: Visit, prefix: str):
    page = visit(prefix + BULLS_COWS)
    page.evaluate("window.untouched = true")
    for code in GUESSES[:2]:
        guess(page, code)
        expect(page.locator("#guess")).to_be_focused()  # the next guess can be typed
        expect(page.locator("#guess")).to_have_value("")
        expect(page.locator("#status")).to_contain_text(" ".join(code))
    guess(page, GUESSES[2])
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", "4620")
    expect(page.locator("h1")).to_be_focused()
    assert page.evaluate("window.untouched"), "only the content changed"
    assert page.url.endswith(f"{BULLS_COWS}/{'-'.join(GUESSES)}")
    expect(page.locator("[data-guess][data-answer]")).to_have_count(3)


def test_pegs_are_chosen_by_finger_without_javascript(visit: Visit):
    page = visit(MASTERMIND, java_script_enabled=False, **SMALL_PHONE)
    for code in PEGS:
        for place, peg in enumerate(code, start=1):
            label = page.locator(f"label:has([name=peg{place}][value='{peg}'])")
            box = label.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
            label.tap()
        page.locator("form:has(.picker) button.primary").tap()
        expect(page.locator(f"[data-guess='{code}']")).to_have_count(1)
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", "1104")


@pytest.mark.parametrize(
    ("puzzle", "codes"), [(BULLS_COWS, GUESSES), (MASTERMIND, PEGS)], ids=["digits", "pegs"]
)
def test_whole_game_by_touch(visit: Visit, puzzle: str, codes: tuple[str, ...]):
    """On the smallest phone: on larger ones the keys are larger."""
    page = visit(puzzle, **SMALL_PHONE)
    for code in codes:
        for symbol in f"{code[:2]}{code[-1]}":  # a wrong symbol is deleted
            tap(page, symbol)
        tap(page, "Backspace")
        for symbol in code[2:]:
            tap(page, symbol)
        expect(page.locator("#guess")).to_have_value(code)
        assert page.locator("#guess").get_attribute("inputmode") == "none", "no other keyboard"
        assert overflow(page) <= 0
        page.locator(".fill .primary").tap()
        expect(page.locator(f"[data-guess='{code}']")).to_have_count(1)
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", codes[-1])


def tap(page: Page, key: str) -> None:
    """Press a key of the board's keypad, which is large enough for a thumb."""
    button = page.locator(f".fill [data-key='{key}']")
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    button.tap()


def slots(page: Page) -> list[str]:
    return [slot.strip() for slot in page.locator(".fill .slot").all_inner_texts()]


@pytest.mark.parametrize(
    ("place", "code", "button", "message"),
    [
        (f"/ru{BULLS_COWS}/0123-4567", "0112", ".primary", "#guess-error"),
        (f"/ru{MASTERMIND}/0011", "0123", "[name=check]", "#checked.wrong"),
    ],
)
def test_board_with_messages_is_accessible_and_fits(
    visit: Visit, place: str, code: str, button: str, message: str
):
    page = visit(place, **SMALL_PHONE)
    page.locator(".aids summary").click()
    expect(page.locator(".notes")).not_to_have_attribute("aria-busy", "true")
    page.locator(".marking input").check()
    page.locator("#guess").fill(code)
    page.locator(f".keypad {button}").click()
    expect(page.locator(message)).to_be_visible()
    assert overflow(page) <= 0
    assert violations(page) == []


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_find_is_animated_unless_motion_is_reduced(visit: Visit, motion: str):
    page = visit(f"{BULLS_COWS}/0123", reduced_motion=motion)
    guess(page, "4620")
    expect(page.locator(".won .past tr")).to_have_count(3)
    moving = page.evaluate(
        """["", "::before"].flatMap((pseudo) =>
          [...document.querySelectorAll(".won .end, .won .past .slot, .won .count")]
          .map((part) => getComputedStyle(part, pseudo).animationName))
          .filter((name) => name !== "none")"""
    )
    assert ({"sparks", "leap", "appear"} <= set(moving)) == (motion == "no-preference")
    assert bool(moving) == (motion == "no-preference")
    page.reload()
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".won")).to_have_count(0)


def test_slots_fill_while_typing(visit: Visit):
    page = visit(BULLS_COWS)
    page.keyboard.type("0x1")
    assert slots(page) == ["0", "1", "", ""], "what is no digit is no key"
    page.keyboard.type("1")
    expect(page.locator("#status")).to_have_text("1 is already in this row.")
    assert slots(page) == ["0", "1", "", ""]
    page.keyboard.press("Backspace")
    page.keyboard.type("2345")
    assert slots(page) == ["0", "2", "3", "4"], "a full row takes no more"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("9")
    expect(page.locator("#guess")).to_have_value("0294")
    page.locator(".fill .slot").first.click(force=True)
    page.keyboard.type("7")
    assert slots(page) == ["7", "2", "9", "4"], "a slot that is tapped is overwritten"


def test_keys_work_outside_the_field_and_letters_name_colours(visit: Visit):
    page = visit(f"/ru{MASTERMIND}")
    page.locator("h1").evaluate("heading => heading.focus()")
    page.keyboard.type("1")
    expect(page.locator("#guess")).to_be_focused()
    page.keyboard.type("ск")  # синий, красный
    expect(page.locator("#guess")).to_have_value("110")
    page.keyboard.type("ф")
    page.locator("h1").evaluate("heading => heading.focus()")
    page.keyboard.press("Enter")
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", "1104")


def test_pegs_by_keyboard_alone_without_javascript(visit: Visit):
    page = visit(MASTERMIND, java_script_enabled=False)
    for place, downs in enumerate((1, 1, 0, 4), start=1):
        while page.locator(f"[name=peg{place}]:focus").count() == 0:
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        for _ in range(downs):
            page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-secret]")).to_have_attribute("data-secret", "1104")


def test_empty_row_is_not_sent(visit: Visit, site: str):
    page = visit(BULLS_COWS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for press in (lambda: page.keyboard.press("Enter"), page.locator(".fill .primary").click):
        page.locator("#status").evaluate("status => { status.textContent = ''; }")
        press()
        expect(page.locator("#status")).to_have_text("Fill the row first.")
        expect(page.locator(".notice")).to_be_visible()
    assert not [url for url in asked if "/static/" not in url]
    expect(page).to_have_url(site + BULLS_COWS)


@pytest.mark.parametrize(
    ("path", "field", "written", "message", "script"),
    [
        (f"/ru{BULLS_COWS}", "guess", "012", "4 цифры, а написано 3.", False),
        (f"/ru{BULLS_COWS}/0123", "guess", "", ": 4 разные цифры.", False),
        ("/duel/friend/p4c10n", "code", "12", "A guess has 4 digits; you wrote 2.", True),
        ("/duel/friend/p4c10n", "code", "12", "A guess has 4 digits; you wrote 2.", False),
    ],
)
def test_short_code_is_refused_in_the_language_of_the_page(
    visit: Visit, path: str, field: str, written: str, message: str, script: bool
):
    """A browser that checks the field itself would use its own language."""
    page = visit(path, java_script_enabled=script)
    page.locator(f"#{field}").fill(written)
    page.locator(f"#{field}").press("Enter")
    expect(page.locator(f"#{field}[aria-invalid]")).to_have_value(written)
    described = page.locator(f"#{field}").get_attribute("aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text(message)
    expect(page.locator(f"#{described}")).to_be_visible()


def test_hints_stay_on_and_a_code_can_be_tried(visit: Visit):
    page = visit(f"{BULLS_COWS}/0123", **DESKTOP)
    page.get_by_role("link", name="Show hints").click()
    expect(page.locator(".hints")).to_be_visible()
    page.locator("#guess").fill("0132")
    page.get_by_role("button", name="Fits?").click()
    expect(page.locator("#checked.wrong")).to_be_visible()
    expect_turns(page, 1)  # a check is no guess
    page.get_by_role("button", name="Guess!").click()
    expect_turns(page, 2)
    assert page.url.endswith("0132?hints=on&help=h2")
    expect(page.locator("#checked")).to_have_count(0)


def test_link_and_result_are_copied_without_the_guesses(visit: Visit, site: str):
    page = visit(f"{BULLS_COWS}/{'-'.join(GUESSES)}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    page.get_by_role("button", name="Menu").click()
    page.locator("[data-copy=puzzle]").click()
    expect(page.locator("#status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site}{BULLS_COWS}"
    page.locator("#status").evaluate("status => { status.textContent = ''; }")
    page.keyboard.press("Escape")
    page.locator("[data-copy=result]").click()
    expect(page.locator("#status")).to_have_text("Copied")
    first, *answers, link = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert link == f"{site}{BULLS_COWS}"
    assert first == "Bulls & Cows, k3f9: 3 turns"
    assert answers == ["🐂🐄", "🐂🐄", "🐂🐂🐂🐂"]


def test_first_game_of_a_puzzle_is_tallied_apart(visit: Visit, site: str):
    page = visit(BULLS_COWS)
    guess(page, *GUESSES)
    expect(page.locator(".end .tally-games")).to_have_text("1")
    expect(page.locator(".end .tally-average")).to_have_text("3")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Play this puzzle again").click()
    expect(page).to_have_url(f"{site}{BULLS_COWS}?help=k")
    guess(page, "4620")
    expect(page.locator("[data-secret]")).to_be_visible()
    expect(page.locator(".end .tally-average")).to_have_text("3")  # the second time it is known
    page.goto(f"{site}/play/avg-bulls-cows/k3")
    page.locator("[data-answer='4.0']").click()
    expect(page.locator(".side .tally-average")).to_have_text("1")
    expect(page.locator(".side .tally-games")).to_have_text("1")


def test_end_with_a_tally_is_accessible_and_fits(visit: Visit):
    still = {"color_scheme": "light", "reduced_motion": "reduce"}  # no colour fades
    page = visit(f"/ru{BULLS_COWS}/0123", **still, **SMALL_PHONE)
    guess(page, "4620")
    expect(page.locator(".end .tally")).to_be_visible()
    open_details(page)
    assert overflow(page) <= 0
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page) <= 0
    assert too_faint_in_the_dark(page) == []


def noted(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.key:has([data-note])')]"
        ".map((key) => [key.dataset.key, key.querySelector('[data-note]').dataset.note]))"
    )
    return found


def test_notes_are_kept_across_turns_and_visits_until_the_game_is_over(visit: Visit):
    page = visit(BULLS_COWS, **SMALL_PHONE)
    bar = page.evaluate("getComputedStyle(document.body, '::after').content")
    assert bar == "none", "nothing is loaded yet"
    guess(page, "0123")
    key = page.locator(".key[data-key='7']")
    tile = page.locator("tr[data-guess='0123'] .slot")
    expect(page.locator(".notes")).not_to_have_attribute("aria-busy", "true")
    key.click(button="right")
    expect(key).to_have_accessible_name("7 (excluded)")
    tile.nth(1).click()
    tile.nth(1).click()
    expect(page.locator("#status")).to_have_text("1: certain")
    assert noted(page) == {"7": "out", "1": "in"}
    assert violations(page) == []
    guess(page, "4567")
    expect(page.locator("tr[data-guess='4567'] [data-note=out]")).to_have_text("7")
    page.reload()
    expect(tile.nth(1).locator("[data-note=in]")).to_have_count(1)
    guess(page, "4620")
    expect(page.locator("[data-secret]")).to_have_count(1)
    page.goto(page.url.partition("/guess/")[0] + BULLS_COWS + "?help=k")
    page.locator(".aids summary").click()
    expect(page.locator(".notes")).to_be_visible()
    assert noted(page) == {}


def test_notes_that_arrive_move_no_other_part(visit: Visit):
    page = visit(f"{BULLS_COWS}/0123", viewport={"width": 1280, "height": 800})
    link = page.get_by_role("link", name="Show hints")
    before = link.bounding_box()
    page.mouse.down()  # the first action loads the notes at the latest
    expect(page.locator(".notes")).to_be_visible()
    assert link.bounding_box() == before


def test_notes_by_keyboard(visit: Visit):
    page = visit(BULLS_COWS, **DESKTOP)
    page.locator(".aids summary").press("Tab")
    button = page.locator("[data-notes=on]")
    expect(button).to_be_visible()  # the first key loads the script, which shows the notes
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("33577777")
    assert noted(page) == {"3": "in", "5": "out", "7": "out"}, "five presses are one"
    expect(page.locator("#guess")).to_have_value("")
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.keyboard.type("4")
    expect(page.locator("#guess")).to_have_value("4")
    page.locator("[data-notes=clear]").press("Enter")
    expect(page.locator(".key [data-note]")).to_have_count(0)


def test_style_left_by_an_extension_is_not_copied_to_the_next_row(visit: Visit):
    """It would violate the content policy: `visit` fails if the console shows an error."""
    page = visit(BULLS_COWS)
    page.evaluate("guess.style.setProperty('color', 'red'); guess.style.removeProperty('color')")
    assert page.locator("#guess").get_attribute("style") == ""
    guess(page, *GUESSES)


@pytest.mark.parametrize(
    ("path", "buttons"),
    [
        (BULLS_COWS, (".fill .primary", ".key[data-key='1']", ".key-back")),
        ("/play/avg-bulls-cows/0", (".win", "a.cell")),
    ],
)
def test_double_tap_on_a_button_selects_no_text_and_does_not_zoom(
    visit: Visit, path: str, buttons: tuple[str, ...]
):
    page = visit(path)
    for button in buttons:
        style = page.locator(button).first.evaluate(
            "e => [getComputedStyle(e).userSelect, getComputedStyle(e).touchAction]"
        )
        assert style == ["none", "manipulation"], button
