"""Screenshots of the main pages for a release: ``make screens`` (needs Chromium).

Each page in both languages, on a phone and on a desktop, in both themes, under ``build/screens``.
"""

from __future__ import annotations

from itertools import product

from benchmarks.pages import ROOT
from benchmarks.pages.film import chromium_and_server

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


def main() -> None:
    """Write the screenshots of whole pages as PNG files, replacing earlier ones."""
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
    main()
