"""What every answer says to browsers, and what no request may be: too large, or forged elsewhere.

Header values follow OWASP's and MDN's recommendations.  Pages load nothing from other hosts and
run no inline script, so the content policy starts from nothing.

Requests forged by other sites are told by what browsers say of themselves, `Sec-Fetch-Site` or
`Origin`, as Go's standard library does (see https://words.filippo.io/csrf): no token is needed.

The API is for the pages of any site (`is_shared`): it knows no visitor, so it takes no credentials,
and it keeps nothing, so there is nothing that a forged request could change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastapi import Request, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.limits import MAX_BODY, MAX_URL
from app.web.errors.handling import respond

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

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
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
TRANSPORT = "max-age=31536000; includeSubDomains"
SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Location, Retry-After",
}
"""What lets the pages of other sites read an answer."""
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
"""What browsers are told that ask before they send another site's request."""


def is_shared(path: str) -> bool:
    """Whether the pages of other sites may ask for this and read the answer."""
    return path.startswith("/api/") or path == "/openapi.json"


class SecurityHeaders:
    """Adds the headers to every answer, errors and files included."""

    def __init__(self, app: ASGIApp, *, behind_tls: bool) -> None:
        self._app = app
        self._headers = dict(HEADERS)
        if behind_tls:
            self._headers["Strict-Transport-Security"] = TRANSPORT

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add the headers when the answer begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = self._headers | (SHARED if is_shared(scope["path"]) else {})

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        await self._app(scope, receive, add)


class RequestGuard:
    """Refuses requests for other hosts, too large ones, and those from another site's page."""

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str] = ("*",)) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for the application if the request is refused."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = check(scope, self._hosts)
        if refusal is None and is_preflight(scope):
            await Response(status_code=204, headers=PREFLIGHT)(scope, receive, send)
        elif refusal is None:
            await self._app(scope, limited(receive), send)
        else:
            await respond(Request(scope), refusal)(scope, receive, send)


def check(scope: Scope, hosts: Sequence[str] = ("*",)) -> HTTPException | None:
    """Return why a request is refused by its first line and headers, or None."""
    headers = Headers(scope=scope)
    named = headers.getlist("host")
    if len(named) != 1 or not named[0]:
        return HTTPException(400, "A request has to name its host in one Host header.")
    if not is_host(named[0], hosts):
        return HTTPException(400, "This server does not answer to this host name.")
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL:
        return HTTPException(414, f"An address here has at most {MAX_URL} characters.")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or int(length[:20]) > MAX_BODY:
        return _too_large()
    is_forgery = scope["method"] not in SAFE_METHODS and is_cross_site(headers)
    if is_forgery and not is_shared(scope["path"]):
        return HTTPException(403, "This request was made by the page of another site.")
    return None


def is_host(host: str, hosts: Sequence[str]) -> bool:
    """Whether a `Host` header names one of `hosts`; `*` is any, `*.name` any below a name.

    Starlette's middleware for it answers in plain text, which is neither a page nor a problem.
    """
    name = re.sub(r":\d*$", "", host).lower()
    return any(
        known in ("*", name) or (known.startswith("*.") and name.endswith(known[1:]))
        for known in hosts
    )


def is_preflight(scope: Scope) -> bool:
    """Whether a browser asks if it may send a request of another site's page."""
    asks = scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope)
    return asks and is_shared(scope["path"])


def is_cross_site(headers: Headers) -> bool:
    """Whether a browser says that a page of another origin made the request.

    Clients that are no browsers send neither header, and are not what this protects from.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")


def limited(receive: Receive) -> Receive:
    """Return `receive` with a limit on the body, for bodies that don't say their length."""
    received = 0

    async def count() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY:
            raise _too_large()
        return message

    return count


def _too_large() -> HTTPException:
    return HTTPException(413, f"A request's body here has at most {MAX_BODY} bytes.")
