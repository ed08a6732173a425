"""Static files, under `/static`.

The folders are `scripts`, `styles`, `icons`, `vendor` for third-party files, and `docs` for the
page about the API.  A file with its version in its name, such as `htmx-4.0.1.min.js`, can be cached
for a year.  So can any file at the address that pages use, which contains a hash of its content:
`/static/styles/site.css?v=0a1b2c3d4e5f`.  Clients revalidate any other file on each use.
"""

from __future__ import annotations

import re
from functools import cached_property
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
"""Characters that need no quoting in a `data:` URL, in addition to letters and digits."""


class VersionedFiles(StaticFiles):
    """The files of one folder, with a cache policy by name."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder
        self._hashes: dict[str, str] = {}

    def address(self, name: str, *, inline: bool = False) -> str:
        """Return the cacheable URL of a file; without a hash if the file is missing.

        The hash is computed at the first use; changed files need a restart.  `inline` returns
        a `data:` URL with the content, for small files.
        """
        try:
            if inline:
                content = quote((self._folder / name).read_bytes(), safe=UNQUOTED)
                return f"data:{guess_type(name)[0]},{content}"
            return f"/static/{name}?v={self._hash(name)}"
        except OSError:
            return f"/static/{name}"

    @cached_property
    def version(self) -> str:
        """A text that changes with any file of the folder, read at the first use."""
        try:
            return " ".join(map(self._hash, self.names()))
        except OSError:
            return ""

    def names(self, folder: str = "") -> list[str]:
        """Return the paths of the files, such as `scripts/keys.js`; by default of all folders."""
        files = filter(Path.is_file, (self._folder / folder).rglob("*"))
        return sorted(file.relative_to(self._folder).as_posix() for file in files)

    def _hash(self, name: str) -> str:
        if name not in self._hashes:
            self._hashes[name] = sha256((self._folder / name).read_bytes()).hexdigest()[:12]
        return self._hashes[name]

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with its cache policy, or 404."""
        if "\0" in path:  # which no file system takes
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        query = scope["query_string"].decode("latin-1")
        is_fixed = query == f"v={self._hash(path)}" if query else _VERSIONED.search(path)
        response.headers["Cache-Control"] = FOREVER if is_fixed else ASK
        return response
