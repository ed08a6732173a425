"""Answers that follow from their address alone, kept as the bytes that went out.

Whoever made such an answer marked it (`app.web.marks`): it is the same whatever the hour and
whoever asks, for as long as the process lives.  A copy is found by all that such an answer may
depend on: scheme and host, for the addresses that pages state in full; path and query; and the
headers by which htmx asks for a part of a page and browsers for compression.  The copies that were
asked for longest ago make room for others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import Scope

from app.web.caching import is_same
from app.web.layers.headers import RawHeaders

SIZE = 16 << 20
"""The most bytes that all copies of a process take."""
LARGEST = 256 << 10
"""The most bytes of one: whoever asks for all codes of all games in turn moves out little else."""
OVERHEAD = 2 << 10
"""About what a copy takes beside its body."""

VARYING = (b"hx-request", b"hx-request-type", b"hx-history-restore-request")
OF_BODY = frozenset({b"content-length", b"content-type", b"content-encoding"})
"""What an answer without a body does not say (RFC 9110, section 15.4.5)."""

Key = tuple[Any, ...]


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
    tree: str
    """The tree whose guess it shows; empty if it shows none."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.body or b"") + OVERHEAD

    def answers(self, known: bytes) -> bool:
        """Whether it answers who has the copies that a header `If-None-Match` names."""
        return self.body is not None or self.is_known(known)

    def is_known(self, known: bytes) -> bool:
        """Whether that header names it."""
        return bool(self.tag) and is_same(known.decode("latin-1"), self.tag)

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
        if copy.size > min(LARGEST, self._size):
            return
        before = self._copies.pop(key, None)
        self._taken += copy.size - (before.size if before else 0)
        self._copies[key] = copy
        while self._taken > self._size:
            _, oldest = self._copies.popitem(last=False)
            self._taken -= oldest.size


def key_of(scope: Scope, headers: Mapping[bytes, bytes]) -> Key | None:
    """Return by what the answer to a request is found; None if it can't be a copy."""
    if scope["method"] not in ("GET", "HEAD") or b"range" in headers:
        return None
    return (
        scope["path"],
        scope["query_string"],
        headers.get(b"host"),
        scope["scheme"],
        b"gzip" in headers.get(b"accept-encoding", b""),
        *map(headers.get, VARYING),
    )
