"""Two trees side by side at the same node: `/compare/NAME/NAME/ANSWERS`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from app.comparison import Comparison, Parting
from app.contexts import Game
from app.deps import IN_TURN, LibraryDep
from app.library import Entry, Library
from app.pages.render import frame_of, respond
from app.pages.start import games
from app.words import has_pegs
from engine.game.rules import Answer, Rules

router = APIRouter(dependencies=[IN_TURN])

SHOWN = 24
"""The most partings that a page lists."""
Name = Annotated[str, Query(max_length=100)]


@dataclass(frozen=True)
class ChoosePage:
    """Which two trees to compare."""

    games: Sequence[Game]
    """The games that have two trees."""
    refused: tuple[Entry, Entry] | None = None
    """Two trees that play different games."""


@dataclass(frozen=True)
class ComparePage:
    """Two trees at the same answers."""

    comparison: Comparison
    """The trees."""
    partings: Sequence[Parting]
    """Where the guesses differ first, from here on."""

    @property
    def names(self) -> tuple[str, str]:
        """The trees' names."""
        first, second = self.comparison.sides
        return first.entry.name, second.entry.name

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.comparison.sides[0].entry.rules

    @property
    def pegs(self) -> bool:
        """Whether codes are shown as pegs."""
        return has_pegs(self.rules)

    @property
    def turn(self) -> int:
        """The turn to play."""
        return len(self.comparison.answers) + 1

    @property
    def listed(self) -> Sequence[Parting]:
        """As many of the partings as a page shows."""
        return self.partings[:SHOWN]

    def path(self, *more: Answer, turns: int | None = None) -> str:
        """Return the path of this comparison after so many of its turns, and more answers."""
        steps = [self.rules.answers[answer] for answer in self.comparison.answers[:turns]]
        return comparison_path(*self.names, "-".join(map(str, (*steps, *more))))

    def link(self, parting: Parting) -> str:
        """Return the path of the comparison where the trees part."""
        return comparison_path(*self.names, "-".join(parting.position.parts[2:]))


def comparison_path(first: str, second: str, answers: str) -> str:
    """Return the path of a comparison, without its language."""
    return "/".join(("/compare", first, second, *filter(None, [answers])))


@router.get("/compare")
def choose(
    request: Request,
    library: LibraryDep,
    first: Name = "",
    second: Name = "",
    answers: Annotated[str, Query(max_length=400)] = "",
) -> Response:
    """Let the visitor choose two trees; a choice leads to its own address."""
    if not (first and second):
        return _choices(request, library)
    one, other = library.tree(first), library.tree(second)
    if one.rules == other.rules:
        path = ComparePage(Comparison.of(library, one, other, answers), ()).path()
    else:
        path = comparison_path(one.name, other.name, "")  # where no answer means anything
    return RedirectResponse(frame_of(request, "trees").url(path), 303)


@router.get("/compare/{first}/{second}")
@router.get("/compare/{first}/{second}/{answers}")
def show(
    request: Request, library: LibraryDep, first: str, second: str, answers: str = ""
) -> Response:
    """Show two trees at the same answers."""
    one, other = library.tree(first), library.tree(second)
    if one.rules != other.rules:
        return _choices(request, library, (one, other))
    comparison = Comparison.of(library, one, other, answers)
    page = ComparePage(comparison, comparison.partings())
    return respond(request, "compare/page.html", page, section="trees", lasting=True)


def _choices(
    request: Request, library: Library, refused: tuple[Entry, Entry] | None = None
) -> Response:
    several = [game for game in games(library) if len(game.entries) > 1]
    page = ChoosePage(several, refused)
    status = 409 if refused else 200
    return respond(request, "compare/choose.html", page, section="trees", status=status)
