"""Whole trees as files, `/trees/NAME.FORMAT`: written when one is asked for, and kept compressed.

Names of trees have no dot, so these addresses differ from those of nodes.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import lru_cache, partial

from anyio.to_thread import run_sync
from fastapi import APIRouter, HTTPException, Request, Response
from starlette.responses import FileResponse

from bullscows.tree.export import FORMATS
from bullscows_web.trees.library import Entry, EntryDep
from bullscows_web.web.caching import FRESH, attachment, tagged
from bullscows_web.web.dependencies import QueueDep

files = APIRouter()

KEPT = 32
"""The most files that are kept: all that visitors want for a while, in 18 MB at most."""


@lru_cache(maxsize=KEPT)
def compressed(entry: Entry, form: str) -> bytes:
    """Return a tree in a format, compressed with gzip."""
    return gzip.compress("".join(FORMATS[form](entry.tree)).encode(), 6)  # 9 saves 1 %


MEDIA_TYPES = {
    "base92": "text/plain; charset=us-ascii",
    "json": "application/json",
    "text": "text/plain; charset=us-ascii",
    "html": "text/html; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=us-ascii",
}
SUFFIXES = {"base92": "base92.txt", "text": "txt"}
"""Suffixes of downloaded files that differ from the format."""


def proof_response(entries: Iterable[Entry], *, is_average: bool) -> Response:
    """Return the file of the first proof of some trees, about the fewest turns or about a goal."""
    for entry in entries:
        for proof in entry.proofs:
            if proof.is_average == is_average:
                headers = attachment(proof.path.name) | {"Cache-Control": FRESH}
                return FileResponse(proof.path, headers=headers, media_type="application/x-xz")
    raise HTTPException(404, "no proof of this is shipped; `bullscows prove` writes one")


@files.get("/trees/{tree}.proof.xz")
def save_proof(entry: EntryDep) -> Response:
    """Return the proof that no strategy serves the goal of the tree better."""
    return proof_response([entry], is_average=False)


@files.get("/trees/{tree}.{form}")
async def save(request: Request, entry: EntryDep, queue: QueueDep, form: str) -> Response:
    """Return the tree as a file; of base-92 text every byte counts, DEL included."""
    if form not in MEDIA_TYPES:
        raise HTTPException(404, f"trees come as {', '.join(MEDIA_TYPES)}")
    headers = tagged(request, entry.record.digest)
    headers |= attachment(f"{entry.name}.{SUFFIXES.get(form, form)}")
    content = await queue.make(partial(compressed, entry, form))  # once, if many wait
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    else:
        content = await run_sync(gzip.decompress, content)
    return Response(content, headers=headers, media_type=MEDIA_TYPES[form])
