"""Pictures: ``python -m docs.generate.pictures``, or screenshots with ``--screens`` (Chromium).

The README has a moving picture: a game of Bulls & Cows in which the server guesses one code, each
turn as it is asked, then with the answer marked that is given.  The relabelling is part of the
address, so it is the same game always.  Screenshots show the main pages in both languages, on a
phone and on a desktop, in both themes, under ``build/screens``.
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
from bullscows.tree.storage import default_folder
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


if __name__ == "__main__":
    screens() if sys.argv[1:] == ["--screens"] else film()
