"""Checks of every request that reaches a route.

Forms of other sites are recognised by `Sec-Fetch-Site` or `Origin`, like in Go's standard library
(see https://words.filippo.io/csrf): no token is needed.  The API may be used by the pages of any
site: it reads no cookies, so a browser adds nothing to a forged request.
"""

from __future__ import annotations

from fastapi import Request
from starlette.datastructures import Headers

from bullscows_web.server.settings import MAX_URL
from bullscows_web.web.errors import RefusedError


async def check_request(request: Request) -> None:
    """Raise `RefusedError` if the address is too long, or a page of another site sent a form."""
    if len(request.scope["raw_path"] or b"") + len(request.scope["query_string"]) > MAX_URL:
        raise RefusedError("address", 414, f"An address here has at most {MAX_URL} characters.")
    if request.method == "GET" or is_shared(request.scope["path"]):
        return
    if is_cross_site(request.headers):
        raise RefusedError("cross-site", 403, "This request was made by the page of another site.")


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
