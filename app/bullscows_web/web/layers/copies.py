"""Answers that follow from their address alone, kept as the bytes that went out.

Whoever made such an answer marked it (`bullscows_web.web.marks`): it is the same whatever the hour
and whoever asks, for as long as the process lives.  A copy is found by all that such an answer may
depend on: scheme and host, for the addresses that pages state in full; path and query; a small
document that is sent along, as an answer in a game is; and the headers by which htmx asks for a
part of a page and browsers for compression.  The copies that were asked for longest ago make room
for others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request
from starlette.types import Message, Receive, Scope

from bullscows_web.web.caching import is_same
from bullscows_web.web.html.frame import wants_fragment
from bullscows_web.web.layers.headers import RawHeaders
from bullscows_web.web.metrics import RouteClass

SIZE = 16 << 20
"""The most bytes of a store; a process has one for pages, and one for files, which are few."""
LARGEST = 256 << 10
"""The most bytes of one: whoever asks for all codes of all games in turn moves out little else."""
ADDRESS = 400
"""The most bytes of an address whose answers are kept, its host included."""
DOCUMENT = 64
"""The most bytes of a document that is sent along; an answer in a game takes half of it."""
OVERHEAD = 4 << 10
"""The most that a copy takes beside its body: its headers, and its address."""

JSON = b"application/json"

OF_BODY = frozenset({b"content-length", b"content-type", b"content-encoding"})
"""What an answer without a body does not say (RFC 9110, section 15.4.5)."""

Key = tuple[str, bytes, bytes, str, bool, bool, bytes | None]
"""Path, query, host, scheme, whether compressed, whether a fragment, and what is sent along."""


@dataclass(frozen=True, slots=True)
class Copy:
    """An answer as it went out: status 200 and whole, or 304."""

    headers: RawHeaders
    """All of them, those of security included."""
    body: bytes | None
    """As it went out, compressed if it was; None of a 304, which tells no more than the tag."""
    tag: str
    """Its entity tag without `W/`; empty if it has none."""
    route: str
    """The template of its route, for the counters."""
    class_: RouteClass
    """What it is, for the counters too."""
    tree: str
    """The tree whose guess it shows; empty if it shows none."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.body or b"") + OVERHEAD

    def answers(self, headers: Mapping[bytes, bytes]) -> bool:
        """Whether it answers a request with these headers: a 304 answers who has what it is of."""
        return self.body is not None or self.is_known(headers)

    def is_known(self, headers: Mapping[bytes, bytes]) -> bool:
        """Whether whoever sends these headers has it already (RFC 9110, section 13.2.2)."""
        tags = headers.get(b"if-none-match")
        if tags is not None:
            return bool(self.tag) and is_same(tags.decode("latin-1"), self.tag)
        since = headers.get(b"if-modified-since")
        return since is not None and (b"last-modified", since) in self.headers

    def unchanged(self) -> RawHeaders:
        """Return the headers of a 304."""
        return [(name, value) for name, value in self.headers if name not in OF_BODY]


class Copies:
    """The copies of one process.

    Parameters
    ----------
    size
        The most bytes that they take together.
    """

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._taken = 0
        self._copies: OrderedDict[Key, Copy] = OrderedDict()

    def find(self, key: Key | None) -> Copy | None:
        """Return the copy of what is asked for, if there is one."""
        copy = None if key is None else self._copies.get(key)
        if copy is not None and key is not None:
            self._copies.move_to_end(key)
        return copy

    def keep(self, key: Key, copy: Copy) -> None:
        """Keep a copy, if it isn't too large, in place of those asked for longest ago."""
        before = self._copies.get(key)
        is_less = before is not None and before.body is not None and copy.body is None
        if is_less or copy.size > min(LARGEST + OVERHEAD, self._size):
            return
        self._copies.pop(key, None)
        self._taken += copy.size - (before.size if before else 0)
        self._copies[key] = copy
        while self._taken > self._size:
            _, oldest = self._copies.popitem(last=False)
            self._taken -= oldest.size


def key_of(
    scope: Scope, headers: Mapping[bytes, bytes], document: bytes | None = None
) -> Key | None:
    """Return by what the answer to a request is found; None if it can't be a copy.

    `headers` has the first value of each name, as whoever answers reads them; `document` is what
    `sent_along` found.
    """
    host = headers.get(b"host", b"")
    address = len(scope["path"]) + len(scope["query_string"]) + len(host)
    is_read = scope["method"] in ("GET", "HEAD") and b"range" not in headers
    if not (is_read or document is not None) or address > ADDRESS:
        return None
    return (
        scope["path"],
        scope["query_string"],
        host,
        scope["scheme"],
        b"gzip" in headers.get(b"accept-encoding", b""),
        b"hx-request" in headers and wants_fragment(Request(scope)),
        document,
    )


async def sent_along(
    scope: Scope, headers: Mapping[bytes, bytes], receive: Receive
) -> tuple[bytes | None, Receive]:
    """Return the document of a request, if it is small and whole, and what receives it once more.

    Anything else, as a document that comes in pieces or is not called JSON, is left to the routes.
    """
    size = headers.get(b"content-length", b"")
    is_small = size.isdigit() and len(size) <= len(str(DOCUMENT)) and int(size) <= DOCUMENT
    if scope["method"] != "POST" or headers.get(b"content-type") != JSON or not is_small:
        return None, receive
    first = await receive()
    is_whole = first["type"] == "http.request" and not first.get("more_body", False)
    again = [first]

    async def repeat() -> Message:
        return again.pop() if again else await receive()

    return (first.get("body", b"") if is_whole else None), repeat
