"""ASGI middleware around all routes: request checks, security headers, metrics.

It also answers HEAD like GET, answers CORS preflight requests, and turns unexpected exceptions into
error pages.  Compression is Starlette's `GZipMiddleware`, which runs inside this one; routes and
compression see one `Accept-Encoding` (RFC 9110, section 12.5.3), so they agree on each request.

Header values follow the recommendations of OWASP and MDN.  Pages load nothing from other hosts and
run no inline script, so the content policy starts from nothing.

Requests forged by other sites are recognised by `Sec-Fetch-Site` or `Origin`, like in Go's standard
library (see https://words.filippo.io/csrf): no token is needed.  The API may be used by the pages
of any site (`is_shared`): it reads no cookies, so a browser adds nothing to a forged request.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from time import perf_counter

from fastapi import Request, Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bullscows_web.server.processes import FIELDS, REQUESTS
from bullscows_web.server.settings import MAX_BODY, MAX_URL
from bullscows_web.web.errors import RefusedError
from bullscows_web.web.html.frame import wants_fragment
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
TRANSPORT = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Location, Retry-After",
}
"""Headers that let the pages of other sites read a response."""
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Middleware:
    """Middleware around the whole application.

    Answers to the host names that `is_host` accepts; `error_response` makes the response to an
    exception.  `behind_tls` says whether clients reach the server over HTTPS only.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: Metrics,
        error_response: Callable[[Request, Exception], Response],
        hosts: Sequence[str],
        behind_tls: bool,
        logs_requests: bool = False,
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._respond = error_response
        self._hosts = tuple(hosts)
        self._logs_requests = logs_requests
        own = _raw(HEADERS | (TRANSPORT if behind_tls else {}))
        self._headers = {False: own, True: own + _raw(SHARED)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        # For HEAD the server itself drops the body of the response to GET.
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        asked = {**scope, "method": method, "headers": with_one_coding(scope["headers"])}
        headers: RawHeaders = []
        status = 0

        async def complete(message: Message) -> None:
            nonlocal headers, status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = self._headers[is_shared(scope["path"])]
                given = message.get("headers", ())
                headers = [*(map(_with_head, given) if status == 405 else given), *own]
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self._answer(asked, receive, complete)
        except Exception as error:
            if status:
                raise
            await self._respond(Request(asked), error)(asked, receive, complete)
        finally:
            class_ = _class(asked, status, headers)
            self._count(scope["method"], class_, asked, status or 500, perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        check(scope, self._hosts)
        if _is_preflight(scope):
            await Response(status_code=204, headers=PREFLIGHT)(scope, receive, send)
        else:
            await self._app(scope, limited(receive), send)

    def _count(
        self, method: str, class_: RouteClass, scope: Scope, status: int, seconds: float
    ) -> None:
        # The template of the route; files and unknown addresses share one label each.
        route = str(getattr(scope.get("route"), "path", None) or "none")
        self._metrics.observe(class_, method, route, status, seconds)
        if self._logs_requests:
            values = method, class_, route, status, round(1000 * seconds, 3)
            requests.info("request", extra=dict(zip(FIELDS, values, strict=True)))


def _class(scope: Scope, status: int, headers: RawHeaders) -> RouteClass:
    """Return the class of a response; only pages have a language."""
    if not 200 <= status < 400:
        return "error"
    if is_shared(scope["path"]):
        return "api"
    if scope["path"].startswith("/static/"):
        return "static"
    if not any(name == b"content-language" for name, _ in headers):
        return "other"
    return "fragment" if wants_fragment(Request(scope)) else "page"


# -- headers -----------------------------------------------------------------------------------


def is_shared(path: str) -> bool:
    """Return whether the pages of other sites may request this path and read the response."""
    return path.startswith("/api/") or path == "/openapi.json"


def _raw(headers: Mapping[str, str]) -> RawHeaders:
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]


def _with_head(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return a header; one that allows GET allows HEAD."""
    name, value = header
    allowed = [method.strip() for method in value.split(b",")] if name == b"allow" else []
    if b"GET" not in allowed or b"HEAD" in allowed:
        return header
    others = (method for method in allowed if method != b"GET")
    return name, b", ".join([b"GET", b"HEAD", *others])


# -- checks ------------------------------------------------------------------------------------


def check(scope: Scope, hosts: Sequence[str] = ("*",)) -> None:
    """Raise `RefusedError` if the first line or the headers of a request are not acceptable."""
    headers = dict(scope["headers"])
    names = [name for name, _ in scope["headers"]]
    if names.count(b"host") != 1 or not headers[b"host"]:
        raise RefusedError("host", 400, "A request has to name its host in one Host header.")
    if not is_host(headers[b"host"].decode("latin-1"), tuple(hosts)):
        raise RefusedError("host", 400, "This server does not answer to this host name.")
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL:
        raise RefusedError("address", 414, f"An address here has at most {MAX_URL} characters.")
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length[:20]) > MAX_BODY:
        raise _too_large()
    if scope["method"] in SAFE_METHODS or is_shared(scope["path"]):
        return
    if is_cross_site(Headers(scope=scope)):
        raise RefusedError("cross-site", 403, "This request was made by the page of another site.")


@lru_cache(maxsize=64)
def is_host(host: str, hosts: tuple[str, ...]) -> bool:
    """Return whether a `Host` header names one of `hosts`; `*` is any, `*.name` any subdomain.

    Starlette's middleware responds in plain text, which is neither a page nor a problem document.
    """
    name = re.sub(r":\d*$", "", host).lower()
    return any(
        known in ("*", name) or (known.startswith("*.") and name.endswith(known[1:]))
        for known in hosts
    )


def is_cross_site(headers: Headers) -> bool:
    """Return whether a browser says that a page of another origin made the request.

    Other clients send neither header, and need no protection from forged requests.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")


def _is_preflight(scope: Scope) -> bool:
    return (
        scope["method"] == "OPTIONS"
        and is_shared(scope["path"])
        and any(name == b"access-control-request-method" for name, _ in scope["headers"])
    )


def limited(receive: Receive) -> Receive:
    """Return `receive` with a limit on the body, for bodies without `Content-Length`.

    A second call after the refusal raises again, without waiting for the rest of the body.
    """
    received = 0

    async def count() -> Message:
        nonlocal received
        if received > MAX_BODY:
            raise _too_large()
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY:
            raise _too_large()
        return message

    return count


def _too_large() -> RefusedError:
    return RefusedError("body", 413, f"A request's body here has at most {MAX_BODY} bytes.")


RawHeaders = list[tuple[bytes, bytes]]
"""Header names in lower case with their values, the form of ASGI messages."""

_CODING = re.compile(
    r"[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*"
)
"""A content coding with its weight, in small letters."""

_OTHER_NAMES = {"x-gzip": "gzip"}
"""Codings that have a second name (section 8.4.1.3)."""


def with_one_coding(headers: RawHeaders) -> RawHeaders:
    """Return the headers of a request with the preferred coding as their `Accept-Encoding`.

    Several lines count as one list (section 5.3).  Without the header nothing is added.
    """
    lines = [value for name, value in headers if name == b"accept-encoding"]
    if not lines:
        return headers
    preferred = b"gzip" if prefers_gzip(b",".join(lines)) else b"identity"
    others = [header for header in headers if header[0] != b"accept-encoding"]
    return [*others, (b"accept-encoding", preferred)]


@lru_cache(maxsize=256)
def prefers_gzip(accepted: bytes) -> bool:
    """Return whether gzip is acceptable, and no less welcome than no compression.

    `*` stands for what is not listed.  A member of the list that cannot be read is ignored.  If
    the client accepts neither, the answer is not compressed.
    """
    weights: dict[str, float] = {}
    for member in accepted.decode("latin-1").lower().split(","):
        if found := _CODING.fullmatch(member):
            coding, weight = found.groups()
            weights.setdefault(_OTHER_NAMES.get(coding, coding), float(weight or 1))
    gzip = weights.get("gzip", weights.get("*", 0.0))
    return gzip > 0 and gzip >= weights.get("identity", 0.0)
