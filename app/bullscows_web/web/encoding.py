"""Content negotiation of compression: `Accept-Encoding`, as RFC 9110, section 12.5.3, has it.

The routes and the compression see one value, `gzip` or `identity`, so they agree on each request.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
