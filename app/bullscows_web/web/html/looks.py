"""Pages that are not final and ask again by themselves: by htmx, so many times, ever later."""

from __future__ import annotations

from typing import ClassVar


class LooksAgain:
    """What such a page has besides its own: see the macro `ask_again` of the templates."""

    MOST: ClassVar[int] = 8
    """How many times it asks again by itself, each time a second later than the last."""

    looks: int
    """How many times this page has asked again by itself."""

    @property
    def is_final(self) -> bool:
        """Whether looking again would tell nothing new."""
        raise NotImplementedError

    @property
    def address(self) -> str:
        """The path of the page itself, with what was asked of it."""
        raise NotImplementedError

    @property
    def asks_again(self) -> bool:
        """Whether the page asks again by itself, where htmx runs."""
        return self.looks < self.MOST and not self.is_final

    @property
    def again(self) -> str:
        """The path by which it does."""
        return f"{self.address}{'&' if '?' in self.address else '?'}looks={self.looks + 1}"
