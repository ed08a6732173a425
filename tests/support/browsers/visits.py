"""Files loaded on a first visit, in a browser without a cache or service worker."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, CDPSession

PHONE = {"width": 360, "height": 640}
SETTLED_MILLISECONDS = 100

OBSERVE = """
window.shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (!entry.hadRecentInput) shift += entry.value;
})).observe({ type: "layout-shift", buffered: true });
"""


@dataclass
class Visit:
    """The requests of a page, the bytes of the responses, and its cumulative layout shift."""

    requests: list[str] = field(default_factory=list)
    sizes: dict[str, float] = field(default_factory=dict)
    shift: float = 0.0

    @property
    def size(self) -> int:
        """Bytes of all responses as sent, with their headers."""
        return round(sum(self.sizes.values()))

    def listen(self, devtools: CDPSession) -> None:
        def begins(event: dict[str, Any]) -> None:
            if event["request"]["url"].startswith("http"):
                self.requests.append(event["request"]["url"])

        def ends(event: dict[str, Any]) -> None:
            self.sizes[event["requestId"]] = event["encodedDataLength"]

        devtools.on("Network.requestWillBeSent", begins)
        devtools.on("Network.loadingFinished", ends)
        devtools.send("Network.enable")


def visit(browser: Browser, address: str, size: dict[str, int] = PHONE) -> Visit:
    context = browser.new_context(viewport=size, service_workers="block")  # type: ignore[arg-type]
    try:
        page = context.new_page()
        found = Visit()
        found.listen(context.new_cdp_session(page))
        page.add_init_script(OBSERVE)
        page.goto(address, wait_until="networkidle")
        page.wait_for_timeout(SETTLED_MILLISECONDS)
        found.shift = page.evaluate("window.shift")
        return found
    finally:
        context.close()
