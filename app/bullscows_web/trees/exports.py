"""Exported trees, written once and sent from the disk: each format plain and compressed.

The name of a file contains a hash of everything that its content depends on.  So a file is never
overwritten, and all processes can share it.  It gets its name when it is complete.
"""

from __future__ import annotations

import gzip
import logging
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile, mkdtemp
from typing import Annotated, cast

from fastapi import Depends, Request

from bullscows.tree.export import FORMATS
from bullscows_web.trees.library import Entry
from bullscows_web.web.caching import release

logger = logging.getLogger(__name__)

PREFIX = "export-"
"""Prefix of the files; other files in the folder are left alone."""
LEVEL = 6
"""Compression level: higher ones take several times as long and save 1 %."""
_CHUNK = 1 << 16
_UNDER_WAY = ".part"


class Exports:
    """The folder of the files; by default a temporary one of this process."""

    def __init__(self, folder: Path | None) -> None:
        self._is_private = folder is None
        self._folder = Path(mkdtemp(prefix="bullscows-")) if folder is None else folder
        self._folder.mkdir(parents=True, exist_ok=True)

    def path(self, entry: Entry, form: str, *, compressed: bool = False) -> Path:
        """Return where the file of a tree is when it has been written."""
        made_of = "\n".join((release(), entry.version, form))
        digest = sha256(made_of.encode()).hexdigest()[:32]
        return self._folder / f"{PREFIX}{digest}{'.gz' if compressed else ''}"

    def has(self, entry: Entry, form: str) -> bool:
        """Whether a tree has been written in a format."""
        return all(self.path(entry, form, compressed=kind).is_file() for kind in (False, True))

    def write(self, entry: Entry, form: str) -> None:
        """Write a tree in a format, and once more compressed, unless that has been done."""
        if self.has(entry, form):
            return
        plain = self.path(entry, form)
        self._write(plain, (piece.encode() for piece in FORMATS[form](entry.tree)))
        with plain.open("rb") as source:
            chunks = iter(lambda: source.read(_CHUNK), b"")
            self._write(self.path(entry, form, compressed=True), chunks, compressed=True)

    def prune(self, entries: Iterable[Entry]) -> None:
        """Remove what belongs to no tree of these: files of trees and versions that are gone."""
        wanted = {
            self.path(entry, form, compressed=kind).name
            for entry in entries
            for form in FORMATS
            for kind in (False, True)
        }
        for path in self._folder.glob(f"{PREFIX}*"):
            if path.name not in wanted and path.suffix != _UNDER_WAY:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder if it is this process's own."""
        if self._is_private:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _write(self, path: Path, chunks: Iterable[bytes], *, compressed: bool = False) -> None:
        """Write a file that is either there and whole, or not there, whatever happens meanwhile."""
        with NamedTemporaryFile(
            dir=self._folder, prefix=PREFIX, suffix=_UNDER_WAY, delete=False
        ) as raw:
            try:
                if compressed:
                    with gzip.GzipFile("", "wb", LEVEL, raw, mtime=0) as file:
                        file.writelines(chunks)
                else:
                    raw.writelines(chunks)
                raw.flush()
                os.fsync(raw.fileno())
                os.replace(raw.name, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(raw.name)
                raise


async def get_exports(request: Request) -> Exports:
    """Return the files of whole trees."""
    return cast(Exports, request.app.state.exports)


ExportsDep = Annotated[Exports, Depends(get_exports)]
