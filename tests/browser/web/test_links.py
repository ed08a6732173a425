"""Links and forms sent by htmx: fast clicks, slow connections, history, in both browsers."""

import itertools
import json
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from tests.support.browsers.contexts import Contexts
from tests.support.browsers.firefox import FirefoxTab
from tests.support.browsers.tabs import ChromiumTab, Tab, wait_for
from tests.support.servers.serving import wait_until

START = "/play/avg-bulls-cows/0"
FIRST = f"{START}/0.1"
SECOND = f"{START}/0.1-1.1"
OTHER = f"{START}/0.1-0.2"
PUZZLE = "/guess/p4c10n/k3f9"

PLACE = "location.pathname"
TURNS = "document.querySelectorAll('.ledger tbody tr').length"


class Line:
    """The connection to the server, on which answers can be held back."""

    def __init__(self, address: str) -> None:
        self.address = address

    def _ask(self, what: str, address: str = "") -> dict[str, list[str]]:
        with urlopen(f"{self.address}/gate/{what}?address={address}") as answer:
            return dict(json.load(answer))

    def hold(self, address: str) -> None:
        self._ask("hold", address)

    def release(self, address: str) -> None:
        self._ask("release", address)

    def release_all(self) -> None:
        for address in self._ask("state")["held"]:
            self.release(address)

    def wait(self, address: str) -> None:
        """Return when an answer is held back."""
        wait_until(lambda: address in self._ask("state")["waiting"])

    def rest(self) -> None:
        """Return when all answers are sent except those held back."""
        wait_until(lambda: not self._ask("state")["answering"])


@pytest.fixture
def line(site: str) -> Iterator[Line]:
    line = Line(site)
    yield line
    line.release_all()


