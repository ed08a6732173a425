"""Parts of a request that many routes read: settings, metrics, a turn in the queue, form, client.

Dependencies are coroutines although they await nothing: FastAPI would run functions in a thread,
which takes longer than their work.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from ipaddress import ip_address, ip_network
from typing import Annotated, Any, cast
from urllib.parse import parse_qsl

from fastapi import Depends, Query, Request

from bullscows.game.rules import Rules
from bullscows_web.server.settings import Settings
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.queue import WorkQueue


def of_app(name: str) -> Any:
    """Return the dependency on what the application has under a name in its state."""

    async def read(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(read)


SettingsDep = Annotated[Settings, of_app("settings")]
MetricsDep = Annotated[Metrics, of_app("metrics")]
QueueDep = Annotated[WorkQueue, of_app("queue")]


async def take_turn(queue: QueueDep) -> AsyncIterator[None]:
    """Wait for a turn in the queue, and hold it while the handler runs."""
    async with queue.turn():
        yield


IN_TURN = Depends(take_turn, scope="function")
"""Queue for expensive pages."""


async def read_form(request: Request) -> dict[str, str]:
    """Return the form fields of the body; no URL and no log has them."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace")))


FormDep = Annotated[dict[str, str], Depends(read_form)]


def client_of(request: Request) -> str:
    """Return the network that counts as one client: an IPv4 address, or /64 of IPv6."""
    address = request.client.host if request.client else ""
    try:
        found = ip_address(address)
    except ValueError:  # a socket file, or a test
        return address
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else address


def is_copy(request: Request) -> bool:
    """Return whether our service worker asks, for a copy to be read offline: nobody sees it now."""
    return (b"purpose", b"prefetch") in request.scope["headers"]


def count_guess(request: Request, tree: str) -> None:
    """Count a guess of a tree that the response shows, unless it is a copy to be read offline."""
    if not is_copy(request):
        cast(Metrics, request.app.state.metrics).guesses.labels(tree).inc()


def pegs_in(fields: Mapping[str, str], rules: Rules) -> str | None:
    """Return the code that was chosen peg by peg: the fields `peg1`, `peg2`, ... of a form.

    `_` stands for a place without a peg; None if no place has one.
    """
    places = range(1, rules.positions + 1)
    pegs = [fields.get(f"peg{place}", "")[:1] for place in places]
    return "".join(peg or "_" for peg in pegs) if any(pegs) else None


WordQuery = Annotated[str, Query(max_length=20)]
"""A word of a query, such as an answer."""
TextQuery = Annotated[str, Query(max_length=100)]
"""A longer text of a query, such as the name of a tree."""
GuessQuery = Annotated[str | None, Query(max_length=100)]
"""The guess that a visitor typed."""


def guess_in(request: Request, rules: Rules, typed: str | None) -> str | None:
    """Return the guess in a query, typed or chosen peg by peg; None if there is neither."""
    return pegs_in(request.query_params, rules) if typed is None else typed


def typed_code(fields: Mapping[str, str], rules: Rules, name: str) -> str:
    """Return the code that a form has as text or peg by peg, at most 100 characters."""
    text = fields.get(name) or pegs_in(fields, rules) or ""
    return "".join(text.split()).lower()[:100]
