"""Options that make a game harder: a limit of turns, and hard mode.

They are part of a game's address, for example ``?limit=10&hard=on``.  With a limit the game is lost
after the last turn.  In hard mode a guess has to fit all answers so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query

LIMITS = range(8, 13)
"""The limits to choose from, as many as board games have rows."""


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    limit: int | None = None
    """The turn after which the game is lost, one of `LIMITS`; None for no limit."""
    hard: bool = False
    """Whether a guess has to fit all answers so far."""

    @property
    def query(self) -> dict[str, str]:
        """The options as part of a query; those that are not set are left out."""
        limit = {} if self.limit is None else {"limit": str(self.limit)}
        return limit | ({"hard": "on"} if self.hard else {})


STANDARD = Options()
"""No limit, any guess."""


async def options_of(
    limit: Annotated[str, Query(pattern="^([89]|1[0-2])?$")] = "",
    hard: Annotated[str, Query(pattern="^(on)?$")] = "",
) -> Options:
    """Read the options of a query; an empty one, as forms send it, is not set."""
    return Options(int(limit) if limit else None, hard == "on")


OptionsDep = Annotated[Options, Depends(options_of)]
