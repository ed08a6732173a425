"""A tree page with `?secret=0123`: the turns in which the tree finds that code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import Request, Response

from app.contexts import NodePage
from app.library import Entry, Library
from app.pages.render import respond
from app.position import Position
from app.relabelling import Relabelling
from engine.game.rules import CodeError, CodeIndex


@dataclass(frozen=True)
class PathPage(NodePage):
    """The turns in which a tree finds a code; `position` is the end, or the root if there is none.

    `turns` are those of the whole tree.
    """

    typed: str
    """The code as it was typed."""
    found: bool
    """Whether that is a code of the game."""
    elsewhere: Sequence[tuple[Entry, int]]
    """The other trees of the game, with the turn at which each finds the code."""


def show(request: Request, library: Library, root: Position, typed: str) -> Response:
    """Show the path to a code, or say beside the field that it is none."""
    entry = root.entry
    turns = entry.record.turns
    try:
        secret = entry.rules.parse_code(typed)
    except CodeError:
        page = PathPage(root, turns, typed, False, ())
        return respond(request, "trees/path.html", page, section="trees", status=422)
    others = [
        (other, path_to(other, secret).turn)
        for other in library
        if other.rules == entry.rules and other is not entry
    ]
    page = PathPage(path_to(entry, secret), turns, typed, True, others)
    return respond(request, "trees/path.html", page, section="trees", lasting=True)


def path_to(entry: Entry, secret: CodeIndex) -> Position:
    """Return the end of the game in which the tree guesses a code."""
    nodes = entry.tree.play(secret)
    answers = [entry.rules.respond(node.guess, secret) for node in nodes]
    return Position.at_root(entry, Relabelling.identity(entry.rules)).after(*answers)
