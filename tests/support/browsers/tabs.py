"""One tab of a browser with real keys and a real mouse, for tests of several browsers."""

import time
from typing import Any, Protocol

from playwright.sync_api import Error, Page

PATIENCE = 20
"""Seconds that anything in a browser may take."""


class Tab(Protocol):
    """Actions of a test in a tab."""

    def goto(self, url: str) -> None: ...

    def evaluate(self, expression: str) -> Any: ...

    def click(self, x: float, y: float, *, key: str = "", button: int = 0, times: int = 1) -> None:
        """Click a point `times` times, with a key held; button 1 is the middle one."""

    def press(self, key: str, times: int = 1) -> None: ...

    def resize(self, width: int, height: int) -> None:
        """Give the page a size in pixels."""

    def reload(self) -> None: ...

    def back(self, steps: int = 1) -> None:
        """Go back, or forward with a negative number, without waiting."""

    def addresses(self) -> list[str]:
        """Return the addresses of this tab and of those that it opened."""

    def named(self, role: str, name: str) -> int:
        """Return how many elements screen readers call by a role and a name."""


class ChromiumTab:
    """A tab of Chromium in a context of its own."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def goto(self, url: str) -> None:
        self.page.goto(url)

    def evaluate(self, expression: str) -> Any:
        try:
            return self.page.evaluate(expression)
        except Error as error:  # the page was left while it answered: ask the next one
            if "Execution context was destroyed" not in error.message:
                raise
            self.page.wait_for_load_state()
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

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def reload(self) -> None:
        self.page.reload()

    def back(self, steps: int = 1) -> None:
        # Later, because a page that has been left does not answer.
        self.page.evaluate(f"void setTimeout(() => history.go({-steps}))")

    def addresses(self) -> list[str]:
        self.page.wait_for_timeout(1)  # Playwright learns of other tabs meanwhile
        return [page.url for page in self.page.context.pages]

    def named(self, role: str, name: str) -> int:
        return self.page.get_by_role(role, name=name, exact=True).count()  # type: ignore[arg-type]


def wait_for(tab: Tab, expression: str, value: object = True) -> None:
    """Wait until an expression has a value; fail with its last value."""
    deadline = time.monotonic() + PATIENCE
    while (found := tab.evaluate(expression)) != value:
        assert time.monotonic() < deadline, f"{expression} is {found!r}, not {value!r}"
        time.sleep(0.02)
