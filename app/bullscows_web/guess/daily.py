"""Puzzles of the day and of the week: which days have one, and when it opens.

Its seed is the date, such as ``2026-11-21``.  Days are those of UTC for everybody,
so that all get the same puzzle at the same moment: it opens at midnight UTC and stays open.
The harder puzzle of a week has the date of its Monday.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

from fastapi import Depends

from bullscows.game.rules import Rules
from bullscows_web.web.errors import MalformedError, NotFoundError, NotOpenError

FIRST = date(2026, 1, 1)
"""The first day that has a puzzle, the first of a month."""

WEEKLY = Rules(5, 8, False)
"""The game of the weekly puzzle. Its tree is proved optimal, so every guess is judged exactly."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day_of(seed: str) -> date | None:
    """Return the day of a seed, or None; raise `MalformedError` if no such date exists."""
    if not _DATE.fullmatch(seed):
        return None
    try:
        return date.fromisoformat(seed)
    except ValueError:
        raise MalformedError("day", f"the calendar has no day {seed}") from None


def current(rules: Rules, today: date) -> date:
    """Return the day of a game's newest puzzle: today, or the Monday before of a weekly game."""
    return today - timedelta(days=today.weekday()) if rules == WEEKLY else today


def opening(day: date) -> datetime:
    """Return when the puzzle of a day opens."""
    return datetime.combine(day, time(), UTC)


def check(day: date, today: date) -> None:
    """Raise `NotFoundError` before the first day, and `NotOpenError` after today."""
    if day < FIRST:
        raise NotFoundError("puzzle", str(day))
    if day > today:
        raise NotOpenError(day, opening(day))


async def get_today() -> date:
    """Return the date in UTC, as a dependency."""
    return datetime.now(UTC).date()


TodayDep = Annotated[date, Depends(get_today)]
