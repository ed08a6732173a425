"""The short way for what programs ask most, if it is well formed: a game, and an answer in it.

FastAPI's own way to an answer solves the dependencies of a handler, which takes as long as all the
handler does.  It stays the way of everything else, and of whatever the short one can't read: what
is wrong with a request is told in one place only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, cast

from fastapi import Request, Response
from fastapi.routing import APIRoute

from bullscows_web.api.documents import JSON, answered, cacheable
from bullscows_web.api.schemas import AnswerGiven, Session
from bullscows_web.trees.library import Library
from bullscows_web.trees.position import GamePosition

Shortcut = Callable[[Request], Awaitable[Response]]


class ShortRoute(APIRoute):
    """A route that tries its shortcut first, if there is one for its operation."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler."""
        usual = super().get_route_handler()
        operation = self.operation_id or ""
        if operation not in SHORTCUTS:
            return usual

        async def handle(request: Request) -> Response:
            try:
                return await SHORTCUTS[operation](request)
            except Exception:  # the usual way meets it again, and tells what it is
                return await usual(request)

        return handle


async def show_session(request: Request) -> Response:
    """Return a game as it stands."""
    position = _position(request)
    return cacheable(request, position.entry.version, lambda: Session.of(position))


async def answer_session(request: Request) -> Response:
    """Return the game after an answer; raise whatever is wrong with the request."""
    if request.headers.get("content-type") != JSON:
        raise ValueError(JSON)
    given = AnswerGiven.model_validate_json(await request.body())
    return answered(request, _position(request), given)


def _position(request: Request) -> GamePosition:
    library = cast(Library, request.app.state.library)
    return GamePosition.parse_id(library, request.path_params["id"])


SHORTCUTS: dict[str, Shortcut] = {"getSession": show_session, "answerSession": answer_session}
"""The shortcuts, by the operations of the OpenAPI document."""
