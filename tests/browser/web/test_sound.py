"""Sound and vibration: off by default; if chosen, a note for each turn and more for a win."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.support.browsers.playing import answer, guess, wait_for

RECORD = """
globalThis.contexts = 0;
globalThis.tones = [];
globalThis.pulses = [];
globalThis.AudioContext = class extends AudioContext { constructor() { super(); contexts++; } };
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) {
  tones.push(Math.round(this.frequency.value));
  start.call(this, at);
};
navigator.vibrate = (pattern) => pulses.push(pattern.length / 2);
globalThis.swaps = 0;
document.addEventListener("htmx:after:swap", () => swaps++);
"""
"""Records contexts, the frequencies of tones, and how many pulses each vibration has."""
LOADED = """(async () => {
  const { sound, vibration } = document.documentElement.dataset;
  const { src } = document.querySelector("script[src*='/site.js']");
  if ([sound, vibration].includes("on")) await import(new URL("sound.js", src));
})()"""
"""Waits until the script of the sounds has run, if the visitor has chosen one of them."""
TURN, YOURS, WIN = [660], [520, 780], [523, 659, 784, 1047]
PUZZLE = "/guess/p4c10n/k3f9"


def chosen(visit: Visit, *options: str) -> Page:
    """Return a page that records sounds, on which these options were chosen."""
    page = visit("/preferences")
    page.add_init_script(RECORD)
    page.reload()
    for option in options:
        page.get_by_label(option).check()
    return page


def open_game(page: Page, path: str) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + path)
    page.evaluate(LOADED)


def wait_for_swaps(page: Page, count: int) -> None:
    """Wait until the page has been changed so often; a sound would be heard at the same time."""
    wait_for(page, f"swaps >= {count}")


def expect_heard(page: Page, tones: list[int], pulses: list[int]) -> None:
    wait_for(page, "[tones, pulses]", [tones, pulses])


def test_nothing_sounds_or_vibrates_by_default(visit: Visit):
    page = chosen(visit)
    open_game(page, PUZZLE)
    guess(page, "0123", "4620")
    wait_for_swaps(page, 2)
    assert page.evaluate("[contexts, tones, pulses]") == [0, [], []]
    loaded = "performance.getEntriesByType('resource').map((it) => it.name)"
    assert not [name for name in page.evaluate(loaded) if "sound" in name]


def test_choice_of_sound_is_heard_at_once_and_kept(visit: Visit):
    page = chosen(visit, "A note for each turn, a tune for a win")
    expect_heard(page, WIN, [])
    page.get_by_label("A pulse for each turn").check()
    expect_heard(page, WIN * 2, [4])
    page.reload()
    expect(page.get_by_label("A note for each turn")).to_be_checked()
    page.get_by_label("No sound").check()
    page.get_by_label("No vibration").check()
    open_game(page, PUZZLE)
    guess(page, "0123")
    wait_for_swaps(page, 1)
    assert page.evaluate("[contexts, tones, pulses]") == [0, [], []]


def test_turns_and_the_win_of_a_puzzle_are_heard_once(visit: Visit):
    page = chosen(visit, "A note for each turn")
    open_game(page, PUZZLE)
    guess(page, "0123")
    expect_heard(page, TURN, [])
    page.locator("#guess").fill("0")
    page.keyboard.press("Enter")
    expect(page.locator(".error")).to_be_visible()
    page.locator(".undo a").click()
    expect(page.locator("[data-guess]")).to_have_count(0)
    guess(page, "0123", "4620")
    expect_heard(page, TURN * 2 + WIN, [])
    swaps = page.evaluate("swaps")
    page.go_back()
    expect(page.locator("#guess")).to_be_visible()
    page.go_forward()
    expect(page.locator("[data-secret]")).to_be_visible()
    wait_for_swaps(page, swaps + 2)
    assert page.evaluate("[contexts, tones]") == [1, TURN * 2 + WIN]


def test_end_that_is_no_win_has_no_tune(visit: Visit):
    page = chosen(visit, "A note for each turn")
    open_game(page, f"{PUZZLE}/0123-0124-0125-0126-0127-0128-0129?limit=8")
    page.locator("#guess").fill("0132")
    page.keyboard.press("Enter")
    expect(page.locator("[data-secret]")).to_be_visible()
    expect_heard(page, TURN, [])


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_answers_to_the_computer_vibrate(visit: Visit, motion: str):
    """With reduced motion too: the visitor has chosen it by name."""
    page = chosen(visit, "A pulse for each turn")
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    open_game(page, "/play/avg-bulls-cows/0/0.2-1.2")
    answer(page, "0.3", "3.0")
    page.locator("a[data-answer='4.0']").click()
    expect_heard(page, [], [1, 1, 4])
    assert page.evaluate("contexts") == 0


def test_guesses_of_a_duel_are_heard(visit: Visit):
    page = chosen(visit, "A note for each turn", "A pulse for each turn")
    open_game(page, "/duel/p4c10n/new?begins=you")
    page.locator("#guess").fill("0123")
    page.keyboard.press("Enter")
    expect(page.locator("a[data-answer]").first).to_be_visible()
    expect_heard(page, TURN, [1])
    page.locator("a[data-answer='0.1']").click()
    expect_heard(page, TURN * 2, [1, 1])
