"""FastAPI dependencies of all pages: settings, metrics, a turn in the queue, the pegs of a form.

They are coroutines although they await nothing: FastAPI would run functions in a thread, which
takes longer than their work.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, cast
from urllib.parse import parse_qsl

from fastapi import Depends, Request

from bullscows.game.rules import Rules
from bullscows_web.server.settings import Settings
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.queue import WorkQueue


def of_state(name: str) -> Any:
    """Return the dependency on a part of the server: an attribute of the application's state."""

    async def get(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(get)


def queue_of(request: Request) -> WorkQueue:
    """Return the queue of expensive work."""
    return cast(WorkQueue, request.app.state.queue)


async def take_turn(request: Request) -> AsyncIterator[None]:
    """Wait for a turn in the queue, and hold it while the handler runs."""
    async with queue_of(request).turn():
        yield


IN_TURN = Depends(take_turn, scope="function")
"""Queue for expensive pages."""


async def read_form(request: Request) -> dict[str, str]:
    """Return the form fields of the body; no URL and no log has them."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace")))


FormDep = Annotated[dict[str, str], Depends(read_form)]
SettingsDep = Annotated[Settings, of_state("settings")]
MetricsDep = Annotated[Metrics, of_state("metrics")]
QueueDep = Annotated[WorkQueue, of_state("queue")]


def is_copy(request: Request) -> bool:
    """Return whether our service worker asks, for a copy to be read offline: nobody sees it now."""
    return (b"purpose", b"prefetch") in request.scope["headers"]


def count_guess(request: Request, tree: str) -> None:
    """Count a guess of a tree that the response shows, unless it is a copy to be read offline."""
    if not is_copy(request):
        cast(Metrics, request.app.state.metrics).count_guess(tree)


def pegs_in(fields: Mapping[str, str], rules: Rules) -> str | None:
    """Return the code that was chosen peg by peg: the fields `peg1`, `peg2`, ... of a form.

    `_` stands for a place without a peg; None if no place has one.
    """
    places = range(1, rules.positions + 1)
    pegs = [fields.get(f"peg{place}", "")[:1] for place in places]
    return "".join(peg or "_" for peg in pegs) if any(pegs) else None


def typed_code(fields: Mapping[str, str], rules: Rules, name: str) -> str:
    """Return the code that a form has as text or peg by peg, at most 100 characters."""
    text = fields.get(name) or pegs_in(fields, rules) or ""
    return "".join(text.split()).lower()[:100]
