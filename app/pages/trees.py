"""The pages of the trees: all of them, and any node of one."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.contexts import NodePage, TreesPage
from app.deps import LibraryDep
from app.pages.render import respond
from app.pages.start import games
from app.position import GameOverError, Position

router = APIRouter()


@router.get("/trees")
def index(request: Request, library: LibraryDep) -> Response:
    """List the trees with their figures."""
    page = TreesPage(games(library), sorted(library.failed))
    return respond(request, "trees.html", page, section="trees")


@router.get("/trees/{tree}")
@router.get("/trees/{tree}/{answers}")
def node(request: Request, library: LibraryDep, tree: str, answers: str = "") -> Response:
    """Show one node; htmx is given its children alone."""
    position = Position.parse(library, tree, "0", answers)
    if position.is_finished:
        raise GameOverError(position)
    page = NodePage(position, position.entry.turns(position.node))
    return respond(request, "node.html", page, section="trees", block="children")
