"""Links and forms sent by htmx: fast clicks, slow connections and history."""

import itertools
import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.browsers.contexts import Contexts
from tests.support.browsers.playing import PATIENCE, wait_for

START = "/play/avg-bulls-cows/0"
FIRST = f"{START}/0.1"
SECOND = f"{START}/0.1-1.1"
OTHER = f"{START}/0.1-0.2"
PUZZLE = "/guess/p4c10n/k3f9"

SENT = f"{PUZZLE}/0123?guess=4620&help="
"""The second guess as the form sends it; the answer redirects to the board."""

PLACE = "location.pathname"
TURNS = "document.querySelectorAll('.ledger tbody tr').length"


class Line:
    """The connection of a page to the server, on which answers can be held back."""

    def __init__(self, page: Page, site: str) -> None:
        self.address = site
        self._page = page
        self._held: dict[str, list[Route]] = {}

    def hold(self, path: str) -> None:
        """Hold every later answer to a path back."""

        def wait(route: Route) -> None:
            is_copy = "purpose" in route.request.headers  # for offline reading
            if path in self._held and not is_copy:
                self._held[path].append(route)
            else:
                route.continue_()

        self._held[path] = []
        self._page.context.route(lambda url: url == self.address + path, wait)

    def wait(self, path: str) -> None:
        """Return when an answer is held back."""
        for _ in range(100 * PATIENCE):
            if self._held[path]:
                return
            self._page.wait_for_timeout(10)
        pytest.fail(f"nothing asks for {path}")

    def release(self, path: str) -> None:
        """Send the answers that are held back, and hold no later ones."""
        for route in self._held.pop(path):
            route.fulfill(response=route.fetch())


@pytest.fixture
def page(contexts: Contexts) -> Iterator[Page]:
    """A blank page of a shared context, whose requests pass through the service worker."""
    page = contexts.lend({}).new_page()
    yield page
    page.context.unroute_all()
    contexts.take_back()


@pytest.fixture
def line(page: Page, site: str) -> Line:
    return Line(page, site)


def settle(page: Page) -> None:
    """End the animation during which a new board ignores clicks."""
    page.evaluate("document.getAnimations().forEach((it) => it.finish())")


def visit(page: Page, line: Line, path: str = START) -> None:
    page.goto(line.address + path)
    wait_for(page, "navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)")
    settle(page)


def go(page: Page, steps: int) -> None:
    """Go back or forward in the history, later: a page that has been left does not answer."""
    page.evaluate(f"void setTimeout(() => history.go({steps}))")


