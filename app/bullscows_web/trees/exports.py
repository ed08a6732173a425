"""Files of whole trees, written once and read from the disk: each format plain, and compressed.

A file's name holds a hash of all that its content follows from, so a file is right for ever, may be
shared by all processes, and is never written over.  It appears under its name when it is whole.
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

from bullscows.tree.export import FORMATS
from bullscows_web.trees.library import Entry
from bullscows_web.web.caching import release

logger = logging.getLogger(__name__)

PREFIX = "export-"
"""How the name of every file here begins; others in the folder are not ours."""
LEVEL = 6
"""How hard to compress: more takes several times as long and saves a hundredth."""
_CHUNK = 1 << 16
_UNDER_WAY = ".part"


class Exports:
    """The folder of the files.

    Parameters
    ----------
    folder
        Where they are kept; without one, a folder of this process that goes when it ends.
    """

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
