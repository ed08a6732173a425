"""What a handler says of its answer to the layers around it, beside the answer itself."""

from __future__ import annotations

from starlette.types import Scope


def mark_lasting(scope: Scope) -> None:
    """Say that the answer follows from address and document alone, while the process lives."""
    scope["is_lasting"] = True


def is_lasting(scope: Scope) -> bool:
    """Whether the answer was marked so: its copy may be sent to the next who asks."""
    return "is_lasting" in scope


def mark_guess(scope: Scope, tree: str) -> None:
    """Say that the answer shows a guess of a tree, which is counted."""
    scope["guess_of"] = tree


def guess_of(scope: Scope) -> str:
    """Return the tree whose guess the answer shows; empty if it shows none."""
    return str(scope.get("guess_of", ""))
