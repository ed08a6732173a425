"""Two trees side by side at the same node: `/compare/NAME/NAME/ANSWERS`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows_web.statistics.compare.comparison import Comparison
from bullscows_web.statistics.compare.pages import ChoosePage, ComparePage
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.trees.library import Entry, Library
from bullscows_web.trees.links import comparison_path
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond

router = APIRouter(dependencies=[IN_TURN], include_in_schema=False)

Name = Annotated[str, Query(max_length=100)]


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
    return respond(request, "statistics/compare/page.html", page, section="trees", lasting=True)


def _choices(
    request: Request, library: Library, refused: tuple[Entry, Entry] | None = None
) -> Response:
    several = [game for game in library.games if len(game.entries) > 1]
    page = ChoosePage(several, refused)
    status = 409 if refused else 200
    return respond(request, "statistics/compare/choose.html", page, section="trees", status=status)
