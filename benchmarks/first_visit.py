"""Measure what first visitors wait for.  Run as ``python -m benchmarks.first_visit``.

Debian's Chromium opens every page with nothing kept, as on a phone: 360 pixels wide, 400 kbit/s
both ways, 400 ms for each request, a processor four times slower; tasks are taken at full speed
too, where 0 says that none took 50 ms.  What a service worker fetches
for later comes after the page, and is counted by itself.  Bytes are those on the line, heads of
answers included.

A click is measured on a fast line and at full speed, as the issue asks: from the click until the
next frame is painted.  Times are this machine's, so they are compared within one run only.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, CDPSession, Error, Page, sync_playwright

from bullscows.tree.storage import default_folder
from tests.support.drivers.contexts import installed
from tests.support.drivers.server import serving

PAGES = {
    "/robots.txt": "",
    "/": ".game .primary",
    "/guess": "main a.button",
    "/guess/p4c10n/k3f9/0123": ".key[data-key='4']",
    "/play/avg-bulls-cows/k3/0.2": ".answers a.cell",
    "/duel/p4c10n/new": ".key[data-key='4']",
    "/trees": "main details > summary",
    "/analyse/p4c10n?h=0123:0.1": "main summary, main a[hx-get]",
}
"""The pages, and what somebody clicks there first; the first is plain text, and tells what any page
takes on this machine."""
PHONE = {"width": 360, "height": 640}
SLOW = {"latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000, "offline": False}
SLOWER = 4
"""By how much the processor is slowed down."""
POLLS = 200
"""How often an answer to a click is asked for, 20 times a second."""
SETTLED = 1.5
"""Seconds after the last request in which nothing more is expected."""

OBSERVE = """
window.seen = { lcp: 0, shift: 0, tasks: [] };
const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note))
  .observe({ type, buffered: true });
observe("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
observe("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
observe("longtask", (entry) => seen.tasks.push(entry.duration));

const clicked = Number(sessionStorage.clicked);
observe("paint", (entry) => {
  if (clicked) window.answered = performance.timeOrigin + entry.startTime - clicked;
});
addEventListener("click", (event) => {
  sessionStorage.clicked = performance.timeOrigin + event.timeStamp;
  const painted = () => { window.answered ??= performance.now() - event.timeStamp; };
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(painted)))
    .observe(document.body, { subtree: true, childList: true, attributes: true });
}, true);
"""
"""Notes what is painted, and when; and from a click how long its first feedback takes: a change
of this page, or the first paint of the next one."""


KEPT = """(async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  return (await Promise.all(caches_.map((cache) => cache.keys()))).flat().map(({ url }) => url);
})()"""


@dataclass
class Visit:
    """What one page took, of somebody who had never been there."""

    path: str
    requests: list[str] = field(default_factory=list)
    sizes: dict[str, float] = field(default_factory=dict)
    lcp: float = 0.0
    shift: float = 0.0
    tasks: list[float] = field(default_factory=list)

    @property
    def size(self) -> int:
        """All bytes of the answers, with their heads, as compressed."""
        return round(sum(self.sizes.values()))

    def listen(self, devtools: CDPSession) -> None:
        """Note each request, and how large its answer is once it is whole."""

        def begins(event: dict[str, Any]) -> None:
            if event["request"]["url"].startswith("http"):
                self.requests.append(event["request"]["url"])

        def ends(event: dict[str, Any]) -> None:
            self.sizes[event["requestId"]] = event["encodedDataLength"]

        devtools.on("Network.requestWillBeSent", begins)
        devtools.on("Network.loadingFinished", ends)
        devtools.send("Network.enable")


def visit(
    browser: Browser, address: str, path: str, *, slow: bool, size: dict[str, int] | None = None
) -> Visit:
    """Open a page with nothing kept, as a browser without a service worker does."""
    context = browser.new_context(viewport=size or PHONE, service_workers="block")  # type: ignore[arg-type]
    try:
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        found = Visit(path)
        found.listen(devtools)
        if slow:
            devtools.send("Network.emulateNetworkConditions", SLOW)
            devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(OBSERVE)
        page.goto(address + path, wait_until="networkidle")
        page.wait_for_timeout(SETTLED * 1000 if slow else 100)
        seen = page.evaluate("window.seen")
        found.lcp, found.shift, found.tasks = seen["lcp"], seen["shift"], seen["tasks"]
        return found
    finally:
        context.close()


def feedback(browser: Browser, address: str, path: str, target: str) -> float:
    """Return the milliseconds from a click until something of it is painted, at full speed."""
    context = browser.new_context(viewport=PHONE, service_workers="block")  # type: ignore[arg-type]
    try:
        page = context.new_page()
        page.add_init_script(OBSERVE)
        page.goto(address + path, wait_until="networkidle")
        page.locator(target).first.scroll_into_view_if_needed()
        page.locator(target).first.click(no_wait_after=True)
        return _answered(page)
    finally:
        context.close()


def _answered(page: Page) -> float:
    """Wait until a click is answered; the content policy lets no page wait for it by itself."""
    for _ in range(POLLS):
        page.wait_for_timeout(50)
        with suppress(Error):  # between two pages there is none to ask
            if answered := page.evaluate("window.answered"):
                return float(answered)
    raise TimeoutError(f"{page.url}: nothing answers the click")


def for_later(browser: Browser, address: str) -> list[str]:
    """Return what the service worker fetches once the first page is there."""
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    try:
        page = context.new_page()
        page.goto(f"{address}/about")
        page.evaluate("navigator.serviceWorker.ready")
        return list(page.evaluate(KEPT))
    finally:
        context.close()


def rows(browser: Browser, address: str, runs: int) -> Iterator[str]:
    """Yield the table: medians of several visits to each page."""
    yield "| page | requests | kB | LCP s | shift | task, slow ms | task ms | click ms |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for path, target in PAGES.items():
        visits = [visit(browser, address, path, slow=True) for _ in range(runs)]
        fast = [visit(browser, address, path, slow=False) for _ in range(runs)]
        clicks = [feedback(browser, address, path, target) for _ in range(runs) if target]
        first = visits[0]
        lcp = median(each.lcp for each in visits) / 1000
        shift = max(each.shift for each in visits)
        yield (
            f"| `{path}` | {len(first.requests)} | {first.size / 1000:.1f} | {lcp:.2f} "
            f"| {shift:.3f} | {longest_task(visits):.0f} | {longest_task(fast):.0f} "
            f"| {median(clicks) if clicks else 0:.0f} |"
        )


def longest_task(visits: list[Visit]) -> float:
    """Return the median of each visit's longest task; the browser names those over 50 ms only."""
    return median(max(visit.tasks, default=0) for visit in visits)


def main() -> None:
    """Visit all pages; print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_visit", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="visits of each page (median; 3)")
    parser.add_argument("--site", default="", help="a site that is served already (one of its own)")
    options = parser.parse_args()
    executable = installed()
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        own = serving(default_folder(), Path(work) / "server.log")
        with nullcontext(options.site) if options.site else own as address:
            for line in rows(browser, address, options.runs):
                print(line, flush=True)
            later = for_later(browser, address)
            print(f"\nkept for later by the service worker: {len(later)} files and pages")
        browser.close()


if __name__ == "__main__":
    main()
