"""The pages of the trees: the list of all, any node of one, and the path to a code."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.notation import read_code
from bullscows.game.rules import CodeError
from bullscows.tree.storage import current_name
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.trees.pages import PathPage, TreePage, TreesPage
from bullscows_web.trees.position import GameOverError, GamePosition
from bullscows_web.web.dependencies import QueueDep
from bullscows_web.web.exceptions import NotFoundError
from bullscows_web.web.frame import address
from bullscows_web.web.rendering import respond

router = APIRouter(include_in_schema=False)
renamed = APIRouter(include_in_schema=False)
"""Pages and files of trees under the names that they had before."""


@renamed.get("/{before:path}/front-{rest:path}")
def renamed_tree(request: Request, before: str, rest: str) -> RedirectResponse:
    """Redirect to the same page or file under the tree's present name."""
    name, *after = f"front-{rest}".split("/")
    if current_name(name) == name:
        raise NotFoundError("tree", name)
    path = "/".join((f"/{before}", current_name(name), *after))
    return RedirectResponse(address(path, request.scope["query_string"].decode("latin-1")), 301)


@router.get("/trees")
def index(request: Request, library: LibraryDep) -> Response:
    """List the trees with their figures."""
    page = TreesPage(library.games, sorted(library.failed))
    return respond(request, "trees/list.html", page, section="trees", versioned=True)


@router.get("/trees/{tree}")
@router.get("/trees/{tree}/{answers}")
async def node(
    request: Request,
    library: LibraryDep,
    queue: QueueDep,
    tree: str,
    answers: str = "",
    depth: Annotated[int, Query(ge=1, le=99)] = 1,
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Show one node; htmx is given its children alone.  With a secret, show the path to it.

    The answers of one node are rendered here and now; more of the tree waits for its turn.
    """
    position = GamePosition.parse(library, tree, "0", answers)
    if typed := secret.strip():
        make = partial(_path, request, library, position.before(1), typed)
        return await queue.make(make)
    if position.is_finished:
        raise GameOverError(position)
    entry = position.entry
    page = TreePage(
        position, entry.tree.distribution_at(position.node), depth, library.others(entry)
    )
    make = partial(
        respond, request, "trees/node.html", page, section="trees", block="children", versioned=True
    )
    return await queue.make(make) if depth > 1 else make()


def _path(request: Request, library: Library, root: GamePosition, typed: str) -> Response:
    """Show the path to a code, or an error at the field if it is not a code."""
    entry = root.entry
    turns = entry.record.distribution
    try:
        secret = read_code(entry.rules, typed)
    except CodeError:
        page = PathPage(root, turns, typed)
        return respond(request, "trees/path.html", page, section="trees", status=422)
    others = [(other, GamePosition.at_end(other, secret).turn) for other in library.others(entry)]
    page = PathPage(GamePosition.at_end(entry, secret), turns, entry.rules.text(secret), others)
    return respond(request, "trees/path.html", page, section="trees", versioned=True)
