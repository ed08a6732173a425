"""The puzzle of the day: which days have one, and when it opens.

It is the puzzle whose seed is the date, as in ``2026-11-21``.  Days are those of UTC for everybody,
so that all get the same puzzle at the same moment: it opens at midnight UTC and stays open.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import Annotated

from fastapi import Depends, Request

from bullscows_web.guess.errors import GuessProblem
from bullscows_web.language.catalogues import Language
from bullscows_web.web.errors.problems import Kind

FIRST = date(2026, 1, 1)
"""The first day that has a puzzle."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class NoDayError(GuessProblem, ValueError):
    """A text that looks like a date, but the calendar has no such day."""

    kind = Kind(
        422,
        "no-day",
        "There is no such day",
        f"write year-month-day, from {FIRST} to today, as in p4c10n/{FIRST}",
    )

    def advice(self, language: Language, _request: Request) -> str:
        """Show how a day is written."""
        text = language.gettext("A day is written as year-month-day, as in %(day)s.")
        return text % {"day": FIRST}


class NoPuzzleError(GuessProblem, LookupError):
    """A day before the first that has a puzzle."""

    kind = Kind(404, "no-puzzle", "This day has no puzzle", "ask for a later day")

    def advice(self, language: Language, _request: Request) -> str:
        """Name the first day."""
        text = language.gettext("The first puzzle is that of %(day)s.")
        return text % {"day": language.day(FIRST)}


class NotOpenError(GuessProblem, LookupError):
    """A day that has not begun."""

    kind = Kind(
        404,
        "not-open",
        "This puzzle is not open yet",
        "days are those of UTC; /guess/RULES/today leads to the puzzle that opened last",
    )

    def __init__(self, day: date) -> None:
        super().__init__(f"the puzzle of {day} opens at {opening(day):%Y-%m-%dT%H:%MZ}")
        self.day = day

    def advice(self, language: Language, _request: Request) -> str:
        """Say when it opens."""
        text = language.gettext(
            "The puzzle of %(day)s opens at %(time)s UTC that day. Days are those of UTC, so "
            "everybody gets the same puzzle at the same moment."
        )
        return text % {"day": language.day(self.day), "time": f"{opening(self.day):%H:%M}"}


def day_of(seed: str) -> date | None:
    """Return the day whose puzzle has a seed; None if that is no date.

    Raises
    ------
    NoDayError
        If it has the form of a date, as 2026-02-30 has.
    """
    if not _DATE.fullmatch(seed):
        return None
    try:
        return date.fromisoformat(seed)
    except ValueError:
        raise NoDayError(f"the calendar has no day {seed}") from None


def opening(day: date) -> datetime:
    """Return when the puzzle of a day opens."""
    return datetime.combine(day, time(), UTC)


def check(day: date, today: date) -> None:
    """Refuse a day that has no puzzle, or none yet.

    Raises
    ------
    NoPuzzleError, NotOpenError
        If it is before the first, or after today.
    """
    if day < FIRST:
        raise NoPuzzleError(f"{day} has no puzzle; the first day that has one is {FIRST}")
    if day > today:
        raise NotOpenError(day)


def today() -> date:
    """Return the date in UTC."""
    return datetime.now(UTC).date()


async def get_today() -> date:
    """Return the date in UTC, as a dependency."""
    return today()


TodayDep = Annotated[date, Depends(get_today)]


def check_seed(seed: str) -> None:
    """Refuse the seed of a day whose puzzle is not open; any other seed is always open."""
    day = day_of(seed)
    if day is not None:
        check(day, today())
