"""The page that tells how it works: rules, criteria, the string, the proofs, sources.

Its figures and examples are taken from the trees that this server plays, so they are those of the
trees that anyone can download and check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from fastapi import APIRouter, Request, Response

from bullscows_web.guess.daily import FIRST
from bullscows_web.home.stored_string import StoredGuess, first_stored
from bullscows_web.language.words import BULLS_COWS, MASTERMIND
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.position import GamePosition
from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)

SECRET = "4271"
"""The secret of the examples."""
STORED = 4
"""How many guesses of a string are taken apart."""


@dataclass(frozen=True)
class AboutPage:
    """How it works."""

    library: Library
    """The trees of this server."""

    @cached_property
    def entry(self) -> Entry | None:
        """The tree of the examples: the first of Bulls & Cows."""
        return next((entry for entry in self.library if entry.rules == BULLS_COWS), None)

    @cached_property
    def game(self) -> GamePosition | None:
        """A game of that tree at its end."""
        if self.entry is None:
            return None
        return GamePosition.at_end(self.entry, self.entry.rules.parse_code(SECRET))

    @cached_property
    def stored(self) -> Sequence[StoredGuess]:
        """The beginning of that tree's string."""
        return first_stored(self.entry, STORED) if self.entry else ()

    @property
    def first_day(self) -> date:
        """The first day that has a puzzle."""
        return FIRST

    @property
    def proved(self) -> list[Entry]:
        """The proved trees of the two games that everybody knows."""
        return [
            entry
            for entry in self.library
            if entry.record.is_optimal and entry.rules in (BULLS_COWS, MASTERMIND)
        ]


@router.get("/about")
def show(request: Request, library: LibraryDep) -> Response:
    """Tell the rules, what optimal means, and where it all comes from."""
    return respond(request, "home/about.html", AboutPage(library), section="about", lasting=True)
