"""Game screens in windows of every size: all parts are in sight, and nothing moves in a game."""

import json
from typing import Any

import pytest

from tests.support.drivers.tabs import Tab, wait_for

SIZES = (
    *((320, 480), (360, 640), (375, 553), (390, 664), (640, 400), (740, 360), (768, 1024)),
    *((1280, 800), (3840, 2160), (320, 200)),
)
"""Phones, tablets and screens; 640x400 and 320x200 are a laptop at 200 and 400 %."""
DIGITS = "0123-4567-8901-2345-6789-1357-2468-3579-0246-1468-0135-2461-3572-5791"
PEGS = ["01010101", "00110011"] * 5

ROW = ("form.fill .slots", "form.fill .primary", *(f".key[data-key='{n}']" for n in "01"))
LAST = "tr[data-guess]:last-child"
ASKED = ("h1 [data-guess]", ".said", ".pad .cell:first-child", ".pad .win")
BOTH = (f"[aria-labelledby=mine] {LAST}", "[aria-labelledby=theirs]")
TURNS = "document.querySelectorAll('[data-guess][data-answer]').length"

FLAWS = """(parts) => {
  const flaws = parts.flatMap((name) => {
    const part = [...document.querySelectorAll(name)].at(-1);
    if (!part) return `${name} is missing`;
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const hidden = [left + 2, right - 2].some((x) => [top + 2, bottom - 2].some(
      (y) => !part.parentElement.contains(document.elementFromPoint(x, y))));
    return hidden ? `${name} is covered: ${[left, top, right, bottom]}` : [];
  });
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) flaws.push("the page scrolls");
  return flaws;
}"""
"""Says which parts have a corner out of sight or covered, and whether the page scrolls."""

WATCH = """void new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const nodes = sources.map(({ node }) => node?.className);
    if (value > 1e-4) (window.shifts ??= []).push([value, ...nodes]);
  }
}).observe({ type: "layout-shift", buffered: true })"""
"""Notes every layout shift, those after input included; less than 0.0001 is rounding."""


def expect_in_sight(tab: Tab, *parts: str) -> None:
    """Wait until these parts are in sight, and the page does not scroll."""
    wait_for(tab, f"({FLAWS})({json.dumps(parts)})", [])


def top(tab: Tab, part: str) -> float:
    """Return where a part begins, in pixels from the top."""
    place: Any = tab.evaluate(f"document.querySelector({part!r}).getBoundingClientRect().top")
    return float(place)


def press_all(tab: Tab, keys: str) -> None:
    for key in keys:
        tab.press(key)


def guess(tab: Tab, code: str) -> None:
    """Type a guess and wait for its answer."""
    turns = tab.evaluate(TURNS)
    press_all(tab, code)
    expect_in_sight(tab, *ROW)
    tab.press("Enter")
    wait_for(tab, TURNS, turns + 1)


def expect_no_shift(tab: Tab) -> None:
    assert tab.evaluate("window.shifts ?? []") == []


def named(size: tuple[int, int]) -> str:
    return "{}x{}".format(*size)


each_size = pytest.mark.parametrize("size", SIZES, ids=named)


@each_size
def test_row_is_in_sight_and_stays_in_its_place(tab: Tab, site: str, size: tuple[int, int]):
    tab.resize(*size)
    tab.goto(f"{site}/ru/guess/p4c10n/k3f9")
    tab.evaluate(WATCH)
    wait_for(tab, "!!document.querySelector('form.live')", True)
    expect_in_sight(tab, *ROW)
    place = top(tab, ROW[0])
    for code in ("0123", "4567"):
        guess(tab, code)
        expect_in_sight(tab, *ROW, LAST, ".said .left")
        assert abs(top(tab, ROW[0]) - place) <= 8
    press_all(tab, "00")  # a message
    wait_for(tab, "!!document.querySelector('.notice').textContent", True)
    expect_in_sight(tab, *ROW, ".notice")
    assert abs(top(tab, ROW[0]) - place) <= 8
    expect_no_shift(tab)
    tab.goto(f"{site}/ru/guess/p4c10n/k3f9/{DIGITS}")
    expect_in_sight(tab, *ROW, LAST)
    assert abs(top(tab, ROW[0]) - place) <= 8


@pytest.mark.parametrize("rules", ["p4c6r", "p8c2r"])
@pytest.mark.parametrize("size", [(320, 480), (740, 360), (320, 200)], ids=named)
def test_row_of_pegs_is_in_sight(tab: Tab, site: str, rules: str, size: tuple[int, int]):
    tab.resize(*size)
    codes = [code[: int(rules[1])] for code in PEGS]
    tab.goto(f"{site}/ru/guess/{rules}/k3f9/{'-'.join(codes)}")
    press_all(tab, "0101")
    expect_in_sight(tab, *ROW, LAST)


@each_size
def test_answers_are_in_sight_and_stay_in_their_place(tab: Tab, site: str, size: tuple[int, int]):
    tab.resize(*size)
    tab.goto(f"{site}/ru/play/avg-bulls-cows/0")
    tab.evaluate(WATCH)
    places = [top(tab, part) for part in ASKED]
    for turn, answer in enumerate(("02", "12"), 1):
        expect_in_sight(tab, *ASKED)
        press_all(tab, answer)
        wait_for(tab, TURNS, turn)
        assert [top(tab, part) for part in ASKED] == pytest.approx(places, abs=8)
    expect_in_sight(tab, *ASKED, LAST)
    expect_no_shift(tab)


@each_size
def test_both_boards_of_a_duel_are_in_sight(tab: Tab, site: str, size: tuple[int, int]):
    tab.resize(*size)
    tab.goto(f"{site}/ru/duel/p4c10n/new?level=champion")
    for code in ("0123", "4567"):
        wait_for(tab, "!!document.querySelector('form.live')", True)
        press_all(tab, code)
        expect_in_sight(tab, *ROW)
        tab.press("Enter")
        wait_for(tab, "!!document.querySelector('.guess-now')", True)
        expect_in_sight(
            tab, *BOTH, ".guess-now [data-guess]", ".pad .cell:first-child", ".pad .win"
        )
        press_all(
            tab,
            str(tab.evaluate("document.querySelector('a.cell').dataset.answer")).replace(".", ""),
        )
    wait_for(tab, "!!document.querySelector('form.live')", True)
    expect_in_sight(tab, *BOTH, f"[aria-labelledby=theirs] {LAST}", *ROW)


@pytest.mark.parametrize("path", ["/ru/guess/p4c10n/k3f9/0123", "/ru/play/avg-bulls-cows/0/0.2"])
@pytest.mark.parametrize("size", [(320, 480), (740, 360), (1280, 800)], ids=named)
def test_map_opens_with_its_caption_and_covers_no_control(
    tab: Tab, site: str, path: str, size: tuple[int, int]
):
    tab.resize(*size)
    tab.goto(site + path)
    controls = ROW if "guess" in path else ASKED[1:]
    place = top(tab, controls[0])
    tab.evaluate("document.querySelector('.map summary').click()")
    tab.evaluate("document.querySelector('.map figcaption').scrollIntoView({ block: 'nearest' })")
    expect_in_sight(tab, ".map figcaption", *controls)
    assert top(tab, controls[0]) == place
