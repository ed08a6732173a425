"""The pages of the trees: all of them, and any node of one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.contexts import TreesPage
from app.deps import IN_TURN, LibraryDep
from app.pages import paths
from app.pages.render import respond
from app.pages.start import games
from app.position import GameOverError, Position
from app.unfolding import TreePage

router = APIRouter()


@router.get("/trees")
def index(request: Request, library: LibraryDep) -> Response:
    """List the trees with their figures."""
    page = TreesPage(games(library), sorted(library.failed))
    return respond(request, "trees/list.html", page, section="trees", lasting=True)


@router.get("/trees/{tree}", dependencies=[IN_TURN])
@router.get("/trees/{tree}/{answers}", dependencies=[IN_TURN])
def node(
    request: Request,
    library: LibraryDep,
    tree: str,
    answers: str = "",
    depth: Annotated[int, Query(ge=1, le=99)] = 1,
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Show one node; htmx is given its children alone.  With a secret, show the path to it."""
    position = Position.parse(library, tree, "0", answers)
    if secret.strip():
        return paths.show(request, library, position.before(1), secret.strip())
    if position.is_finished:
        raise GameOverError(position)
    entry = position.entry
    others = [other for other in library if other.rules == entry.rules and other is not entry]
    page = TreePage(position, entry.turns(position.node), depth, others)
    return respond(
        request, "trees/node.html", page, section="trees", block="children", lasting=True
    )