@pytest.fixture(params=["chromium", pytest.param("firefox", marks=pytest.mark.slow)])
def tab(request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A tab of Chromium, or of Firefox in the slow part; see `each_browser`."""
    if request.param == "chromium":
        contexts: Contexts = request.getfixturevalue("contexts")
        yield ChromiumTab(contexts.lend({}).new_page())
        contexts.take_back()
    else:
        tab = FirefoxTab(request.getfixturevalue("firefox"))
        yield tab
        tab.close()


each_browser = pytest.mark.parametrize("tab", ["chromium", "firefox"], indirect=True)
"""For history and clicks with a modifier key, which each browser implements its own way."""

each_order = pytest.mark.parametrize(
    ("tab", "first"),
    [("chromium", "pending"), ("chromium", "page"), ("firefox", "page")],
    indirect=["tab"],
)
"""Which of two requests under way is answered first."""


def settle(tab: Tab) -> None:
    """End the animation during which a new board ignores clicks."""
    tab.evaluate("document.getAnimations().forEach((it) => it.finish())")


def visit(tab: Tab, line: Line, path: str = START) -> None:
    tab.goto(line.address + path)
    settle(tab)


def point(tab: Tab, selector: str) -> tuple[float, float]:
    box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
    x, y = tab.evaluate(f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({box})")
    return x, y


def answer(text: str) -> str:
    return f"a[data-answer='{text}']"


def choose(tab: Tab, text: str) -> None:
    """Click an answer, as soon as it takes clicks."""
    settle(tab)
    tab.click(*point(tab, answer(text)))


def play(tab: Tab, *answers: str) -> None:
    for text in answers:
        turns = tab.evaluate(TURNS)
        choose(tab, text)
        wait_for(tab, TURNS, turns + 1)
    settle(tab)


def rest(tab: Tab, line: Line) -> None:
    """Wait until the page has processed all answers: a later one has arrived."""
    line.rest()
    later = "fetch('/gate/state', { cache: 'no-store' })"
    tab.evaluate(f"{later}.then(() => new Promise((resolve) => setTimeout(resolve, 50)))")


def expect_board(tab: Tab, line: Line, path: str) -> None:
    """The board of an address is shown under it, and stays."""
    wait_for(tab, PLACE, path)
    turns = 0 if path == START else len(path.rsplit("/", 1)[1].split("-"))
    wait_for(tab, TURNS, turns)
    rest(tab, line)
    assert (tab.evaluate(PLACE), tab.evaluate(TURNS)) == (path, turns)


@each_browser
def test_click_with_a_modifier_is_not_handled_by_htmx(tab: Tab, line: Line):
    visit(tab, line)
    note = "window.isStopped = event.cancelBubble; event.preventDefault();"  # nothing is opened
    tab.evaluate(f"void addEventListener('click', (event) => {{ {note} }}, true)")
    for held in ("ctrlKey", "metaKey", "shiftKey", "altKey"):
        tab.evaluate("void (window.isStopped = null)")
        click = f"new MouseEvent('click', {{ {held}: true, bubbles: true, cancelable: true }})"
        tab.evaluate(f'document.querySelector("{answer("0.1")}").dispatchEvent({click})')
        assert tab.evaluate("window.isStopped"), held


WAYS = {"ctrl": ("Control", 0), "shift": ("Shift", 0), "middle": ("", 1)}
LINKS = {
    "answer": (START, answer("0.1"), FIRST),
    "undo": (SECOND, ".undo a", START),
    "analysis": (START, "#analysis-toggle", f"{START}?analysis=open"),
}
FIRST_PAIRS = list(zip(WAYS, LINKS, strict=True))
"""Each way and each link once; the slow part has all pairs."""


@pytest.mark.parametrize(
    ("way", "link"),
    [
        pytest.param(*pair, marks=[] if pair in FIRST_PAIRS else pytest.mark.slow)
        for pair in itertools.product(WAYS, LINKS)
    ],
)
def test_link_opens_in_another_tab(tab: Tab, line: Line, way: str, link: str):
    key, button = WAYS[way]
    path, selector, opened = LINKS[link]
    visit(tab, line, path)
    tab.click(*point(tab, selector), key=key, button=button)
    wait_until(lambda: line.address + opened in tab.addresses())
    expect_board(tab, line, path)
    play(tab, tab.evaluate("document.querySelector('[data-answer]').dataset.answer"))


@each_order
def test_back_cancels_a_pending_request(tab: Tab, line: Line, first: str):
    visit(tab, line)
    play(tab, "0.1")
    line.hold(SECOND)
    line.hold(START)
    choose(tab, "1.1")
    line.wait(SECOND)
    tab.back()
    line.wait(START)
    wait_for(tab, "document.querySelector('a.htmx-request')", None)
    for held in (SECOND, START) if first == "pending" else (START, SECOND):
        line.release(held)
    expect_board(tab, line, START)
    tab.back(-1)
    expect_board(tab, line, FIRST)


@each_browser
def test_forward_cancels_a_pending_request(tab: Tab, line: Line):
    visit(tab, line)
    play(tab, "0.1", "1.1")
    tab.back()
    expect_board(tab, line, FIRST)
    line.hold(OTHER)
    choose(tab, "0.2")
    line.wait(OTHER)
    tab.back(-1)
    expect_board(tab, line, SECOND)
    line.release(OTHER)
    expect_board(tab, line, SECOND)


def press_all(tab: Tab, keys: str) -> None:
    tab.evaluate("document.querySelector('#guess').focus()")
    for key in keys:
        tab.press(key)


@each_browser
def test_back_cancels_the_last_guess_of_a_puzzle(tab: Tab, line: Line):
    """The guess is not lost for good, and the result counts once."""
    first = f"{PUZZLE}/0123"
    end = f"{PUZZLE}/0123-4620"
    visit(tab, line, PUZZLE)
    press_all(tab, "0123")
    tab.press("Enter")
    wait_for(tab, TURNS, 1)
    line.hold(end)
    press_all(tab, "4620")
    tab.press("Enter")
    line.wait(end)
    tab.back()
    wait_for(tab, f"{PLACE} + {TURNS}", f"{PUZZLE}0")
    line.release(end)
    rest(tab, line)
    assert tab.evaluate(f"{PLACE} + {TURNS}") == f"{PUZZLE}0"
    assert "4620" not in tab.evaluate("localStorage.puzzles")
    tab.back(-1)
    wait_for(tab, f"{PLACE} + {TURNS}", f"{first}1")
    rest(tab, line)
    press_all(tab, "4620")
    tab.press("Enter", times=2)
    wait_for(tab, f"{PLACE} + {TURNS}", f"{end}2")
    wait_for(tab, "localStorage.games", "guess-p4c10n k3f9/ 2\n")
    tab.back()
    wait_for(tab, TURNS, 1)
    tab.back(-1)
    wait_for(tab, f"{PLACE} + {TURNS}", f"{end}2")
    rest(tab, line)
    assert tab.evaluate("localStorage.games") == "guess-p4c10n k3f9/ 2\n"


def test_double_tap_on_the_button_sends_one_guess(tab: Tab, line: Line):
    visit(tab, line, f"{PUZZLE}/0123")
    length = tab.evaluate("history.length")
    line.hold(f"{PUZZLE}/0123-4620")
    press_all(tab, "4620")
    tab.click(*point(tab, "form.fill .primary"), times=2)
    line.wait(f"{PUZZLE}/0123-4620")
    line.release(f"{PUZZLE}/0123-4620")
    wait_for(tab, TURNS, 2)
    rest(tab, line)
    assert tab.evaluate("history.length") == length + 1
    wait_for(tab, "localStorage.games", "guess-p4c10n k3f9/ 2\n")


@each_order
def test_answer_cancels_going_back(tab: Tab, line: Line, first: str):
    visit(tab, line)
    play(tab, "0.1")
    line.hold(START)
    line.hold(SECOND)
    tab.back()
    line.wait(START)
    choose(tab, "1.1")
    line.wait(SECOND)
    for held in (START, SECOND) if first == "page" else (SECOND, START):
        line.release(held)
        rest(tab, line)
    expect_board(tab, line, SECOND)
    tab.back()
    expect_board(tab, line, START)


def test_last_of_two_answers_is_shown(tab: Tab, line: Line):
    visit(tab, line, FIRST)
    line.hold(SECOND)
    choose(tab, "1.1")
    line.wait(SECOND)
    choose(tab, "0.2")
    expect_board(tab, line, OTHER)
    line.release(SECOND)
    expect_board(tab, line, OTHER)
    tab.back()
    expect_board(tab, line, FIRST)


def test_link_to_another_page_cancels_a_pending_request(tab: Tab, line: Line):
    visit(tab, line)
    line.hold(FIRST)
    choose(tab, "0.1")
    line.wait(FIRST)
    line.hold("/preferences")
    tab.click(*point(tab, "[popovertarget=menu]"))
    tab.click(*point(tab, "#menu [href='/preferences']"))
    line.wait("/preferences")
    line.release("/preferences")
    wait_until(lambda: f"{line.address}/preferences" in tab.addresses())
    line.release(FIRST)
    visit(tab, line, "/trees/avg-bulls-cows")
    tab.back(2)
    wait_until(lambda: line.address + START in tab.addresses())
    expect_board(tab, line, START)


@each_browser
def test_back_through_several_answers_shows_each(tab: Tab, line: Line):
    visit(tab, line)
    play(tab, "0.1", "1.1")
    tab.reload()
    expect_board(tab, line, SECOND)
    tab.back()
    expect_board(tab, line, FIRST)
    tab.back()
    expect_board(tab, line, START)
    tab.back(-2)
    expect_board(tab, line, SECOND)


def test_double_click_answers_one_guess(tab: Tab, line: Line):
    visit(tab, line)
    length = tab.evaluate("history.length")
    tab.click(*point(tab, answer("0.1")), times=2)
    wait_for(tab, TURNS, 1)
    expect_board(tab, line, FIRST)
    assert tab.evaluate("history.length") == length + 1


def test_double_click_on_a_slow_connection_sends_one_request(tab: Tab, line: Line):
    visit(tab, line)
    length = tab.evaluate("history.length")
    line.hold(FIRST)
    tab.click(*point(tab, answer("0.1")), times=2)
    line.wait(FIRST)
    line.release(FIRST)
    expect_board(tab, line, FIRST)
    assert tab.evaluate("history.length") == length + 1
    asked = f"performance.getEntriesByType('resource').filter((it) => it.name.endsWith('{FIRST}'))"
    assert tab.evaluate(f"{asked}.length") == 1


PROBE = """document.addEventListener("htmx:after:swap", () => {
  const [arrival] = document.querySelector("#board").getAnimations();
  window.hits = [0, 340, 360].map((time) => {
    if (arrival) arrival.currentTime = time;
    return document.elementFromPoint(X, Y).closest("a")?.dataset.answer ?? "";
  });
})"""
"""Notes what a click would hit 0, 340 and 360 ms after the board has arrived."""


def test_new_board_takes_clicks_after_a_moment(tab: Tab, line: Line):
    visit(tab, line)
    x, y = point(tab, answer("0.1"))
    tab.evaluate(f"void {PROBE.replace('X', str(x)).replace('Y', str(y))}")
    choose(tab, "0.1")
    wait_for(tab, "window.hits ?? []", ["", "", "0.1"])


def test_new_board_takes_keys_at_once(tab: Tab, line: Line):
    visit(tab, line)
    focus = f'document.querySelector("{answer("1.1")}")?.focus()'
    tab.evaluate(f"void document.addEventListener('htmx:after:swap', () => {focus})")
    choose(tab, "0.1")
    wait_for(tab, "document.activeElement.dataset.answer ?? ''", "1.1")
    tab.press("Enter")
    expect_board(tab, line, SECOND)


@pytest.mark.parametrize("path", [START, PUZZLE])
def test_enter_pressed_twice_counts_once(tab: Tab, line: Line, path: str):
    visit(tab, line, path)
    if path == PUZZLE:
        tab.evaluate("document.querySelector('#guess').focus()")
        for digit in "0123":
            tab.press(digit)
    else:
        tab.evaluate(f'document.querySelector("{answer("0.1")}").focus()')
    length = tab.evaluate("history.length")
    tab.press("Enter", times=2)
    wait_for(tab, TURNS, 1)
    rest(tab, line)
    assert (tab.evaluate(TURNS), tab.evaluate("history.length")) == (1, length + 1)


RESTART = """(board) => {
  const again = board.cloneNode(true);
  const { x, y } = board.querySelector("a[data-answer]").getBoundingClientRect();
  board.replaceWith(again);
  return document.elementFromPoint(x + 9, y + 9).closest("a");
}"""
"""Returns what a click would hit on a board that has just arrived."""


def test_new_board_waits_without_javascript_too(browser: Browser, line: Line):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(line.address + START)
    assert page.locator("#board").evaluate(RESTART) is None
    page.locator(answer("0.1")).dblclick()
    page.wait_for_url(f"**{FIRST}")
    page.locator(answer("1.1")).click()
    page.wait_for_url(f"**{SECOND}")
    context.close()
