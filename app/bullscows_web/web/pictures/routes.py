"""The cards of links: `/pictures/cards/RULES.png?h=0123:0.1-1456:1.1&guess=1748`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.rules import Rules
from bullscows_web.web.caching import FRESH, kept, release
from bullscows_web.web.dependencies import IN_TURN
from bullscows_web.web.histories import read_address
from bullscows_web.web.pictures.card import draw
from bullscows_web.web.static_files import FOREVER

files = APIRouter(include_in_schema=False)


@files.get("/pictures/cards/{rules}.png", dependencies=[IN_TURN])
def card(
    request: Request,
    rules: str,
    h: Annotated[str, Query(max_length=400)] = "",
    guess: Annotated[str, Query(max_length=20)] = "",
    v: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Return the card of a position; under the address that pages give it, it never changes."""
    game = Rules.parse(rules)
    history = read_address(game, h)
    code = game.parse_code(guess) if guess else None
    policy = FOREVER if v == release()[:12] else FRESH
    return kept(request, "", lambda: draw(history, code), "image/png", policy=policy)
