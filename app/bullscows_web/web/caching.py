"""Entity tags and cache policies of responses.

An entity tag is a hash of everything that a response depends on: the address, the code of this
server, and the versions of trees, templates and files.  It is known before the response is made, so
a 304 costs nothing.  If the dependencies have no version, such as the time or results of a search,
the tag is a hash of the response itself.  Tags are weak, because compression comes later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request, Response

import bullscows
import bullscows_web

FRESH_SECONDS = 60
"""How long a program may use a copy unasked: a tree's file is replaced only at a restart."""
FRESH = f"public, max-age={FRESH_SECONDS}"
ASK = "no-cache"
"""For copies that may be kept, but are asked after each time: a page and its files fit together."""
PRIVATE = "private, no-cache"
"""The same, for copies of one visitor."""
NOT_KEPT = "no-store"
"""For what is never the same: errors, and what leads elsewhere each time."""
NEVER_KEPT = {"Cache-Control": NOT_KEPT}
"""The header of that."""


@lru_cache(maxsize=1)
def release() -> str:
    """Return a hash of the code, which decides what answers say and which fields they have."""
    digest = sha256(bullscows.__version__.encode())
    for package in (bullscows_web, bullscows):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def entity_tag(request: Request, *versions: str) -> str:
    """Return the tag of the answer to a request that is made from these versions."""
    path = request.scope["path"]
    query = request.scope["query_string"].decode("latin-1")
    parts = (release(), path, query, *versions)
    return f'W/"{sha256(chr(0).join(parts).encode("utf-8", "replace")).hexdigest()[:32]}"'


def is_same(known: str, tag: str) -> bool:
    """Whether a header `If-None-Match` names a tag; only for answers that exist."""
    tags = [item.strip().removeprefix("W/") for item in known.split(",")]
    return "*" in tags or tag.removeprefix("W/") in tags


def content_tag(request: Request, content: bytes | memoryview) -> str:
    """Return the tag of an answer whose dependencies have no version: a hash of its content."""
    return entity_tag(request, sha256(content).hexdigest())


def unchanged(request: Request, headers: Mapping[str, str]) -> Response | None:
    """Return a 304 if the client has the version with these headers, of which one is `ETag`."""
    if not is_same(request.headers.get("if-none-match", ""), headers["ETag"]):
        return None
    sent = ("ETag", "Cache-Control", "Vary", "Content-Language")
    return Response(status_code=304, headers={k: v for k, v in headers.items() if k in sent})


def kept(
    request: Request,
    version: str,
    make: Callable[[], bytes],
    media_type: str,
    headers: Mapping[str, str] | None = None,
    *,
    policy: str = FRESH,
) -> Response:
    """Return what `make` makes with an entity tag, or 304 without making it.

    `version` changes with the data from which the content is made; the address and the code are
    part of the tag anyway.
    """
    sent = {"ETag": entity_tag(request, version), "Cache-Control": policy, **(headers or {})}
    return unchanged(request, sent) or Response(make(), headers=sent, media_type=media_type)


def compared(
    request: Request, content: bytes, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an answer that is made already, or 304 if the client has just that."""
    version = sha256(content).hexdigest()
    return kept(request, version, lambda: content, media_type, headers, policy=ASK)


class NotModifiedError(Exception):
    """The client has the current version: the response is a 304 with these headers."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__()
        self.headers = headers


@dataclass(frozen=True)
class Freshness:
    """Entity tag of a response whose route returns a model."""

    request: Request
    response: Response

    def check(self, version: str, *, policy: str = FRESH, vary: str = "") -> None:
        """Put the tag on the response; raise `NotModifiedError` if the client has this version."""
        headers = {"ETag": entity_tag(self.request, version), "Cache-Control": policy}
        if vary:
            headers["Vary"] = vary
        if is_same(self.request.headers.get("if-none-match", ""), headers["ETag"]):
            raise NotModifiedError(headers)
        self.response.headers.update(headers)


async def get_freshness(request: Request, response: Response) -> Freshness:
    """Return what checks the entity tag of a response."""
    return Freshness(request, response)


FreshnessDep = Annotated[Freshness, Depends(get_freshness)]


def attachment(name: str) -> dict[str, str]:
    """Return the header that makes browsers save a file by this name: letters, digits, ``.-``."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}
