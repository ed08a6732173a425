"""What no request may be: for another host, too large, or forged elsewhere.

Requests forged by other sites are told by what browsers say of themselves, `Sec-Fetch-Site` or
`Origin`, as Go's standard library does (see https://words.filippo.io/csrf): no token is needed.

The API is for the pages of any site (`is_shared`): it knows no visitor, so it takes no credentials,
and it keeps nothing, so there is nothing that a forged request could change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from bullscows_web.server.limits import MAX_BODY, MAX_URL
from bullscows_web.web.errors.problems import Refusal
from bullscows_web.web.layers.headers import is_shared

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
"""What browsers are told that ask before they send another site's request."""


def check(scope: Scope, hosts: Sequence[str] = ("*",)) -> Refusal | None:
    """Return why a request is refused by its first line and headers, or None."""
    named = [value for name, value in scope["headers"] if name == b"host"]
    if len(named) != 1 or not named[0]:
        return Refusal("host", 400, "A request has to name its host in one Host header.")
    if not is_host(named[0].decode("latin-1"), tuple(hosts)):
        return Refusal("host", 400, "This server does not answer to this host name.")
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_URL:
        return Refusal("address", 414, f"An address here has at most {MAX_URL} characters.")
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if not length.isdigit() or int(length[:20]) > MAX_BODY:
        return _too_large()
    if scope["method"] in SAFE_METHODS or is_shared(scope["path"]):
        return None
    if is_cross_site(Headers(scope=scope)):
        return Refusal("cross-site", 403, "This request was made by the page of another site.")
    return None


@lru_cache(maxsize=64)
def is_host(host: str, hosts: tuple[str, ...]) -> bool:
    """Whether a `Host` header names one of `hosts`; `*` is any, `*.name` any below a name.

    Starlette's middleware for it answers in plain text, which is neither a page nor a problem.
    """
    name = re.sub(r":\d*$", "", host).lower()
    return any(
        known in ("*", name) or (known.startswith("*.") and name.endswith(known[1:]))
        for known in hosts
    )


def is_preflight(scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
    """Whether a browser asks if it may send a request of another site's page."""
    is_asking = scope["method"] == "OPTIONS" and b"access-control-request-method" in headers
    return is_asking and is_shared(scope["path"])


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
    """Return `receive` with a limit on the body, for bodies that don't say their length.

    Whoever asks on after the refusal is refused again: what is left of the body is not waited for.
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


def _too_large() -> Refusal:
    return Refusal("body", 413, f"A request's body here has at most {MAX_BODY} bytes.")
