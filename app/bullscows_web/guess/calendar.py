"""The page of daily and weekly puzzles: a month at a glance, for one game."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import FIRST, WEEKLY, Puzzle, check, current, entry_of
from bullscows_web.trees.library import Game, Library
from bullscows_web.trees.pages import GamesPage
from bullscows_web.web.exceptions import MalformedError


@dataclass(frozen=True)
class Day:
    """A day of the calendar."""

    date: date
    """Its date in UTC."""
    puzzle: Puzzle | None
    """The puzzle that opens on the day; None if there is none, or none yet."""
    is_shown: bool
    """Whether it is a day of the month shown."""


def offered(page: GamesPage) -> Sequence[Game]:
    """Return the games that have daily puzzles, then the one with a puzzle a week."""
    return [*page.featured, *(game for game in page.games if game.rules == WEEKLY)]


@dataclass(frozen=True)
class CalendarPage(GamesPage):
    """The puzzles of a game in a month; make one with `parse`."""

    puzzle: Puzzle
    """The newest puzzle of the game."""
    month: date
    """The first day of the month."""
    today: date
    """Today's date in UTC."""
    weekly: Rules = WEEKLY
    """The game that has a puzzle a week."""
    offered = property(offered)
    """The games to choose from."""

    @classmethod
    def parse(cls, library: Library, rules: str, month: str, today: date) -> CalendarPage:
        """Read the query of the page; by default the first game and this month.

        Raises `NotFoundError` if no tree plays the game, or the month is before the first puzzle.
        Raises `NotOpenError` if the month has not begun. Raises `MalformedError` if the month has
        not the form 2026-11.
        """
        page = GamesPage(library.games)
        entry = entry_of(library, rules) if rules else page.featured[0].entries[0]
        try:
            first = date.fromisoformat(f"{month}-01") if month else today.replace(day=1)
        except ValueError:
            raise MalformedError("no-day", f"the calendar has no month {month}") from None
        check(first, today)
        return cls(library.games, Puzzle.of_day(entry, current(entry.rules, today)), first, today)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.puzzle.rules

    @cached_property
    def weeks(self) -> list[list[Day]]:
        """The weeks of the month, from Monday to Sunday."""
        weeks = Calendar().monthdatescalendar(self.month.year, self.month.month)
        return [[self._day(day) for day in week] for week in weeks]

    def _day(self, day: date) -> Day:
        is_shown = day.month == self.month.month
        opens = FIRST <= day <= self.today and current(self.rules, day) == day
        puzzle = Puzzle.of_day(self.puzzle.entry, day) if is_shown and opens else None
        return Day(day, puzzle, is_shown)

    @property
    def earlier(self) -> date | None:
        """The first day of the month before, if it has puzzles."""
        before = (self.month - timedelta(days=1)).replace(day=1)
        return before if before >= FIRST else None

    @property
    def later(self) -> date | None:
        """The first day of the month after, if it has begun."""
        after = (self.month + timedelta(days=31)).replace(day=1)
        return after if after <= self.today else None


def newest(library: Library, today: date) -> list[Puzzle]:
    """Return the newest puzzle of each of these games."""
    games = offered(GamesPage(library.games))
    return [Puzzle.of_day(game.entries[0], current(game.rules, today)) for game in games]
