"""Redirects from a page's address with a slash at its end.

Other addresses with such a slash do not exist.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from bullscows_web.web.html.frame import address


class WithoutSlash(Route):
    """Route of all such addresses that match one of `pages` without the slash."""

    def __init__(self, pages: Sequence[BaseRoute]) -> None:
        super().__init__("/{page:path}/", _lead, include_in_schema=False)
        self._pages = pages

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match if a page matches without the slash."""
        match, child = super().matches(scope)
        if match is Match.FULL and self._has(scope):
            return match, child
        return Match.NONE, {}

    def _has(self, scope: Scope) -> bool:
        page = {**scope, "path": scope["path"].removesuffix("/")}
        return any(route.matches(page)[0] is Match.FULL for route in self._pages)


async def _lead(request: Request) -> RedirectResponse:
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse(address(request.scope["path"].removesuffix("/"), query), 308)
