"""Boards of every size in windows of every width: no part overflows its region."""

from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from bullscows.game.rules import Rules
from tests.browser.conftest import SMALL_WIDTHS
from tests.conftest import write_small_tree
from tests.support.browsers.contexts import hurry, watch
from tests.support.servers.serving import serving

WIDTHS = (*SMALL_WIDTHS, 768, 1280)
FEW_WIDTHS = (320, 480, 768, 1280)
"""The slow part uses all widths."""
PEGS = {positions: f"p{positions}c{3 if positions < 6 else 2}r" for positions in range(3, 9)}
"""A game of pegs of each size, with few enough codes to grow its tree here."""
ANALYSED = [
    *("p3c10n", "p4c10n", "p5c8n", "p6c6n", "p7c7n"),
    *("p3c16r", "p4c6r", "p5c8r", "p6c5r", "p7c4r", "p8c3r"),
]
CORNERS = {"p3c3r", "p8c2r", "p4c10n", "p7c7n", "p3c16r", "p8c3r"}
"""The shortest and the longest codes, and the most symbols; the rest is in the slow part."""
MANY_SYMBOLS = range(4, 17)
"""The symbols of a row of small games, as many as the table of games can have."""
ANSWERED = ["/0", "/0/0.1", "/0/0.1/none"]

REGIONS = ".guess, .left, .answers, .ledger, .stage, .side:not(.screen > .side), .fold > div"
PARTS = "a, span, svg, td, th, p, form, input, select, textarea, fieldset"
OUTSIDE = """([regions, parts]) => {
  const seen = (e) => e.checkVisibility() && !e.closest(".unseen, .scroll, .all-codes, symbol");
  const wide = document.documentElement.scrollWidth - innerWidth;
  const found = wide > 0 ? [`${wide} px too wide`] : [];
  for (const region of [...document.querySelectorAll(regions)].filter(seen)) {
    const { left, right } = region.getBoundingClientRect();
    for (const part of [...region.querySelectorAll(parts)].filter(seen)) {
      const box = part.getBoundingClientRect();
      if (box.left < left - 1 || box.right > right + 1) {
        const name = `${part.tagName}.${part.getAttribute("class")} in ${region.className}`;
        found.push(`${name}: ${box.left} to ${box.right} of ${left} to ${right}`);
      }
    }
  }
  return found;
}"""

Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that plays a game of pegs of each size."""
    folder = tmp_path_factory.mktemp("sizes")
    for rules in PEGS.values():
        write_small_tree(folder, rules, rules)
    for symbols in MANY_SYMBOLS:
        write_small_tree(folder, f"p2c{symbols}r", f"p2c{symbols}r")
    write_small_tree(folder, "p2c4rb", "p2c4rb")
    with serving(folder, folder / "server.log", SEARCH_TIMEOUT="0.2") as address:
        yield address


@pytest.fixture(scope="module")
def opened(browser: Browser, sizes: str) -> Iterator[Open]:
    """Open pages of that server one after the other in one window."""
    context = browser.new_context(reduced_motion="reduce", has_touch=True, service_workers="block")
    page = context.new_page()
    hurry(page)
    errors: list[str] = []
    watch(page, errors)

    def open_page(path: str) -> Page:
        page.goto(sizes + path)
        return page

    yield open_page
    context.close()
    assert errors == []


def sticking_out(page: Page, widths: tuple[int, ...]) -> list[str]:
    """Return the elements that overflow their part of the board at any of these widths."""
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"{width}: {what}" for what in page.evaluate(OUTSIDE, [REGIONS, PARTS])]
    return found


def sized(games: Iterable[str]) -> pytest.MarkDecorator:
    """One test a game at all widths, which is slow, and one of each corner at few."""
    few = [pytest.param(rules, FEW_WIDTHS, id=rules) for rules in games if rules in CORNERS]
    slow = pytest.mark.slow
    many = [pytest.param(rules, WIDTHS, id=f"{rules}-all", marks=slow) for rules in games]
    return pytest.mark.parametrize(("rules", "widths"), few + many)


@sized(PEGS.values())
def test_boards_of_pegs_hold_what_is_on_them(opened: Open, rules: str, widths: tuple[int, ...]):
    for path in ANSWERED:
        assert sticking_out(opened(f"/play/{rules}{path}"), widths) == [], path
    assert sticking_out(opened(f"/trees/{rules}"), widths) == []
    assert sticking_out(opened(f"/compare/{rules}/{rules}"), widths) == []
    code = "0" * int(rules[1])
    assert sticking_out(opened(f"/guess/{rules}/k3f9/{code}?hints=on"), widths) == []


@sized(ANALYSED)
def test_analyses_of_every_size_hold_what_is_on_them(
    opened: Open, rules: str, widths: tuple[int, ...]
):
    game = Rules.parse(rules)
    first = game.text(0)
    answer = game.answers[game.respond(0, game.size - 1)]
    for path in (f"/analyse/{rules}", f"/ru/analyse/{rules}?h={first}:{answer}&guess={first}"):
        assert sticking_out(opened(path), widths) == [], path


def test_table_of_games_fits_and_has_a_link_for_each(opened: Open):
    page = opened("/ru/analyse")
    for width in (320, 480, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        hidden = page.locator(".scroll").evaluate_all(
            "es => es.map(e => e.scrollWidth - e.clientWidth)"
        )
        assert max(hidden) <= 0, width
    cells = page.locator(".size-grid td").evaluate_all(
        "cells => cells.map(e => e.querySelectorAll('a').length)"
    )
    assert sum(cells) == len(PEGS) + len(MANY_SYMBOLS)
    assert max(cells) == 1
    assert page.locator("a[href='/ru/analyse/p2c4rb']").text_content()
