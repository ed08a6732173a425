"""Routes that call simple endpoints without FastAPI's dependency injection, which takes 0.03 ms."""

from __future__ import annotations

import re
from functools import partial
from inspect import iscoroutinefunction
from typing import Any, get_type_hints

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Message, Receive, Scope, Send


class DirectRoute(APIRoute):
    """Route that calls its endpoint with valid arguments, and leaves errors to FastAPI.

    The endpoint is a coroutine function that takes the request, returns a response, and needs no
    dependencies.  All other endpoints are called by FastAPI.  A body has to be labelled as JSON.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        *_, self._short, self._long = sorted(("", *re.split(r"\{.*?\}", self.path)), key=len)
        self._needs = needs = self.dependant  # codespell:ignore
        returned = get_type_hints(self.endpoint).get("return")
        self._is_direct = returned is Response and iscoroutinefunction(self.endpoint)
        self._is_direct &= bool(needs.request_param_name) and not needs.response_param_name
        self._is_direct &= not (needs.dependencies or needs.header_params or needs.cookie_params)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the path, but first look for its fixed parts: routes are tried one by one."""
        has_parts = self._long in scope["path"] and self._short in scope["path"]
        return super().matches(scope) if has_parts else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive, send)
        is_allowed = scope["method"] in (self.methods or ())
        if is_allowed and self.body_field:
            await _check_json(request)
            receive = partial(_body, request)
        is_direct = is_allowed and self._is_direct
        if is_direct and (values := await self._values(request)) is not None:
            await (await self.endpoint(**values))(scope, receive, send)
        else:
            await super().handle(scope, receive, send)

    async def _values(self, request: Request) -> dict[str, Any] | None:
        """Return the arguments of the endpoint, or None if one is missing or invalid."""
        needs = self._needs
        values: dict[str, Any] = {needs.request_param_name or "request": request}
        found = [(field, request.path_params[field.alias]) for field in needs.path_params]
        query = request.query_params if needs.query_params else {}
        found += [(field, query.get(field.alias, field.default)) for field in needs.query_params]
        try:
            found += [(field, await request.json()) for field in needs.body_params]
        except Exception:  # FastAPI reads it again and reports the error
            return None
        for field, value in found:
            values[field.name], errors = field.validate(value, loc=())
            if errors:
                return None
        return values


async def _body(request: Request) -> Message:
    """Receive the body of a request, also if it has been read."""
    return {"type": "http.request", "body": await request.body()}


async def _check_json(request: Request) -> None:
    """Reject a body that is not labelled as JSON; FastAPI would report it as a string."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = kind == "application/json" or re.fullmatch(r"application/.+\+json", kind)
    if not is_json and await request.body():
        raise HTTPException(415, "The body must be JSON: send Content-Type: application/json.")
