"""Pictures: ``python -m docs.generate.pictures``, or screenshots with ``--screens`` (Chromium).

The README has a moving picture: a game of Bulls & Cows in which the server guesses one code, each
turn as it is asked, then with the answer marked that is given.  The relabelling is part of the
address, so it is the same game always.  Screenshots show the main pages in both languages, on a
phone and on a desktop, in both themes, under ``build/screens``.  ``make pages`` draws the first
turns of the shipped tree of Bulls & Cows.
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
    "play": "/play/avg-bulls-cows/k3/0.1-1.1",
    "guess": "/guess/p4c10n/k3f9/0123-4567",
    "duel": "/duel/p4c10n/new",
    "analyse": "/analyse/p4c10n?h=0123:0.1",
    "trees": "/trees",
    "tree": "/trees/avg-mastermind/0.1",
    "statistics": "/statistics",
    "results": "/results",
}
SIZES = {"phone": (360, 640), "desktop": (1280, 800)}

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
    """Write screenshots of the main pages as PNG files, replacing earlier ones."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium_and_server() as (browser, address):
        for (size, (width, height)), scheme in product(SIZES.items(), ("light", "dark")):
            page = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                reduced_motion="reduce",
            ).new_page()
            for (name, path), language in product(PAGES.items(), ("en", "ru")):
                prefix = "" if language == "en" else "/ru"
                response = page.goto(f"{address}{prefix}{path}")
                if response is None or not response.ok:
                    raise SystemExit(f"{prefix}{path} cannot be opened: {response}")
                page.evaluate("document.fonts.ready")
                file = FOLDER / f"{name}-{language}-{size}-{scheme}.png"
                page.screenshot(path=file, full_page=True)
    print(f"{len(list(FOLDER.glob('*.png')))} screenshots in {FOLDER.relative_to(ROOT)}")


# -- the tree --------------------------------------------------------------------------------------

PICTURE = ROOT / "docs" / "tree.svg"
WIDTH, ROW = 960, 46
COLOURS = {8: "#2c7d59", 9: "#46794a", 10: "#7a7031", 11: "#a4622a", 12: "#b5512f"}
"""By twice the mean turn at which the codes of a position are found; others are the nearest."""


def tree_picture() -> str:
    """Return the picture: each position is as wide as its number of codes, turn below turn."""
    tree = read_tree("avg-bulls-cows").tree
    icicle = Icicle(tree, tree.root, (), tree.rules.text)
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
