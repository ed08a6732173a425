"""Downloads of whole trees, `/trees/NAME.FORMAT`, in the formats of `bullscows export`.

Files are written once and sent from the disk (`bullscows_web.trees.exports`).  Names of trees have
no dot, so these addresses differ from those of nodes.
"""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.responses import FileResponse

from bullscows_web.trees.dependencies import EntryDep, ExportsDep
from bullscows_web.web.caching import FRESH, attachment, entity_tag, is_same
from bullscows_web.web.dependencies import QueueDep

files = APIRouter(include_in_schema=False)

MEDIA_TYPES = {
    "base92": "text/plain; charset=us-ascii",
    "json": "application/json",
    "text": "text/plain; charset=us-ascii",
    "html": "text/html; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=us-ascii",
}
SUFFIXES = {"base92": "base92.txt", "text": "txt"}
"""Suffixes of downloaded files that differ from the format."""


@files.get("/trees/{tree}.{form}")
async def save(
    request: Request, entry: EntryDep, exports: ExportsDep, queue: QueueDep, form: str
) -> Response:
    """Return the tree as a file; of base-92 text every byte counts, DEL included."""
    if form not in MEDIA_TYPES:
        raise HTTPException(404, f"trees come as {', '.join(MEDIA_TYPES)}")
    headers = {"ETag": entity_tag(request, entry.version), "Cache-Control": FRESH}
    if is_same(request.headers.get("if-none-match", ""), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if not exports.has(entry, form):
        await queue.once((entry.version, form), lambda: exports.write(entry, form))
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    headers |= attachment(f"{entry.name}.{SUFFIXES.get(form, form)}")
    if compressed:  # else the middleware says that there is a compressed one too
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    path = exports.path(entry, form, compressed=compressed)
    return FileResponse(path, headers=headers, media_type=MEDIA_TYPES[form])
