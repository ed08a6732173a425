"""Whole trees as files, `/trees/NAME.FORMAT`: written once, compressed, and sent from the disk.

The name of a file on the disk contains a hash of everything that its content depends on.  So a file
is never overwritten, and all processes can share it.  It gets its name when it is complete.  Names
of trees have no dot, so these addresses differ from those of nodes.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, HTTPException, Request, Response
from starlette.responses import FileResponse

from bullscows.tree.export import FORMATS
from bullscows.tree.storage import write_whole
from bullscows_web.trees.library import Entry, EntryDep
from bullscows_web.web.caching import FRESH, attachment, release, tagged
from bullscows_web.web.dependencies import QueueDep, of_app

files = APIRouter()

PREFIX = "export-"
"""Prefix of the files; other files in the folder are left alone."""
LEVEL = 6
"""Compression level: higher ones take several times as long and save 1 %."""


class Exports:
    """The folder of the files; by default a temporary one of this process."""

    def __init__(self, folder: Path | None) -> None:
        self._is_private = folder is None
        self._folder = Path(mkdtemp(prefix="bullscows-")) if folder is None else folder
        self._folder.mkdir(parents=True, exist_ok=True)

    def path(self, entry: Entry, form: str) -> Path:
        """Return where the file of a tree is when it has been written."""
        made_of = "\n".join((release(), entry.record.digest, form))
        return self._folder / f"{PREFIX}{sha256(made_of.encode()).hexdigest()[:32]}.gz"

    def write(self, entry: Entry, form: str) -> None:
        """Write a tree in a format, unless that has been done."""
        path = self.path(entry, form)
        if not path.is_file():
            content = "".join(FORMATS[form](entry.tree)).encode()
            write_whole(path, gzip.compress(content, LEVEL, mtime=0))

    def prune(self, entries: Iterable[Entry]) -> None:
        """Remove what belongs to no tree of these: files of trees and versions that are gone."""
        wanted = {self.path(entry, form) for entry in entries for form in FORMATS}
        for path in set(self._folder.glob(f"{PREFIX}*")) - wanted:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder if it is this process's own."""
        if self._is_private:
            shutil.rmtree(self._folder, ignore_errors=True)


ExportsDep = Annotated[Exports, of_app("exports")]

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
async def save(
    request: Request, entry: EntryDep, exports: ExportsDep, queue: QueueDep, form: str
) -> Response:
    """Return the tree as a file; of base-92 text every byte counts, DEL included."""
    if form not in MEDIA_TYPES:
        raise HTTPException(404, f"trees come as {', '.join(MEDIA_TYPES)}")
    headers = tagged(request, entry.record.digest)
    path = exports.path(entry, form)
    if not path.is_file():
        await queue.make(partial(exports.write, entry, form))  # once, if many wait
    headers |= attachment(f"{entry.name}.{SUFFIXES.get(form, form)}") | {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return FileResponse(path, headers=headers, media_type=MEDIA_TYPES[form])
    content = await run_sync(lambda: gzip.decompress(path.read_bytes()))
    return Response(content, headers=headers, media_type=MEDIA_TYPES[form])
