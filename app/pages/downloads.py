"""A whole tree as a file, in the formats of `bullscows export`: `/trees/NAME.FORMAT`.

A tree's name holds no dot, so these addresses are no node's.
"""

from __future__ import annotations

from functools import lru_cache

from fastapi import APIRouter, HTTPException, Request, Response

from app.caching import attachment, kept
from app.deps import EntryDep
from app.library import Entry
from engine.tree.export import FORMATS

files = APIRouter(include_in_schema=False)

MEDIA_TYPES = {
    "base92": "text/plain; charset=us-ascii",
    "json": "application/json",
    "text": "text/plain; charset=us-ascii",
    "html": "text/html; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=us-ascii",
}
SUFFIXES = {"base92": "base92.txt", "text": "txt"}
"""What a saved file's name ends in, where that is not the format."""


@files.get("/trees/{tree}.{form}")
def save(request: Request, entry: EntryDep, form: str) -> Response:
    """Return the tree as a file; of base-92 text every byte counts, DEL included."""
    if form not in MEDIA_TYPES:
        raise HTTPException(404, f"trees come as {', '.join(MEDIA_TYPES)}")
    headers = attachment(f"{entry.name}.{SUFFIXES.get(form, form)}")
    version = entry.version
    return kept(request, version, lambda: _export(entry, form), MEDIA_TYPES[form], headers)


@lru_cache(maxsize=16)
def _export(entry: Entry, form: str) -> bytes:
    """Write the tree; the largest take most of a second, so what was asked for last is kept."""
    return FORMATS[form](entry.tree).encode("ascii" if form != "html" else "utf-8")
