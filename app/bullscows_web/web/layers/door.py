"""The one layer between the server and the routes.

Around a route stand a clock, the guard, the copies, what makes HEAD of GET, the last resort against
errors that nobody foresaw, and the headers of security.  Each would be a layer of its own, and each
layer wraps what is sent once more; together they are wrapped once.  Compression is Starlette's, and
stands inside, so that copies are kept compressed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from time import perf_counter

from fastapi import Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bullscows_web.server.logs import FIELDS, REQUESTS
from bullscows_web.web.errors.handling import last_resort
from bullscows_web.web.html.frame import wants_fragment
from bullscows_web.web.layers.copies import LARGEST, Copies, Copy, key_of, sent_along
from bullscows_web.web.layers.guard import PREFLIGHT, check, is_preflight, limited
from bullscows_web.web.layers.headers import (
    HEADERS,
    SHARED,
    TRANSPORT,
    RawHeaders,
    is_shared,
    raw,
    with_head,
)
from bullscows_web.web.marks import guess_of, is_lasting
from bullscows_web.web.metrics import Metrics, RouteClass, Store

requests = logging.getLogger(REQUESTS)


class Door:
    """Answers from a copy, refuses, or asks the application; times and completes every answer.

    Parameters
    ----------
    app
        The application.
    metrics
        Where requests are counted.
    hosts
        The names to answer to; see `bullscows_web.web.layers.guard.is_host`.
    behind_tls
        Whether visitors come by HTTPS, and are to go on doing so.
    logs_requests
        Whether to write a line on each request; see `bullscows_web.server.logs`.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: Metrics,
        hosts: Sequence[str],
        behind_tls: bool,
        logs_requests: bool = False,
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._hosts = tuple(hosts)
        self._logs_requests = logs_requests
        # Two, so that whoever asks for many pages moves out no file.
        self._copies: dict[Store, Copies] = {"pages": Copies(), "files": Copies()}
        own = raw(HEADERS | ({"Strict-Transport-Security": TRANSPORT} if behind_tls else {}))
        self._headers = {False: own, True: own + raw(SHARED)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        headers = dict(reversed(scope["headers"]))  # of doubled ones the first, as the routes do
        answer = _Answer(scope, send, self._headers[is_shared(scope["path"])])
        try:
            refusal = check(scope, self._hosts)
            if refusal is not None:
                await last_resort(Request(scope), refusal)(scope, receive, answer.send)
            elif is_preflight(scope, headers):
                await Response(status_code=204, headers=PREFLIGHT)(scope, receive, answer.send)
            else:
                await self._answer(scope, headers, receive, answer)
        finally:
            scope["method"] = answer.method
            self._count(scope, headers, answer, perf_counter() - started)

    async def _answer(
        self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, answer: _Answer
    ) -> None:
        """Answer what is not refused: from a copy, or by the application."""
        document, receive = await sent_along(scope, headers, receive)
        key = key_of(scope, headers, document)
        store: Store = "files" if scope["path"].startswith("/static/") else "pages"
        copies = self._copies[store]
        copy = copies.find(key)
        if copy is not None and copy.answers(headers):
            self._metrics.count_copy(store, is_hit=True)
            await answer.repeat(copy, headers)
            return
        if scope["method"] == "HEAD":
            scope["method"] = "GET"  # in place: a copy would keep the route from those outside
        await self._ask(scope, limited(receive), answer)
        copy = self._copy(scope, answer)
        if key is not None and copy is not None:
            self._metrics.count_copy(store, is_hit=False)
            copies.keep(key, copy)

    async def _ask(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        """Let the application answer; answer for it if it fails before it has begun to.

        Starlette's own last resort stands outside all layers, so its answer would lack the headers.
        """
        try:
            await self._app(scope, receive, answer.send)
        except Exception as error:
            if answer.status:
                raise
            await last_resort(Request(scope), error)(scope, receive, answer.send)

    def _copy(self, scope: Scope, answer: _Answer) -> Copy | None:
        """Return the copy of an answer of the application, if it is the same for all who ask."""
        body = answer.body
        if answer.status not in (200, 304) or body is None or not is_lasting(scope):
            return None
        tag = next((value for name, value in answer.headers if name == b"etag"), b"")
        told = tag.decode("latin-1"), _route(scope), _class(scope, answer), guess_of(scope)
        if answer.status == 304:
            return Copy(answer.headers, None, *told)
        length = (b"content-length", str(len(body)).encode())
        headers = [header for header in answer.headers if header[0] != length[0]]
        return Copy([*headers, length], body, *told)

    def _count(
        self, scope: Scope, headers: Mapping[bytes, bytes], answer: _Answer, seconds: float
    ) -> None:
        """Count the request, and its guess if somebody saw it: a service worker does not."""
        copy, status = answer.copy, answer.status or 500
        route = copy.route if copy else _route(scope)
        class_ = copy.class_ if copy else _class(scope, answer)
        self._metrics.observe(class_, answer.method, route, status, seconds)
        if self._logs_requests:
            told = answer.method, class_, route, status, round(1000 * seconds, 3)
            requests.info("", extra=dict(zip(FIELDS, told, strict=True)))
        tree = copy.tree if copy else guess_of(scope)
        if tree and headers.get(b"purpose") != b"prefetch":
            self._metrics.count_guess(tree)


class _Answer:
    """What is sent, completed by headers, and without its body if HEAD was asked for."""

    __slots__ = (
        "_pieces",
        "_scope",
        "_security",
        "_send",
        "_size",
        "body",
        "copy",
        "headers",
        "method",
        "status",
    )

    def __init__(self, scope: Scope, send: Send, security: RawHeaders) -> None:
        self._scope = scope
        self._send = send
        self._security = security
        self._pieces: list[bytes] = []
        self._size = 0
        self.method: str = scope["method"]
        self.status = 0
        """The status; 0 before the answer has begun."""
        self.headers: RawHeaders = []
        self.body: bytes | None = None
        """All of it, once it was sent, if it lasts and may be kept."""
        self.copy: Copy | None = None
        """The copy that was sent."""

    async def send(self, message: Message) -> None:
        """Pass on what the application sends."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = with_head(message.get("headers", ())) + self._security
            message["headers"] = self.headers
            self._scope["method"] = self.method  # the server reads it: after HEAD no body follows
        elif message["type"] == "http.response.body":
            self._note(message)
            if self.method == "HEAD":
                message = {**message, "body": b""}
        await self._send(message)

    def _note(self, message: Message) -> None:
        """Add up what lasts, unless it is too large to be kept."""
        if not is_lasting(self._scope):
            return
        self._size += len(message.get("body", b""))
        if self._size <= LARGEST:
            self._pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                self.body = b"".join(self._pieces)

    async def repeat(self, copy: Copy, headers: Mapping[bytes, bytes]) -> None:
        """Send a copy, or only that nothing has changed."""
        is_known = copy.is_known(headers)
        self.copy, self.status = copy, 304 if is_known else 200
        start = copy.unchanged() if is_known else copy.headers
        body = b"" if is_known or self.method == "HEAD" else copy.body or b""
        await self._send({"type": "http.response.start", "status": self.status, "headers": start})
        await self._send({"type": "http.response.body", "body": body})


def _route(scope: Scope) -> str:
    """Return the template of the route that answered; files and strays share one label each."""
    return str(getattr(scope.get("route"), "path", None) or "none")


def _class(scope: Scope, answer: _Answer) -> RouteClass:
    """Return the class of an answer, for the counters; only pages are in a language."""
    if not 200 <= answer.status < 400:
        return "error"
    if is_shared(scope["path"]):
        return "api"
    if scope["path"].startswith("/static/"):
        return "static"
    if not any(name == b"content-language" for name, _ in answer.headers):
        return "other"
    is_part = any(name == b"hx-request" for name, _ in scope["headers"])
    return "fragment" if is_part and wants_fragment(Request(scope)) else "page"
