"""Answers that a browser may keep, because a tree never changes while the server runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import Request, Response

from engine import __version__

FRESH_SECONDS = 60
"""How long a copy may be used unasked: a tree's file is replaced only when the server restarts."""


def kept(
    request: Request,
    version: str,
    make: Callable[[], bytes],
    media_type: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return what `make` makes with an entity tag, or 304 without making it.

    `version` is the hash of what the content is made from.  The tag is weak because compression
    comes later.
    """
    tag = f'W/"{__version__}-{version[:16]}"'
    caching = {"ETag": tag, "Cache-Control": f"public, max-age={FRESH_SECONDS}"}
    known = [item.strip() for item in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(status_code=304, headers=caching)
    return Response(make(), headers=caching | dict(headers or {}), media_type=media_type)


def attachment(name: str) -> dict[str, str]:
    """Return the header that makes browsers save a file by this name: letters, digits, ``.-``."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}
