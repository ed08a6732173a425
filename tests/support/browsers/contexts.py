"""Browser contexts that tests share, and options of their pages."""

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

WINDOW: ViewportSize = {"width": 800, "height": 600}
"""A window with the layout of a desktop, in which a page is cheap to draw."""
WITHOUT_WORKER = "Service Worker registration blocked by Playwright"


class Contexts:
    """Pool of contexts by options, because the first page of a new context is expensive.

    Each context keeps one page open; its storage is cleared when it is returned.
    """

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._site = site
        self._idle: dict[str, BrowserContext] = {}
        self._lent: list[tuple[str, BrowserContext]] = []

    def lend(self, options: dict[str, object]) -> BrowserContext:
        """Return an unused context with these options, by default with pages of `WINDOW`."""
        options = {"viewport": WINDOW} | options
        key = repr(sorted(options.items()))
        context = self._idle.pop(key, None)
        if context is None:
            context = self._browser.new_context(**options)  # type: ignore[arg-type]
            context.new_page()
        self._lent.append((key, context))
        return context

    def take_back(self) -> None:
        """Clear and pool all borrowed contexts; a second one with the same options is closed."""
        for key, context in self._lent:
            if key in self._idle:
                context.close()
                continue
            first, *others = context.pages
            for page in others:
                page.close()
            context.clear_permissions()
            session = context.new_cdp_session(first)
            session.send(
                "Storage.clearDataForOrigin", {"origin": self._site, "storageTypes": "all"}
            )
            session.detach()
            self._idle[key] = context
        self._lent.clear()


def watch(page: Page, errors: list[str]) -> None:
    """Collect errors and warnings of the console, except those of pages with a 4xx status."""
    page.on("pageerror", lambda error: errors.append(str(error)))

    def note(message: ConsoleMessage) -> None:
        is_usual = "Failed to load resource" in message.text or message.text == WITHOUT_WORKER
        if message.type in ("error", "warning") and not is_usual:
            errors.append(message.text)

    page.on("console", note)


def hurry(page: Page) -> None:
    """End all animations at once: a new board ignores clicks while it is animated."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 1000})
