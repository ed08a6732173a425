"""FastAPI dependencies on the trees: the library, one tree, exported files.

They are coroutines although they await nothing: FastAPI would run functions in a thread, which
takes longer than their work.
"""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Path, Request

from bullscows_web.trees.exports import Exports
from bullscows_web.trees.library import Entry, Library


def library_of(request: Request) -> Library:
    """Return the trees opened at start."""
    return cast(Library, request.app.state.library)


async def get_library(request: Request) -> Library:
    """Return the same, as a dependency."""
    return library_of(request)


async def get_exports(request: Request) -> Exports:
    """Return the exported trees."""
    return cast(Exports, request.app.state.exports)


LibraryDep = Annotated[Library, Depends(get_library)]
ExportsDep = Annotated[Exports, Depends(get_exports)]


TreePath = Annotated[str, Path(max_length=100, description="Name of a tree.")]


async def get_entry(request: Request, tree: TreePath) -> Entry:
    """Return the tree that the URL names."""
    return library_of(request).tree(tree)


EntryDep = Annotated[Entry, Depends(get_entry)]
