"""Pictures: ``python -m docs.generate.pictures``, or screenshots with ``--screens`` (Chromium).

The README has a moving picture: a game of Bulls & Cows in which the server guesses one code, each
turn as it is asked, then with the answer marked that is given.  The relabelling is part of the
address, so it is the same game always.  Its bytes differ from run to run, so ``make pages`` leaves
it alone: record it again after a change of the board.

Screenshots show each kind of screen in five windows, both themes, both languages and two sizes of
text, under ``build/screens``.  ``make pages`` draws the first turns of the tree of Bulls & Cows.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from bullscows.game.rules import Rules, respond
from bullscows.tree.files import read_tree
from bullscows.tree.storage import default_folder
from bullscows_web.trees.icicle import LEVELS, Block, Icicle
from docs.generate import ROOT
from tests.support.programs import program
from tests.support.servers.serving import serving

FILE = ROOT / "docs" / "game.webp"
START = "/play/avg-bulls-cows/k3"
SECRET = "2718"
SIZE = {"width": 720, "height": 640}
QUALITY = 45
ASKED, GIVEN, FOUND = 1400, 700, 3500
"""The milliseconds of a guess, of the mark on its answer, and of the end."""

FOLDER = ROOT / "build" / "screens"
PAGES = {
    "home": "/",
    "learn": "/learn",
    "lesson": "/learn/1/2",
    "play": "/play/avg-bulls-cows/k3",
    "play-turn-3": "/play/avg-bulls-cows/k3/0.1-1.1",
    "play-mastermind": "/play/avg-mastermind/5x/0.1-1.1",
    "play-analysed": "/play/avg-bulls-cows/k3/0.1-1.1?analysis=open",
    "play-end": "/play/avg-bulls-cows/k3/0.1-1.1-1.1-4.0",
    "play-no-code": "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none?answer=0.4",
    "guess": "/guess",
    "guess-turn-3": "/guess/p4c10n/k3f9/0123-4567",
    "guess-hints": "/guess/p4c10n/k3f9/0123-4567?hints=on",
    "guess-mastermind": "/guess/p4c6r/k3f9/0011-2233",
    "guess-day": "/guess/p4c10n/2026-11-21/0123",
    "guess-long": "/guess/p4c10n/k3f9/0123-4567-8901-2345-6789-1357-2468-9753",
    "duel": "/duel",
    "duel-start": "/duel/p4c10n/new",
    "match": "/match",
    "analyse": "/analyse",
    "analyse-turn-2": "/analyse/p4c10n?h=0123:0.1&guess=4567",
    "review": "/review/p4c10n?h=0123:1.1-4567:1.1-4650:3.0-4620:4.0",
    "review-turn-2": "/review/p4c10n?h=0123:1.1-4567:1.1-4650:3.0-4620:4.0&turn=2&guess=0145",
    "trees": "/trees",
    "tree": "/trees/avg-mastermind/0.1",
    "statistics": "/statistics",
    "statistics-tree": "/statistics/avg-bulls-cows",
    "compare": "/compare/avg-bulls-cows/crush-bulls-cows",
    "results": "/results",
    "answer": "/answer/p4c10n?secret=4271&guess=1234",
    "preferences": "/preferences",
    "about": "/about",
    "embedded-day": "/embed/daily",
    "embedded-analysis": "/embed/analyse/p4c10n?h=0123:0.1",
}
"""A screen of each kind, and states of games that look different."""

SIZES = ((320, 568), (360, 640), (390, 844), (1280, 800), (1920, 1080))
LARGE = """
addEventListener("DOMContentLoaded", () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { font-size: 200%; }");
  document.adoptedStyleSheets = [sheet];
});"""

MARK = "outline: 3px solid currentColor; outline-offset: 2px"


def frames(page: Page, address: str) -> Iterator[tuple[Image.Image, int]]:
    """Yield the pictures of a game, and for how long each is shown."""
    rules = Rules.parse("p4c10n")
    secret = rules.code(rules.parse_code(SECRET))
    page.goto(address + START)
    while page.locator("[data-secret]").count() == 0:
        yield _picture(page), ASKED
        guess = page.locator("h1 [data-guess]").get_attribute("data-guess") or ""
        answer = page.locator(
            f'a[data-answer="{respond(rules.code(rules.parse_code(guess)), secret)}"]'
        )
        answer.first.evaluate("(link, mark) => { link.style.cssText += mark }", MARK)
        yield _picture(page), GIVEN
        page.goto(address + (answer.first.get_attribute("href") or ""))
    yield _picture(page), FOUND


def _picture(page: Page) -> Image.Image:
    page.evaluate("document.fonts.ready")
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


@contextmanager
def chromium_and_server() -> Iterator[tuple[Browser, str]]:
    """Start Chromium and a server of the shipped trees; yield the browser and the address."""
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox"]
        )
        with serving(default_folder(), Path(work) / "server.log") as address:
            yield browser, address
        browser.close()


def film() -> None:
    """Play the game on a server of its own, and write the picture."""
    with chromium_and_server() as (browser, address):
        page = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
        pictures, shown = zip(*frames(page, address), strict=True)
    pictures[0].save(
        FILE,
        save_all=True,
        append_images=pictures[1:],
        duration=shown,
        loop=0,
        quality=QUALITY,
        method=6,
    )
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.0f} kB")


def screens() -> None:
    """Write a folder of screenshots for each window, theme, text size and language.

    Earlier ones are replaced.  Takes some minutes.
    """
    with chromium_and_server() as (browser, address):
        kinds = product(SIZES, ("light", "dark"), ("100", "200"), ("en", "ru"))
        for (width, height), scheme, text, language in kinds:
            folder = FOLDER / f"{width}x{height}-{scheme}-{text}-{language}"
            folder.mkdir(parents=True, exist_ok=True)
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                reduced_motion="reduce",
            )
            if text == "200":
                context.add_init_script(LARGE)
            page = context.new_page()
            for name, path in PAGES.items():
                response = page.goto(address + ("" if language == "en" else "/ru") + path)
                if response is None or not response.ok:
                    raise SystemExit(f"{path} cannot be opened in {language}: {response}")
                page.evaluate("document.fonts.ready")
                page.screenshot(path=folder / f"{name}.png", full_page=True)
            context.close()
            print(f"{folder.relative_to(ROOT)}: {len(PAGES)} screenshots", flush=True)


# -- the tree --------------------------------------------------------------------------------------

PICTURE = ROOT / "docs" / "tree.svg"
WIDTH, ROW = 960, 46
COLOURS = {8: "#2c7d59", 9: "#46794a", 10: "#7a7031", 11: "#a4622a", 12: "#b5512f"}
"""By twice the mean turn at which the codes of a position are found; others are the nearest."""


def tree_picture() -> str:
    """Return the picture: each position is as wide as its number of codes, turn below turn."""
    tree = read_tree("avg-bulls-cows").tree
    icicle = Icicle(tree, tree.root, "", tree.rules.text)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {ROW * LEVELS}" '
        'font-family="sans-serif" font-size="14" fill="#fff">',
        *map(_drawn, icicle.blocks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _drawn(block: Block) -> str:
    x = WIDTH * block.x
    y = ROW * block.level
    colour = COLOURS[min(max(block.shade, min(COLOURS)), max(COLOURS))]
    place = f'x="{x:.1f}" y="{y}" width="{max(WIDTH * block.width - 1, 0.5):.1f}"'
    rectangle = f'<rect {place} height="{ROW - 2}" rx="2" fill="{colour}"/>'
    if WIDTH * block.width < 56:
        return rectangle
    below = f"{block.answer}: {block.remaining}" if block.answer else f"{block.remaining} codes"
    return (
        f'{rectangle}<text x="{x + 6:.1f}" y="{y + 19}">{block.guess}</text>'
        f'<text x="{x + 6:.1f}" y="{y + 36}" font-size="11">{below}</text>'
    )


if __name__ == "__main__":
    screens() if sys.argv[1:] == ["--screens"] else film()
