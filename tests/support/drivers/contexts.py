"""Chromium's contexts, which tests borrow, and what is made of the pages in them."""

import shutil

from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Chromium's names, the leanest first: the shell has no window, and takes half the work."""

WITHOUT_WORKER = "Service Worker registration blocked by Playwright"


def installed() -> str | None:
    """Return where Chromium is, if it is installed."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


class Contexts:
    """Contexts to lend, by their options: the first page of a new one costs twice another's.

    Each keeps one page open, and forgets what it has stored when it comes back.
    """

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._site = site
        self._idle: dict[str, BrowserContext] = {}
        self._lent: list[tuple[str, BrowserContext]] = []

    def lend(self, options: dict[str, object]) -> BrowserContext:
        """Return a context with these options that nobody else has."""
        key = repr(sorted(options.items()))
        context = self._idle.pop(key, None)
        if context is None:
            context = self._browser.new_context(**options)  # type: ignore[arg-type]
            context.new_page()
        self._lent.append((key, context))
        return context

    def take_back(self) -> None:
        """Make all contexts that were lent as good as new; a second one of a kind is closed."""
        for key, context in self._lent:
            if key in self._idle:
                context.close()
                continue
            keeper, *others = context.pages
            for page in others:
                page.close()
            context.clear_permissions()
            session = context.new_cdp_session(keeper)
            session.send(
                "Storage.clearDataForOrigin", {"origin": self._site, "storageTypes": "all"}
            )
            session.detach()
            self._idle[key] = context
        self._lent.clear()


def watch(page: Page, complaints: list[str]) -> None:
    """Collect errors and warnings of the console, Content-Security-Policy's among them.

    That a page came with a status of 4xx is no complaint: such pages are visited on purpose.
    """
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type in ("error", "warning")
            and "Failed to load resource" not in message.text
            and message.text != WITHOUT_WORKER
            else None
        ),
    )


def hurry(page: Page) -> None:
    """Let all animations end at once, with and without JavaScript.

    Each new board takes no clicks for a moment, for which Playwright would wait every time.
    """
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 1000})
