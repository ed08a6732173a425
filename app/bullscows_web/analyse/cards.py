"""Cards of positions: `/pictures/cards/RULES.png?h=0123:0.1-1456:1.1&guess=1748`.

A search process draws them: to go through the codes of a large game takes half a second.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.history import History
from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.language.catalogues import preferred
from bullscows_web.search.searcher import Searcher
from bullscows_web.search.service import SearchDep
from bullscows_web.web.addresses import read_address
from bullscows_web.web.caching import FOREVER, FRESH, entity_tag, release, unchanged
from bullscows_web.web.pictures.card import draw

files = APIRouter(include_in_schema=False)


@files.get("/pictures/cards/{rules}.png")
async def card(
    request: Request,
    search: SearchDep,
    rules: str,
    h: Annotated[str, Query(max_length=400)] = "",
    guess: Annotated[str, Query(max_length=20)] = "",
    lang: Annotated[str, Query(max_length=20)] = "",
    v: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Return the card of a position; under the address that pages give it, it never changes."""
    game = Rules.parse(rules)
    history = read_address(game, h)
    code = game.parse_code(guess) if guess else None
    policy = FOREVER if v == release()[:12] else FRESH
    headers = {"ETag": entity_tag(request, ""), "Cache-Control": policy}
    if response := unchanged(request, headers):
        return response
    content = await search.run(partial(drawn, history=history, guess=code, language=lang))
    return Response(content, headers=headers, media_type="image/png")


def drawn(_: Searcher, history: History, guess: CodeIndex | None, language: str) -> bytes:
    """Draw a card in a search process; raise `GameTooLargeError` if there are too many codes."""
    return draw(history, guess, preferred(language))
