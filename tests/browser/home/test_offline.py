"""The site without a connection: pages that were seen before can still be read and played."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import Puzzle
from tests.browser.conftest import each_language
from tests.support.browsers.contexts import Contexts, hurry
from tests.support.browsers.playing import PATIENCE, expect_turns, wait_for
from tests.support.servers.serving import Relay, wait_until

Disconnect = Callable[[], None]
Connected = tuple[Page, str, Disconnect]


STORED = """if (location.protocol === "http:") {
  localStorage.choices ??= '{"sound": "on"}';
  localStorage.asked = "digits pegs";
}"""


@pytest.fixture
def connected(contexts: Contexts, site: str) -> Iterator[Connected]:
    """A page, an address of the server of its own, and a function that cuts that address off.

    The visitor has sounds on and knows what answers mean; the test fails if a script fails.
    """
    relay = Relay(site)
    page = contexts.lend({}).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(STORED)
    hurry(page)
    yield page, relay.address, relay.cut
    contexts.take_back()
    relay.cut()
    assert errors == []


def here(page: Page, function: str) -> Any:
    """Return what a function of a document says of the page in the window."""
    return page.evaluate(f"({function})(document)")


def there(page: Page, function: str, address: str) -> Any:
    """Return what a function of a document says of the page that the server sends online."""
    with urlopen(address) as answer:
        html = answer.read().decode()
    parsed = "new DOMParser().parseFromString(html, 'text/html')"
    return page.evaluate(f"(html) => ({function})({parsed})", html)


def wait_for_worker(page: Page) -> None:
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


IS_CACHED = """async ([url, seconds]) => {
  const ends = Date.now() + 1000 * seconds;
  while (!(await caches.match(url, { ignoreVary: true }))) {
    if (Date.now() > ends) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}"""
"""Returns whether a response is stored within some seconds."""


def wait_until_cached(page: Page, url: str) -> None:
    """Wait until the service worker has stored a response.

    `Page.wait_for_function` does not await promises: it takes any promise for true.
    """
    assert page.evaluate(IS_CACHED, [url, PATIENCE]), url


def test_turns_played_in_place_can_be_opened_and_undone(connected: Connected):
    page, address, disconnect = connected
    page.goto(f"{address}/play/avg-bulls-cows/0")
    wait_for_worker(page)
    with page.expect_event("requestfinished"):
        page.locator("[data-answer='0.1']").click()
    expect_turns(page, 1)
    wait_until_cached(page, page.url)
    second = page.locator("h1 [data-guess]").get_attribute("data-guess")
    disconnect()
    page.reload()
    expect(page.locator("h1 [data-guess]")).to_have_attribute("data-guess", str(second))
    expect(page.locator("header.site-head")).to_have_count(1)
    display = page.evaluate("getComputedStyle(document.querySelector('.answers')).display")
    assert display == "grid", "the style sheet is there too"
    page.locator(".undo a").click()
    expect(page.locator("h1 [data-guess]")).to_have_attribute("data-guess", "0123")
    page.goto(f"{address}/statistics")
    expect(page.locator("h1")).to_have_text("You are offline")
    page.go_back()
    expect(page.locator("h1 [data-guess]")).to_have_attribute("data-guess", "0123")


def test_back_without_a_connection_shows_the_board_of_its_address(connected: Connected):
    page, address, disconnect = connected
    page.goto(f"{address}/play/avg-bulls-cows/0")
    wait_for_worker(page)
    for turn, answer in enumerate(("0.1", "1.1"), start=1):
        page.locator(f"[data-answer='{answer}']").click()
        expect_turns(page, turn)
        wait_until_cached(page, page.url)
    disconnect()
    page.evaluate("void setTimeout(() => history.back())")
    expect_turns(page, 1)
    assert page.url.endswith("/0.1")


ROWS = """(page) => [...page.querySelectorAll("tr[data-guess]")].map(
  ({ dataset, cells: [, , given, left] }) =>
    [dataset.guess, dataset.answer, given.querySelectorAll(".zero").length, left.textContent])"""
RESULT = "(page) => page.querySelector('#result').textContent"


@pytest.mark.parametrize(
    ("prefix", "rules", "wrong", "found"),
    [
        pytest.param("", "p4c10n", ("0123", "4567"), "Found in 3 turns.", marks=pytest.mark.slow),
        ("/ru", "p4c6r", ("0011", "2345"), "Отгадано за 3 хода."),
    ],
    ids=["en", "ru"],
)
def test_puzzle_of_the_day_is_played_to_its_end_offline(
    connected: Connected,
    site: str,
    prefix: str,
    rules: str,
    wrong: tuple[str, ...],
    found: str,
    today: date,
):
    """With the answers of the server; the result counts as if it were made online."""
    page, address, disconnect = connected
    puzzle = Puzzle(Rules.parse(rules), str(today), None)
    code = puzzle.rules.text(puzzle.secret)
    start = f"{prefix}/guess/{puzzle.path}"
    page.goto(f"{address}{prefix}/daily")
    wait_for_worker(page)
    page.goto(f"{address}{prefix}/daily?rules={rules}")
    page.goto(address + start)
    wait_until_cached(page, page.url)
    wait_until_cached(page, f"{page.url}/reveal")  # the code, from the server
    disconnect()
    made: list[str] = []
    for guess in (*wrong, code):
        page.locator("#guess").fill(guess)
        page.keyboard.press("Enter")
        made.append(guess)
        page.wait_for_url(f"**{start}/{'-'.join(made)}")
        expect_turns(page, len(made))
        online = f"{site}{start}/{'-'.join(made)}"
        assert here(page, ROWS) == there(page, ROWS, online)
    expect(page.locator("h1.result")).to_have_text(found)
    expect(page.locator("h1.result")).to_be_focused()
    expect(page.locator(".day-next dd").first).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    expect(page.locator("[data-figure=streak]")).to_have_text("1")
    expect(page.locator(".end .tally .here")).to_contain_text("1")
    theirs = there(page, RESULT, online).replace(site, address)
    assert here(page, RESULT).splitlines()[1:] == theirs.splitlines()[1:]
    for _ in range(2):
        kept = page.evaluate("[localStorage.games, localStorage.days]")
        assert kept == [f"guess-{puzzle.path}/ 3\n".replace("/", " ", 1), f"1\n{puzzle.path}\n"]
        page.reload()
        expect(page.locator("h1.result")).to_be_visible()
    page.goto(f"{address}{prefix}/daily?rules={rules}")
    expect(page.locator(".month .solved strong")).to_have_text("3")


def test_guess_made_offline_is_undone_and_the_code_shown(connected: Connected):
    page, address, disconnect = connected
    page.goto(f"{address}/guess/p4c10n/k3f9")
    wait_for_worker(page)
    wait_until_cached(page, page.url)
    wait_until_cached(page, f"{page.url}/reveal")  # the code, from the server
    page.locator("#guess").fill("0123")
    page.keyboard.press("Enter")
    expect_turns(page, 1)
    page.wait_for_url("**/0123")
    wait_until_cached(page, page.url)
    disconnect()
    page.reload()
    page.locator("#guess").fill("4567")
    page.keyboard.press("Enter")
    expect_turns(page, 2)
    page.locator(".undo a").last.click()
    page.wait_for_url("**/0123?help=u4567")
    expect_turns(page, 1)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Give up").click()
    expect(page.locator("h1.result")).to_have_text("You gave up.")
    expect(page.locator(".solution .unseen")).to_have_text("4 6 2 0")
    page.goto(f"{address}/guess/p4c10n/k3f9")
    page.locator("#guess").fill("4620")
    page.keyboard.press("Enter")
    expect(page.locator("h1.result")).to_have_text("Found in 1 turn.")
    assert page.evaluate("localStorage.games") is None, "the code was known"


def test_puzzle_of_bulls_only_has_the_answers_of_the_server(connected: Connected, site: str):
    page, address, disconnect = connected
    page.goto(f"{address}/guess/p4c6rb/k3f9")
    wait_for_worker(page)
    wait_until_cached(page, f"{page.url}/reveal")
    disconnect()
    for turn, guess in enumerate(("0011", "3210"), start=1):
        page.locator("#guess").fill(guess)
        page.keyboard.press("Enter")
        expect_turns(page, turn)
    assert here(page, ROWS) == there(page, ROWS, f"{site}/guess/p4c6rb/k3f9/0011-3210")
    answers = page.locator("tr[data-guess] .answer")
    assert answers.all_inner_texts() == ["black: 1\n1", "black: 0\n0"]


def test_game_opened_in_its_middle_is_continued_offline(connected: Connected):
    page, address, disconnect = connected
    page.goto(f"{address}/guess/p4c10n/k3f9/0123")
    wait_for_worker(page)
    wait_until_cached(page, f"{address}/guess/p4c10n/k3f9")
    wait_until_cached(page, f"{address}/guess/p4c10n/k3f9/reveal")
    disconnect()
    page.locator("#guess").fill("4567")
    page.keyboard.press("Enter")
    expect_turns(page, 2)


def test_game_without_a_stored_first_page_is_not_continued_offline(connected: Connected):
    page, address, disconnect = connected
    page.goto(f"{address}/guess/p4c10n/k3f9")
    wait_for_worker(page)
    wait_until_cached(page, page.url)
    page.evaluate(
        "async () => { for (const name of await caches.keys()) await caches.delete(name); }"
    )
    disconnect()
    page.locator("#guess").fill("4567")
    page.keyboard.press("Enter")
    expect(page.locator(".ask .failure")).to_contain_text("cannot be reached")
    expect(page.locator("#guess")).to_have_value("4567")


def test_missing_part_leaves_its_page_in_place(connected: Connected):
    page, address, disconnect = connected
    path = "/trees/avg-bulls-cows/0.4"
    page.goto(f"{address}/about")
    wait_for_worker(page)
    page.goto(address + path)
    wait_until_cached(page, page.url)
    disconnect()
    page.reload()
    page.locator("details[hx-get] > summary").first.click()
    expect(page.locator("main .failure")).to_be_visible()
    assert page.url == address + path


def test_page_that_was_opened_once_is_shown_and_another_says_that_it_was_not(
    connected: Connected,
):
    page, address, disconnect = connected
    page.goto(f"{address}/ru/about")
    wait_for_worker(page)
    disconnect()
    page.goto(f"{address}/ru/statistics")
    expect(page.locator("h1")).to_have_text("Нет связи")
    page.goto(f"{address}/ru/about")
    expect(page.locator("h1")).not_to_have_text("Нет связи")


GAME = """(page) => ({
  guess: page.querySelector("h1 [data-guess]")?.dataset.guess,
  remaining: page.querySelector("[data-remaining]")?.dataset.remaining,
  offered: [...page.querySelectorAll("a[data-answer]")]
    .map((one) => one.dataset.answer + one.getAttribute("href")).sort(),
})"""
SECRET = "(page) => page.querySelector('[data-secret]')?.dataset.secret ?? null"


@pytest.mark.parametrize(
    ("tree", "token"),
    [
        pytest.param("avg-bulls-cows", "k3", marks=pytest.mark.slow),
        pytest.param("avg-mastermind", "a", marks=pytest.mark.slow),
        ("avg-bulls-only-4x6", "a"),
        ("ru", "k3"),
    ],
)
def test_game_can_be_finished_offline(connected: Connected, site: str, tree: str, token: str):
    """The game continues from the cached tree with the same guesses as online."""
    page, address, disconnect = connected
    path = f"/ru/play/avg-bulls-cows/{token}" if tree == "ru" else f"/play/{tree}/{token}"
    page.goto(f"{address}{path}")
    wait_for_worker(page)
    wait_until_cached(page, f"{address}/trees/{'avg-bulls-cows' if tree == 'ru' else tree}.json")
    disconnect()
    secret = None
    while secret is None:
        answers = page.locator("a[data-answer]")
        middle = answers.nth(answers.count() // 2)
        target = str(middle.get_attribute("href"))
        secret = there(page, SECRET, site + target)
        middle.click()
        page.wait_for_url(f"**{target}")
        if secret is None:
            online = there(page, GAME, site + target)
            assert all(online.values()), "a guess, candidates and answers"
            wait_for(page, f"({GAME})(document)", online)
    wait_for(page, f"({SECRET})(document)", secret)


FIVE_TURNS = ("0.2", "1.2", "0.3", "3.0", "4.0")


@pytest.mark.parametrize(
    ("prefix", "turns", "words"),
    [
        ("", FIVE_TURNS, "Found in 5 turns."),
        pytest.param("/ru", ("4.0",), "Отгадано за 1 ход.", marks=pytest.mark.slow),
    ],
    ids=["en", "ru"],
)
def test_game_finished_offline_ends_as_online(
    connected: Connected,
    page: Page,
    site: str,
    prefix: str,
    turns: tuple[str, ...],
    words: str,
):
    """All but the review, which the server works out, is offered."""
    offline, address, disconnect = connected
    start = f"{prefix}/play/avg-bulls-cows/k3"
    page.goto(f"{site}{start}/{'-'.join(turns)}")
    actions = ".stage .actions :is(a:not(.to-review), button)"
    buttons = page.locator(actions).all_inner_texts()
    offered = offline.locator(actions)
    offline.goto(address + start)
    wait_for_worker(offline)
    wait_until_cached(offline, "/trees/avg-bulls-cows.json")
    disconnect()
    for turn, answer in enumerate(turns, start=1):
        offline.locator(f"[data-answer='{answer}']").click()
        expect_turns(offline, turn)
    expect(offline.locator(".slate .left:visible")).to_have_text(words)
    for _ in range(2):
        expect(offline.locator(".tally-games")).to_have_text("1")
        expect(offline.locator(".tally .here td").last).to_have_text("1")
        assert offered.all_inner_texts() == buttons
        kept = offline.evaluate("localStorage.games.trim().split(' ')")
        assert (kept[0], kept[2]) == ("p4c10n", str(len(turns)))
        offline.reload()
    offline.locator(".actions .primary").click()
    offline.wait_for_url(re.compile(rf"{start.removesuffix('k3')}[0-9a-z]+$"))
    expect(offline.locator("h1 [data-guess]")).to_be_visible()
    offline.locator("[data-answer='4.0'], [data-answer='0.1']").last.click()
    expect_turns(offline, 1)


@each_language
def test_home_page_alone_brings_a_game_the_puzzle_of_the_day_and_the_lessons(
    connected: Connected, site: str, prefix: str, today: date
):
    """With the boards of the server."""
    page, address, disconnect = connected
    page.goto(f"{address}{prefix}/")
    wait_for_worker(page)
    for path in ("/trees/avg-bulls-cows.json", "/trees/avg-mastermind.json"):
        wait_until_cached(page, address + path)
    for path in (f"/guess/p4c10n/{today}/reveal", "/learn", "/learn/2/5"):
        wait_until_cached(page, address + prefix + path)
    wait_until(lambda: len(stored_starts(page, prefix)) == 2)
    disconnect()
    for tree in ("avg-mastermind", "avg-bulls-cows"):
        page.goto(f"{address}{prefix}/")
        page.locator(f".segments label:has([value={tree}])").click()
        page.locator("form.start .primary").click()
        page.wait_for_url(re.compile(rf"{prefix}/play/{tree}/[0-9a-z]+$"))
        for _ in range(2):
            page.locator("a.cell:not(.win)").last.click()
        expect_turns(page, 2)
        assert here(page, BOARD) == there(page, BOARD, page.url.replace(address, site))
    page.goto(f"{address}{prefix}/")
    page.locator(".day-card .primary").click()
    page.wait_for_url(f"**{prefix}/guess/p4c10n/{today}")
    page.locator("#guess").fill("0123")
    page.keyboard.press("Enter")
    expect_turns(page, 1)
    assert here(page, BOARD) == there(page, BOARD, page.url.replace(address, site))
    page.goto(f"{address}{prefix}/")
    page.locator(f"a[href='{prefix}/learn']").last.click()
    expect(page.locator(".step-dot.done")).to_have_count(1)
    page.goto(f"{address}{prefix}/statistics")
    offered = page.locator(".stored a")
    expect(offered).to_have_count(2)
    for link in offered.all():
        expect(link).to_be_visible()


STARTS = """async (start) => {
  const caught = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
  const paths = (await Promise.all(caught)).flat().map(({ url }) => new URL(url).pathname);
  return paths.filter((path) => path.startsWith(start));
}"""


def stored_starts(page: Page, prefix: str) -> list[str]:
    paths: list[str] = page.evaluate(STARTS, f"{prefix}/play/")
    return paths


BOARD = """(page) => {
  const wanted = ".past td:not(.undo), .guess-now, .left, .cell";
  const parts = page.querySelectorAll(`#board :is(${wanted})`);
  return [...parts].map((part) => {
    const { classList, localName, dataset, attributes } = part, copy = part.cloneNode(true);
    for (const aloud of copy.querySelectorAll(".unseen")) aloud.remove();
    const words = copy.textContent.trim();
    return [[...classList].sort(), localName, dataset.answer, attributes.href?.value, words];
  });
}"""
"""The rows, the guess, the number of codes left and the answers of a board, as they are seen."""


def test_steps_are_there_offline_once_one_was_opened(connected: Connected):
    page, address, disconnect = connected
    page.goto(f"{address}/ru/learn")
    wait_for_worker(page)
    wait_until_cached(page, f"{address}/ru/learn/2/5")
    disconnect()
    for step in (2, 3, 4, 5):
        page.locator(".onward .primary").click()
        expect(page).to_have_url(re.compile(f"/learn/1/{step}$"))
    expect(page.locator("form.fill")).to_be_visible()


LESSON = """(page) => {
  const parts = page.querySelectorAll("#board :is(.step, .left, .onward a, label)");
  return [...parts].map((part) => {
    const copy = part.cloneNode(true);
    for (const aloud of copy.querySelectorAll(".unseen, thead")) aloud.remove();
    return copy.textContent.replaceAll(/\\s+/g, "");
  });
}"""
"""Returns the words of a step of a lesson."""

ROUNDS = {
    "1/5": ("012", "034", "154", "451", "415"),
    "2/3": ("987", "123", "345"),
    "2/4": ("098", "081", "243"),
    "2/5": ("456", "078", "789", "459"),
}
"""Guesses at the exercises of the lessons; the last one solves them."""


@each_language
def test_lessons_are_done_offline_after_a_visit_to_the_home_page(
    connected: Connected, site: str, prefix: str
):
    page, address, disconnect = connected
    page.goto(f"{address}{prefix}/")
    wait_for_worker(page)
    for path in ("/learn/1/5/415", "/learn/2/2", "/learn/2/3/345", "/learn/2/5/459", "/learn/2/5"):
        wait_until_cached(page, address + prefix + path)
    wait_until_cached(page, address + prefix + "/learn/2/4")
    disconnect()
    for step, guesses in ROUNDS.items():
        page.goto(f"{address}{prefix}/learn/{step}")
        made: list[str] = []
        for guess in guesses:
            page.locator("#guess").fill(guess)
            page.keyboard.press("Enter")
            made = [*made, guess] if step.endswith("5") else [guess]
            page.wait_for_url(f"**{prefix}/learn/{step}/{'-'.join(made)}")
            expect(page.locator("#board")).to_be_visible()
            assert here(page, LESSON) == there(page, LESSON, page.url.replace(address, site))
        expect(page.locator(".onward .primary")).to_be_visible()
