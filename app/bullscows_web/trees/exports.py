"""Exported trees, written once, compressed, and sent from the disk.

The name of a file contains a hash of everything that its content depends on.  So a file is never
overwritten, and all processes can share it.  It gets its name when it is complete.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, cast

from fastapi import Depends, Request

from bullscows.tree.export import FORMATS
from bullscows.tree.storage import write_whole
from bullscows_web.trees.library import Entry
from bullscows_web.web.caching import release

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
        made_of = "\n".join((release(), entry.version, form))
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


async def get_exports(request: Request) -> Exports:
    """Return the files of whole trees."""
    return cast(Exports, request.app.state.exports)


ExportsDep = Annotated[Exports, Depends(get_exports)]
