"""Files for browsers, under `/static`.

The rooms are `scripts`, `styles` and `icons`, `vendor` for what others made, and `docs` for the
page of the API.  A file whose name carries its version, as in `htmx-4.0.1.min.js`, never changes
and may be kept for a year; so may any file under the address that pages give it, which carries the
hash of its content: `/static/styles/site.css?v=0a1b2c3d4e5f`.  Clients revalidate any other file on
each use, which costs one short 304.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_VERSIONED = re.compile(r"-[0-9]+(\.[0-9]+)+[./]")

FOREVER = "public, max-age=31536000, immutable"
ASK = "no-cache"

UNQUOTED = " ='/:,()"
"""What needs no quoting in a `data:` URL, besides letters and digits."""


class VersionedFiles(StaticFiles):
    """The files of one folder, with a cache policy by their names."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder
        self._stated: dict[str, str] = {}  # what pages were told of each file

    def address(self, name: str, *, inline: bool = False) -> str:
        """Return the URL under which a file may be kept; if there is none, without a hash.

        It stays what it is when first asked for, as pages do: other files need another start.
        A file that is too small to be asked for comes `inline`, within its address.
        """
        try:
            if inline:
                return _within(self._folder / name, self._stating(name))
            return f"/static/{name}?v={self._stating(name)}"
        except OSError:
            return f"/static/{name}"

    @cached_property
    def version(self) -> str:
        """What changes with any file of the folder, as it is when first asked for."""
        try:
            return " ".join(map(self._stating, self.names()))
        except OSError:
            return ""

    def names(self, room: str = "") -> list[str]:
        """Return the files of a room by their paths, as in `scripts/site.js`; else all."""
        files = filter(Path.is_file, (self._folder / room).rglob("*"))
        return sorted(file.relative_to(self._folder).as_posix() for file in files)

    def _stating(self, name: str) -> str:
        if name not in self._stated:
            self._stated[name] = self._digest(name)
        return self._stated[name]

    def _digest(self, name: str) -> str:
        path = self._folder / name
        return _digest(path, path.stat().st_mtime_ns)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, or 404; it has one address, without slashes or dots to be left out."""
        if "\0" in path or scope["path"] != f"{scope['root_path']}/{path}":
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        query = scope["query_string"]
        forever = self._is_current(path, query) or (not query and _VERSIONED.search(path))
        response.headers["Cache-Control"] = FOREVER if forever else ASK
        return response

    def _is_current(self, path: str, query: bytes) -> bool:
        """Whether an address carries the hash of what the file holds now, and nothing else."""
        return query.startswith(b"v=") and query == f"v={self._digest(path)}".encode()


@lru_cache(maxsize=64)
def _digest(path: Path, changed: int) -> str:  # noqa: ARG001 - another time is another content
    return sha256(path.read_bytes()).hexdigest()[:12]


@lru_cache(maxsize=8)
def _within(path: Path, version: str) -> str:  # noqa: ARG001 - another version is another content
    kind, _ = guess_type(path)
    return f"data:{kind},{quote(path.read_bytes(), safe=UNQUOTED)}"
