"""Exceptions of the server: facts only, which `bullscows_web.errors.responses` puts into words."""

from __future__ import annotations

from datetime import date, datetime
from math import ceil
from typing import Literal, TypeAlias

from starlette.exceptions import HTTPException

from bullscows.errors import EngineError, counted
from bullscows.game.rules import Rules

RETRY_SECONDS = 2
"""When to retry a request that was rejected because the server is busy."""

Refused = Literal["address", "cross-site", "often", "search", "turn", "time", "stopped"]
"""Why a request was not served: the first three lie in the client, the others in the load.  It is
the `refusal` of some exceptions, which the metrics count."""

Missing: TypeAlias = Literal[
    "unknown-tree", "unknown-game", "no-puzzle", "no-win-in-two", "unknown-level"
]
Malformed: TypeAlias = Literal[
    "impossible-answer",
    "malformed-position",
    "malformed-relabelling",
    "malformed-history",
    "malformed-puzzle",
    "no-day",
    "malformed-duel",
    "malformed-turns",
    "conflicting-fields",
]


class ProblemError(Exception):
    """An exception of this server that is a kind of problem; see `bullscows_web.errors.kinds`."""

    slug: str
    """The kind."""


class NotFoundError(ProblemError, LookupError):
    """A name that nothing here has; `rules` is the game that lacks a level or a win in two."""

    def __init__(self, slug: Missing, name: str, rules: Rules | None = None) -> None:
        missing = slug.replace("-", " ")
        super().__init__(f"{missing} {name[:40]!r}" if name else missing)
        self.slug = slug
        self.name = name
        self.rules = rules


class MalformedError(ProblemError, ValueError):
    """A text that cannot be read as what it should be; `rules` is the game, if it matters."""

    def __init__(
        self, slug: Malformed, message: str, text: str = "", rules: Rules | None = None
    ) -> None:
        super().__init__(message)
        self.slug = slug
        self.text = text
        self.rules = rules


class FieldError(ValueError):
    """An error of the engine that one field of a request body caused."""

    def __init__(self, place: tuple[str | int, ...], error: EngineError) -> None:
        super().__init__(str(error))
        self.place = place
        self.error = error


class NotOpenError(ProblemError, LookupError):
    """The puzzle of a day that has not begun in UTC."""

    slug = "not-open"

    def __init__(self, day: date, opens: datetime) -> None:
        super().__init__(f"the puzzle of {day} opens at {opens:%Y-%m-%dT%H:%MZ}")
        self.day = day
        self.opens = opens


class UnavailableError(ProblemError):
    """A tree file that was rejected at start, or cannot be read now."""

    slug = "tree-unavailable"


Wanted: TypeAlias = Literal["search", "turn", "address"]
"""The resource that too many requests wait for: a search process, or a turn in the queue of
expensive pages; or too many searches of one address."""


class BusyError(ProblemError):
    """Too many requests are waiting, for what `what` says.

    `before` counts them; `seconds` is the time that they may take together.
    """

    def __init__(self, what: Wanted, before: int, seconds: float = RETRY_SECONDS) -> None:
        self.slug = "too-many-searches" if what == "address" else "busy"
        self.refusal: Refused = "often" if what == "address" else what
        self.retry_seconds = max(ceil(seconds), 1)
        whose = " of your address" if what == "address" else ""
        waiting = counted(before, f"request{whose} is waiting", f"requests{whose} are waiting")
        super().__init__(f"{waiting}: retry in {counted(self.retry_seconds, 'second')}")


class SearchStoppedError(ProblemError):
    """A search that was killed at its limit of time or memory, or has crashed."""

    slug = "search-stopped"

    refusal: Refused = "stopped"

    def __init__(self) -> None:
        super().__init__("the search took too much time or memory, and was stopped")


class TooExpensiveError(ProblemError, ValueError):
    """A request for more work than a request may cause; both numbers count answers."""

    slug = "too-expensive"

    def __init__(self, cost: int, most: int) -> None:
        super().__init__(
            f"this compares up to {cost} answers, codes times turns and guesses, and a request may "
            f"compare {most}"
        )


class NotStartedError(ProblemError):
    """One of many positions, whose search did not start in time; a search process returns it."""

    slug = "time-over"

    refusal: Refused = "time"


class BrokenStateError(ProblemError, ValueError):
    """Encrypted URL state that this server did not make, or only a part of it."""

    slug = "broken-seal"

    def __init__(self) -> None:
        super().__init__("this is not encrypted state of this server, or not all of it")


class OtherGameError(ProblemError, ValueError):
    """Encrypted URL state of another game than the address names."""

    slug = "sealed-for-another-game"

    def __init__(self, named: str, actual: Rules) -> None:
        super().__init__(f"the address names {named[:20]!r}, but its state is of {actual}")
        self.named = named
        self.actual = actual


class RefusedError(HTTPException):
    """A request that is rejected before its route handles it."""

    def __init__(self, refusal: Refused, status: int, detail: str) -> None:
        super().__init__(status, detail)
        self.refusal: Refused = refusal
