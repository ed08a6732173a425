"""What every answer says to browsers.

Header values follow OWASP's and MDN's recommendations.  Pages load nothing from other hosts and
run no inline script, so the content policy starts from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

RawHeaders = list[tuple[bytes, bytes]]
"""Names in small letters with their values, as ASGI has them."""

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


def is_shared(path: str) -> bool:
    """Whether the pages of other sites may ask for this and read the answer."""
    return path.startswith("/api/") or path == "/openapi.json"


def raw(headers: Mapping[str, str]) -> RawHeaders:
    """Return headers as ASGI has them."""
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]


def with_head(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """Return headers that name HEAD where they name GET as allowed."""
    return [(name, _allowing_head(value) if name == b"allow" else value) for name, value in headers]


def _allowing_head(value: bytes) -> bytes:
    allowed = [method.strip() for method in value.split(b",")]
    if b"GET" not in allowed or b"HEAD" in allowed:
        return value
    return b", ".join([b"GET", b"HEAD", *(method for method in allowed if method != b"GET")])
