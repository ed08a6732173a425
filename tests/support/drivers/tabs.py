"""One tab of a browser, with real keys and a real mouse, for tests that every browser must pass."""

from __future__ import annotations

import time
from typing import Any, Protocol

from playwright.sync_api import Page

PATIENCE = 20
"""Seconds that a browser may take for anything."""


class Tab(Protocol):
    """What a visitor does with a tab, and what may be asked of its page."""

    def goto(self, url: str) -> None: ...

    def evaluate(self, expression: str) -> Any: ...

    def click(self, x: float, y: float, *, key: str = "", button: int = 0, times: int = 1) -> None:
        """Click a point, with a key held and so many times at once; button 1 is the middle one."""

    def press(self, key: str, times: int = 1) -> None: ...

    def reload(self) -> None: ...

    def back(self, steps: int = 1) -> None:
        """Go back, or with a negative number forward, and wait for nothing."""

    def addresses(self) -> list[str]:
        """Return the address of each tab that this one opened, and its own."""


class ChromiumTab:
    """A tab of Chromium, in a context that nobody else has."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def goto(self, url: str) -> None:
        self.page.goto(url)

    def evaluate(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def click(self, x: float, y: float, *, key: str = "", button: int = 0, times: int = 1) -> None:
        if key:
            self.page.keyboard.down(key)
        name = "middle" if button else "left"
        self.page.mouse.click(x, y, button=name, click_count=times)  # type: ignore[arg-type]
        if key:
            self.page.keyboard.up(key)

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)

    def reload(self) -> None:
        self.page.reload()

    def back(self, steps: int = 1) -> None:
        # In a moment, for a page that has been left answers no more.
        self.page.evaluate(f"void setTimeout(() => history.go({-steps}))")

    def addresses(self) -> list[str]:
        self.page.wait_for_timeout(1)  # in which Playwright hears of other tabs
        return [page.url for page in self.page.context.pages]


def wait_for(tab: Tab, expression: str, value: object = True) -> None:
    """Return when the page says so; fail with what it says if that takes too long."""
    deadline = time.monotonic() + PATIENCE
    while (found := tab.evaluate(expression)) != value:
        assert time.monotonic() < deadline, f"{expression} is {found!r}, not {value!r}"
        time.sleep(0.02)