def click(page: Page, selector: str, *, button: str = "left", times: int = 1) -> None:
    """Click the middle of an element with the mouse, without waiting for anything."""
    box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
    x, y = page.evaluate(f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({box})")
    page.mouse.click(x, y, button=button, click_count=times)  # type: ignore[arg-type]


def press_twice(page: Page, key: str) -> None:
    page.keyboard.press(key)
    page.keyboard.press(key)


def answer(text: str) -> str:
    return f"a[data-answer='{text}']"


def choose(page: Page, text: str) -> None:
    """Click an answer, as soon as it takes clicks."""
    settle(page)
    click(page, answer(text))


def play(page: Page, *answers: str) -> None:
    for text in answers:
        turns = page.evaluate(TURNS)
        choose(page, text)
        wait_for(page, TURNS, turns + 1)
    settle(page)


def rest(page: Page) -> None:
    """Wait until the page has processed all answers: a later one has arrived."""
    later = "fetch('/robots.txt', { cache: 'no-store' })"
    page.evaluate(f"{later}.then(() => new Promise((resolve) => setTimeout(resolve, 50)))")


def expect_board(page: Page, path: str) -> None:
    """The board of an address is shown under it, and stays."""
    wait_for(page, PLACE, path)
    turns = 0 if path == START else len(path.rsplit("/", 1)[1].split("-"))
    wait_for(page, TURNS, turns)
    rest(page)
    assert (page.evaluate(PLACE), page.evaluate(TURNS)) == (path, turns)


each_order = pytest.mark.parametrize("first", ["pending", "page"])
"""Which of two requests under way is answered first."""


def test_click_with_a_modifier_is_not_handled_by_htmx(page: Page, line: Line):
    visit(page, line)
    note = "window.isStopped = event.cancelBubble; event.preventDefault();"  # nothing is opened
    page.evaluate(f"void addEventListener('click', (event) => {{ {note} }}, true)")
    for held in ("ctrlKey", "metaKey", "shiftKey", "altKey"):
        page.evaluate("void (window.isStopped = null)")
        click = f"new MouseEvent('click', {{ {held}: true, bubbles: true, cancelable: true }})"
        page.evaluate(f'document.querySelector("{answer("0.1")}").dispatchEvent({click})')
        assert page.evaluate("window.isStopped"), held


WAYS = {"ctrl": "Control", "shift": "Shift", "middle": ""}
"""The key that is held; without one, the middle button is clicked."""
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
def test_link_opens_in_another_tab(page: Page, line: Line, way: str, link: str):
    path, selector, opened = LINKS[link]
    page.set_viewport_size({"width": 1000, "height": 720})  # in wide windows the analysis is open
    visit(page, line, path)
    if key := WAYS[way]:
        page.keyboard.down(key)
        click(page, selector)
        page.keyboard.up(key)
    else:
        click(page, selector, button="middle")
    for _ in range(100 * PATIENCE):
        if line.address + opened in [each.url for each in page.context.pages]:
            break
        page.wait_for_timeout(10)
    else:
        pytest.fail(f"no tab shows {opened}")
    expect_board(page, path)
    play(page, page.evaluate("document.querySelector('[data-answer]').dataset.answer"))


@each_order
def test_back_cancels_a_pending_request(page: Page, line: Line, first: str):
    visit(page, line)
    play(page, "0.1")
    line.hold(SECOND)
    line.hold(START)
    choose(page, "1.1")
    line.wait(SECOND)
    go(page, -1)
    line.wait(START)
    wait_for(page, "document.querySelector('a.htmx-request')", None)
    for held in (SECOND, START) if first == "pending" else (START, SECOND):
        line.release(held)
    expect_board(page, START)
    go(page, 1)
    expect_board(page, FIRST)


def press_all(page: Page, keys: str) -> None:
    page.evaluate("document.querySelector('#guess').focus()")
    page.keyboard.type(keys)


def test_back_cancels_the_last_guess_of_a_puzzle(page: Page, line: Line):
    """The guess is not lost for good, and the result counts once."""
    first = f"{PUZZLE}/0123"
    end = f"{PUZZLE}/0123-4620"
    visit(page, line, PUZZLE)
    press_all(page, "0123")
    page.keyboard.press("Enter")
    wait_for(page, TURNS, 1)
    line.hold(SENT)
    press_all(page, "4620")
    page.keyboard.press("Enter")
    line.wait(SENT)
    go(page, -1)
    wait_for(page, f"{PLACE} + {TURNS}", f"{PUZZLE}0")
    line.release(SENT)
    rest(page)
    assert page.evaluate(f"{PLACE} + {TURNS}") == f"{PUZZLE}0"
    assert "4620" not in page.evaluate("localStorage.puzzles")
    go(page, 1)
    wait_for(page, f"{PLACE} + {TURNS}", f"{first}1")
    rest(page)
    press_all(page, "4620")
    press_twice(page, "Enter")
    wait_for(page, f"{PLACE} + {TURNS}", f"{end}2")
    wait_for(page, "localStorage.games", "guess-p4c10n k3f9/ 2\n")
    go(page, -1)
    wait_for(page, TURNS, 1)
    go(page, 1)
    wait_for(page, f"{PLACE} + {TURNS}", f"{end}2")
    rest(page)
    assert page.evaluate("localStorage.games") == "guess-p4c10n k3f9/ 2\n"


def test_back_to_another_place_of_the_page_cancels_a_pending_guess(page: Page, line: Line):
    """htmx restores no entry that a link within the page has made, and so cancels nothing."""
    visit(page, line, f"{PUZZLE}/0123")
    page.evaluate("void document.querySelector('.skip').click()")
    wait_for(page, "location.hash", "#content")
    line.hold(SENT)
    press_all(page, "4620")
    page.keyboard.press("Enter")
    line.wait(SENT)
    go(page, -1)
    wait_for(page, "location.hash", "")
    line.release(SENT)
    expect_board(page, f"{PUZZLE}/0123")


@each_order
def test_answer_cancels_going_back(page: Page, line: Line, first: str):
    visit(page, line)
    play(page, "0.1")
    line.hold(START)
    line.hold(SECOND)
    go(page, -1)
    line.wait(START)
    choose(page, "1.1")
    line.wait(SECOND)
    for held in (START, SECOND) if first == "page" else (SECOND, START):
        line.release(held)
        rest(page)
    expect_board(page, SECOND)
    go(page, -1)
    expect_board(page, START)


def test_last_of_two_answers_is_shown(page: Page, line: Line):
    visit(page, line, FIRST)
    line.hold(SECOND)
    choose(page, "1.1")
    line.wait(SECOND)
    choose(page, "0.2")
    expect_board(page, OTHER)
    line.release(SECOND)
    expect_board(page, OTHER)
    go(page, -1)
    expect_board(page, FIRST)


def test_link_to_another_page_cancels_a_pending_request(page: Page, line: Line):
    visit(page, line)
    line.hold(FIRST)
    choose(page, "0.1")
    line.wait(FIRST)
    line.hold("/preferences")
    click(page, "[popovertarget=menu]")
    click(page, "#menu [href='/preferences']")
    line.wait("/preferences")
    line.release("/preferences")
    page.wait_for_url("**/preferences", wait_until="commit")
    line.release(FIRST)
    visit(page, line, "/trees/avg-bulls-cows")
    go(page, -2)
    page.wait_for_url(f"**{START}", wait_until="commit")
    expect_board(page, START)


def test_back_through_several_answers_shows_each(page: Page, line: Line):
    visit(page, line)
    play(page, "0.1", "1.1")
    page.reload()
    expect_board(page, SECOND)
    go(page, -1)
    expect_board(page, FIRST)
    go(page, -1)
    expect_board(page, START)
    go(page, 2)
    expect_board(page, SECOND)


def test_double_click_on_a_slow_connection_sends_one_request(page: Page, line: Line):
    visit(page, line)
    length = page.evaluate("history.length")
    line.hold(FIRST)
    click(page, answer("0.1"), times=2)
    line.wait(FIRST)
    line.release(FIRST)
    expect_board(page, FIRST)
    assert page.evaluate("history.length") == length + 1
    asked = f"performance.getEntriesByType('resource').filter((it) => it.name.endsWith('{FIRST}'))"
    assert page.evaluate(f"{asked}.length") == 1


PROBE = """() => {
  const { left, right, top, bottom } =
    document.querySelector("a[data-answer='0.1']").getBoundingClientRect();
  document.addEventListener("htmx:after:swap", () => {
    const [arrival] = document.querySelector("#board").getAnimations();
    window.hits = [0, 340, 360].map((time) => {
      if (arrival) arrival.currentTime = time;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return hit.closest("a")?.dataset.answer ?? "";
    });
  });
}"""
"""Notes what a click would hit 0, 340 and 360 ms after the board has arrived."""


def test_new_board_takes_clicks_after_a_moment(page: Page, line: Line):
    visit(page, line)
    page.evaluate(PROBE)
    choose(page, "0.1")
    wait_for(page, "window.hits ?? []", ["", "", "0.1"])


def test_new_board_takes_keys_at_once(page: Page, line: Line):
    visit(page, line)
    focus = f'document.querySelector("{answer("1.1")}")?.focus()'
    page.evaluate(f"void document.addEventListener('htmx:after:swap', () => {focus})")
    choose(page, "0.1")
    wait_for(page, "document.activeElement.dataset.answer ?? ''", "1.1")
    page.keyboard.press("Enter")
    expect_board(page, SECOND)


@pytest.mark.parametrize("path", [START, PUZZLE])
def test_enter_pressed_twice_counts_once(page: Page, line: Line, path: str):
    visit(page, line, path)
    if path == PUZZLE:
        press_all(page, "0123")
    else:
        page.evaluate(f'document.querySelector("{answer("0.1")}").focus()')
    length = page.evaluate("history.length")
    press_twice(page, "Enter")
    wait_for(page, TURNS, 1)
    rest(page)
    assert (page.evaluate(TURNS), page.evaluate("history.length")) == (1, length + 1)


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


def test_forward_cancels_a_pending_request(page: Page, line: Line):
    visit(page, line)
    play(page, "0.1", "1.1")
    go(page, -1)
    expect_board(page, FIRST)
    line.hold(OTHER)
    choose(page, "0.2")
    line.wait(OTHER)
    go(page, 1)
    expect_board(page, SECOND)
    line.release(OTHER)
    expect_board(page, SECOND)


def test_double_tap_on_the_button_sends_one_guess(page: Page, line: Line):
    visit(page, line, f"{PUZZLE}/0123")
    length = page.evaluate("history.length")
    line.hold(SENT)
    press_all(page, "4620")
    click(page, "form.fill .primary", times=2)
    line.wait(SENT)
    line.release(SENT)
    wait_for(page, TURNS, 2)
    rest(page)
    assert page.evaluate("history.length") == length + 1
    wait_for(page, "localStorage.games", "guess-p4c10n k3f9/ 2\n")
