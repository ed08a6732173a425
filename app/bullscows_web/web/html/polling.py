"""Pages that reload themselves with htmx until their content is final."""

from __future__ import annotations

from typing import ClassVar


class PollingPage:
    """Base class of such a page; see the macro `ask_again` of the templates."""

    MOST: ClassVar[int] = 8
    """Maximum number of reloads, each a second later than the previous one."""

    polls: int
    """Number of reloads so far."""

    @property
    def is_final(self) -> bool:
        """Whether a reload would show the same."""
        raise NotImplementedError

    @property
    def address(self) -> str:
        """The path and query of the page."""
        raise NotImplementedError

    @property
    def asks_again(self) -> bool:
        """Whether the page reloads itself."""
        return self.polls < self.MOST and not self.is_final

    @property
    def again(self) -> str:
        """The address of the next reload."""
        return f"{self.address}{'&' if '?' in self.address else '?'}polls={self.polls + 1}"
