"""What handlers ask for: the things that live as long as the server, and the position of a URL.

These and the handlers are coroutines although they await nothing: a plain function would be sent
to another thread, which takes longer than its work does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, cast

from fastapi import Depends, Path, Request

from app.analyst import Desk
from app.exports import Exports
from app.library import Entry, Library
from app.metrics import Metrics
from app.position import Position
from app.settings import Settings
from app.workshop import Workshop


async def get_settings(request: Request) -> Settings:
    """Return the server's settings."""
    return cast(Settings, request.app.state.settings)


async def get_library(request: Request) -> Library:
    """Return the trees opened at start."""
    return cast(Library, request.app.state.library)


async def get_metrics(request: Request) -> Metrics:
    """Return the server's counters."""
    return cast(Metrics, request.app.state.metrics)


async def get_desk(request: Request) -> Desk:
    """Return where positions are handed in to be analysed."""
    return cast(Desk, request.app.state.desk)


async def get_exports(request: Request) -> Exports:
    """Return where files of whole trees are."""
    return cast(Exports, request.app.state.exports)


async def get_workshop(request: Request) -> Workshop:
    """Return where dear things are made."""
    return cast(Workshop, request.app.state.workshop)


async def take_turn(request: Request) -> AsyncIterator[None]:
    """Wait for a turn in the workshop, and hold it while the handler runs."""
    async with cast(Workshop, request.app.state.workshop).turn():
        yield


IN_TURN = Depends(take_turn, scope="function")
"""For pages that are dear: the next one is made when this one is, and before it is sent."""

SettingsDep = Annotated[Settings, Depends(get_settings)]
LibraryDep = Annotated[Library, Depends(get_library)]
MetricsDep = Annotated[Metrics, Depends(get_metrics)]
DeskDep = Annotated[Desk, Depends(get_desk)]
ExportsDep = Annotated[Exports, Depends(get_exports)]
WorkshopDep = Annotated[Workshop, Depends(get_workshop)]


async def get_entry(library: LibraryDep, tree: Annotated[str, Path(max_length=100)]) -> Entry:
    """Return the tree that the URL names."""
    return library.tree(tree)


def is_copy(request: Request) -> bool:
    """Return whether our service worker asks, for a copy to be read offline: nobody sees it now."""
    return request.headers.get("purpose") == "prefetch"


async def get_position(
    request: Request,
    library: LibraryDep,
    metrics: MetricsDep,
    tree: str,
    token: str,
    answers: str = "",
) -> Position:
    """Return the position of a page's URL, `/play/{tree}/{token}/{answers}`, and count its guess.

    The two shapes of the URL, with and without answers, share this dependency.  A copy shows nobody
    a guess.
    """
    position = Position.parse(library, tree, token, answers)
    if not is_copy(request):
        metrics.count_guess(position)
    return position


EntryDep = Annotated[Entry, Depends(get_entry)]
PositionDep = Annotated[Position, Depends(get_position)]
