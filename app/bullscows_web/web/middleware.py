"""ASGI middleware that has no stock equivalent, and checks of every request.

Header values follow the recommendations of OWASP and MDN.  Pages load nothing from other hosts and
run no inline script, so the content policy starts from nothing.

Forms of other sites are recognised by `Sec-Fetch-Site` or `Origin`, like in Go's standard library
(see https://words.filippo.io/csrf): no token is needed.  The API may be used by the pages of any
site: it reads no cookies, so a browser adds nothing to a forged request.
"""

from __future__ import annotations

import logging
from time import perf_counter

from fastapi import Request
from fastapi.middleware.cors import CORSMiddleware
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bullscows_web.server.http_server import FIELDS, REQUESTS
from bullscows_web.server.settings import MAX_BODY, MAX_HOST, MAX_URL
from bullscows_web.web.exceptions import RefusedError
from bullscows_web.web.frame import is_embedded, wants_fragment
from bullscows_web.web.metrics import Metrics, RouteClass

requests = logging.getLogger(REQUESTS)

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
        "worker-src 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, forms over plain HTTP have no origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
IN_FRAMES = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": CONTENT_POLICY.replace("ancestors 'none'", "ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",  # for sites that ask their frames for it
}
"""Those of pages that other sites may show in a frame: such pages read no cookies."""
TRANSPORT = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}


class HttpMiddleware:
    """Base of middleware that answers HTTP requests; start and end of the server pass through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass on what is none."""
        answer = self.answer if scope["type"] == "http" else self.app
        await answer(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        raise NotImplementedError


class SecurityHeaders(HttpMiddleware):
    """Security headers of every response; with `behind_tls` that of HTTPS too."""

    def __init__(self, app: ASGIApp, *, behind_tls: bool) -> None:
        super().__init__(app)
        transport = TRANSPORT if behind_tls else {}
        self._headers = Headers(HEADERS | transport).raw
        self._in_frames = Headers(IN_FRAMES | transport).raw

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = self._in_frames if is_embedded(scope["path"]) else self._headers

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        await self.app(scope, receive, send_with_headers)


class HttpsScheme(HttpMiddleware):
    """Set the scheme of every request to that of visitors, for a server whose proxy ends TLS.

    Links, redirects and cookies depend on it.
    """

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        scope["scheme"] = "https"
        await self.app(scope, receive, send)


class ApiSharing(HttpMiddleware):
    """CORS for the API, which reads no cookies, so a browser adds nothing to a forged request."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._shared = CORSMiddleware(
            app,
            allow_origins=["*"],
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["Authorization", "Idempotency-Key", "If-None-Match"],
            expose_headers=["ETag", "Location", "Retry-After"],
            max_age=86_400,
        )

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        answer = self._shared if is_shared(scope["path"]) else self.app
        await answer(scope, receive, send)


class BodyLimit(HttpMiddleware):
    """Size limit of request bodies: reading a longer one raises `HTTPException`.

    The limit of Starlette replaces the response, a problem document or a page, by plain text.
    """

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        announced = int(Headers(scope=scope).get("content-length", 0))  # digits, says uvicorn
        size = 0

        async def receive_within_limit() -> Message:
            nonlocal size
            if announced <= MAX_BODY:
                message = await receive()
                size += len(message.get("body", b""))
            if max(announced, size) > MAX_BODY:
                raise HTTPException(413, f"A request's body here has at most {MAX_BODY} bytes.")
            return message

        await self.app(scope, receive_within_limit, send)


class HeadAsGet(HttpMiddleware):
    """Answer HEAD like GET; the server itself drops the body."""

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        try:
            await self.app(asked, receive, send)
        finally:
            scope["route"] = asked.get("route")  # for the metrics


class RequestMetrics(HttpMiddleware):
    """Count and time each request, and log it if the log is JSON."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, logs_requests: bool) -> None:
        super().__init__(app)
        self._metrics = metrics
        self._logs_requests = logs_requests

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        started = perf_counter()
        status = 500  # that of an exception before the response
        headers = Headers()

        async def observe(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = Headers(raw=message.get("headers", []))
            await send(message)

        try:
            await self.app(scope, receive, observe)
        finally:
            self._count(scope, _class(scope, status, headers), status, perf_counter() - started)

    def _count(self, scope: Scope, class_: RouteClass, status: int, seconds: float) -> None:
        # The template of the route; files and unknown addresses share one label each.
        route = str(getattr(scope.get("route"), "path", None) or "none")
        self._metrics.observe(class_, scope["method"], route, status, seconds)
        if self._logs_requests:
            values = scope["method"], class_, route, status, round(1000 * seconds, 3)
            requests.info("request", extra=dict(zip(FIELDS, values, strict=True)))


def _class(scope: Scope, status: int, headers: Headers) -> RouteClass:
    """Return the class of a response; only pages have a language."""
    if not 200 <= status < 400:
        return "error"
    if is_shared(scope["path"]):
        return "api"
    if scope["path"].startswith("/static/"):
        return "static"
    if "content-language" not in headers:
        return "other"
    return "fragment" if wants_fragment(Request(scope)) else "page"


# -- checks ------------------------------------------------------------------------------------


async def check_request(request: Request) -> None:
    """Raise `RefusedError` if the address is too long, or a page of another site sent a form.

    Raises `HTTPException` if the body is too long, also where no handler reads it.
    """
    if len(request.headers.get("host", "")) > MAX_HOST:
        raise RefusedError("address", 400, f"A host name here has at most {MAX_HOST} characters.")
    if len(request.scope["raw_path"] or b"") + len(request.scope["query_string"]) > MAX_URL:
        raise RefusedError("address", 414, f"An address here has at most {MAX_URL} characters.")
    is_form = request.method != "GET" and not is_shared(request.scope["path"])
    if is_form and is_cross_site(request.headers):
        raise RefusedError("cross-site", 403, "This request was made by the page of another site.")
    await request.body()  # too long a body ends the request here, not in the middle of a file


def is_shared(path: str) -> bool:
    """Return whether the pages of other sites may request this path and read the response."""
    return path.startswith("/api/") or path == "/openapi.json"


def is_cross_site(headers: Headers) -> bool:
    """Return whether a browser says that a page of another origin made the request.

    Other clients send neither header, and need no protection from forged requests.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")
