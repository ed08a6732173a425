"""HEAD wherever there is GET: FastAPI, unlike HTTP, takes it for another route.

Registering both methods on each route would list every operation twice in the OpenAPI document,
and forgetting one would show only in production; so the method is handled once, for all routes.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadMiddleware:
    """Answers HEAD as GET without the body, and names HEAD where GET is allowed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, a HEAD request as GET."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_head = scope["method"] == "HEAD"

        async def adapt(message: Message) -> None:
            if message["type"] == "http.response.start":
                if is_head:
                    scope["method"] = "HEAD"  # the server reads it to know that no body follows
                _name_head(MutableHeaders(scope=message))
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        if is_head:
            scope["method"] = "GET"  # in place: a copy would keep the route from those outside
        try:
            await self._app(scope, receive, adapt)
        finally:
            if is_head:
                scope["method"] = "HEAD"  # for those outside who record it


def _name_head(headers: MutableHeaders) -> None:
    allowed = [method.strip() for method in headers.get("allow", "").split(",")]
    if "GET" in allowed and "HEAD" not in allowed:
        headers["Allow"] = ", ".join(["GET", "HEAD", *(m for m in allowed if m != "GET")])
