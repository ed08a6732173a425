"""Take the pictures of every page that `docs/research/screens.md` shows, and write that file.

Run as ``make screens``, or as ``python -m benchmarks.pages.screenshots``.  A server of its own
plays the shipped trees; Debian's Chromium takes the pictures as WebP, which keeps text sharp at a
tenth of what PNG needs.  Nothing moves, and the relabelling is part of the addresses, so pictures
differ only where pages do.
"""

from __future__ import annotations

import argparse
import base64
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from benchmarks.pages.parts import ROOT
from bullscows_web.server.settings import data_folder
from tests.support.drivers.contexts import installed
from tests.support.drivers.server import serving

FOLDER = ROOT / "docs" / "research" / "screenshots"
PAGE = ROOT / "docs" / "research" / "screens.md"
QUALITY = 40
SIZES = {1280: 800, 360: 780}
"""The heights of the windows by their widths."""
SCHEMES = ("light", "dark")


@dataclass(frozen=True)
class Picture:
    """A page to show."""

    name: str
    path: str
    title: str


PICTURES = (
    Picture("start", "/", "Start"),
    Picture("first", "/play/avg-bulls-cows/k3", "The first guess"),
    Picture("third", "/play/avg-bulls-cows/k3/0.2-1.1?analysis=open", "The third, analysed"),
    Picture("pegs", "/play/avg-mastermind/5x/0.1-1.1", "Mastermind"),
    Picture("end", "/play/avg-bulls-cows/0/0.2-1.2-0.3-3.0-4.0", "The end of a game"),
    Picture("doubt", "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none", "None of these fits"),
    Picture("told", "/play/avg-bulls-cows/k3/0.2-1.1-1.2/none?secret=1234", "A secret told"),
    Picture("guess", "/guess/p4c10n/k3f9/0123-4567", "The other way round: a board to fill"),
    Picture("hints", "/guess/p4c6r/k3f9/0011-2233?hints=on", "With pegs, and with hints"),
    Picture("review", "/guess/p4c10n/k3f9/0123-4567-0456-4620", "How well you guessed"),
    Picture("prices", "/guess/p4c10n/k3f9/0123-4567-0456-4620/prices", "What each guess cost"),
    Picture("day", "/guess/p4c10n/2026-11-21/0123", "The puzzle of a day"),
    Picture("duels", "/duel", "Duels"),
    Picture("levels", "/duel/p4c10n", "The levels of a duel"),
    Picture("duel", "/duel/p4c10n/new", "A duel"),
    Picture("friend", "/duel/friend/p4c10n", "A code of one's own for a friend"),
    Picture("keeper", "/duel/dodge/p4c10n", "A keeper that dodges"),
    Picture("analyse", "/analyse/p4c10n?h=0123:0.1&max_turns=7", "Any position, analysed"),
    Picture("slip", "/analyse/p4c10n?h=0123:0.4-0132:0.3", "Turns that no code fits"),
    Picture("trees", "/trees", "The trees"),
    Picture("tree", "/trees/crush-bulls-cows", "A tree"),
    Picture("branch", "/trees/avg-mastermind/0.3?depth=3", "A branch, unfolded"),
    Picture("path", "/trees/avg-mastermind?secret=3350", "The path to a code"),
    Picture("compare", "/compare/avg-bulls-cows/crush-bulls-cows", "Two trees side by side"),
    Picture("statistics", "/statistics", "Statistics of all trees"),
    Picture("figures", "/statistics/avg-bulls-cows", "Statistics of one tree"),
    Picture("columns", "/statistics/columns", "What the columns mean"),
    Picture("results", "/results", "Results"),
    Picture("about", "/about", "How it works"),
    Picture("more", "/more", "All places"),
    Picture("pegs-look", "/preferences", "Preferences"),
    Picture("error", "/play/avg-bulls-cows/0/3.1", "A wrong address"),
    Picture("offline", "/offline", "Without a connection"),
    Picture("start-ru", "/ru/", "Start, in Russian"),
    Picture("third-ru", "/ru/play/avg-bulls-cows/k3/0.2-1.1?analysis=open", "A game, in Russian"),
    Picture("guess-ru", "/ru/guess/p4c10n/k3f9/0123-4567", "The board to fill, in Russian"),
    Picture("duels-ru", "/ru/duel", "Duels, in Russian"),
    Picture("about-ru", "/ru/about", "How it works, in Russian"),
)


def take(browser: Browser, address: str, folder: Path) -> None:
    """Write a picture of every page, for each width and colour scheme."""
    for width, height in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                reduced_motion="reduce",
            )
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            for picture in PICTURES:
                page.goto(address + picture.path)
                page.evaluate("document.fonts.ready")
                shot = devtools.send(
                    "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
                )
                (folder / file_name(picture, width, scheme)).write_bytes(
                    base64.b64decode(shot["data"])
                )
            context.close()


def file_name(picture: Picture, width: int, scheme: str) -> str:
    """Return the name of a picture's file."""
    return f"{picture.name}-{width}-{scheme}.webp"


def lines() -> Iterator[str]:
    """Yield the lines of the page that shows the pictures."""
    yield "# Every page"
    yield ""
    yield "`make screens` takes these pictures anew and writes this page. Windows are 1280 by 800"
    yield "and 320 by 693 pixels, light and dark; pages go on below."
    for picture in PICTURES:
        yield from ("", f"## {picture.title}", "", f"`{picture.path}`", "", "<p>")
        for width in SIZES:
            for scheme in SCHEMES:
                name = file_name(picture, width, scheme)
                shown = 400 if width == 1280 else 116
                text = f"{picture.title}, {width} pixels, {scheme}"
                yield f'<img src="screenshots/{name}" width="{shown}" alt="{text}">'
        yield "</p>"


def main() -> None:
    """Take all pictures, then replace the old ones."""
    argparse.ArgumentParser(
        prog="python -m benchmarks.pages.screenshots", description=__doc__
    ).parse_args()
    executable = installed()
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        with serving(data_folder("trees"), Path(work) / "server.log") as address:
            take(browser, address, Path(work))
        browser.close()
        for old in FOLDER.glob("*.webp"):
            old.unlink()
        for new in sorted(Path(work).glob("*.webp")):
            shutil.move(new, FOLDER / new.name)
    PAGE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    taken = list(FOLDER.glob("*.webp"))
    print(f"{len(taken)} pictures, {sum(file.stat().st_size for file in taken) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
