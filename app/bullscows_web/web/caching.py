"""Entity tags and cache policies of responses, and static files with such policies.

An entity tag is a hash of the address, the code of this server, and a version: for a page its
content, for documents of the API and downloads that of the trees, so that their 304 costs nothing.
Tags are weak, because compression comes later.

Static files are under `/static`, in the folders `scripts`, `styles`, `icons`, `vendor` for
third-party files, and `docs` for the page about the API.  A file with its version in its name, such
as `htmx-4.0.1.min.js`, can be cached for a year.  So can any file at the address that pages use,
which contains a hash of its content: `/static/styles/site.css?v=0a1b2c3d4e5f`.  Clients revalidate
any other file on each use.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

import bullscows
import bullscows_web
from bullscows_web.web.dependencies import of_app

FRESH_SECONDS = 60
"""How long a program may use a copy unasked: a tree's file is replaced only at a restart."""
FRESH = f"public, max-age={FRESH_SECONDS}"
NO_CACHE = "no-cache"
"""For copies that are revalidated on each use, so that a page and its files fit together."""
PRIVATE = "private, no-cache"
"""The same, for copies of one visitor."""
NO_STORE = {"Cache-Control": "no-store"}
"""The header of errors, and of redirects that lead elsewhere each time."""


@lru_cache(maxsize=1)
def release() -> str:
    """Return a hash of the code, which decides what answers say and which fields they have."""
    return code_hash(map(Path, (*bullscows.__path__, *bullscows_web.__path__)))


def code_hash(folders: Iterable[Path]) -> str:
    """Return a hash of the version and of all modules in some folders."""
    digest = sha256(bullscows.__version__.encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def entity_tag(request: Request, *versions: str) -> str:
    """Return the tag of the answer to a request that is made from these versions."""
    path = request.scope["path"]
    query = request.scope["query_string"].decode("latin-1")
    parts = (release(), path, query, *versions)
    return f'W/"{sha256(chr(0).join(parts).encode("utf-8", "replace")).hexdigest()[:32]}"'


class NotModifiedError(Exception):
    """The client has the current version: the response is a 304 with these headers."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__()
        self.headers = headers


def tagged(request: Request, *versions: str, policy: str = FRESH, **others: str) -> dict[str, str]:
    """Return the headers of an answer that is made from these versions, and the `others`.

    Raises `NotModifiedError` if the client has that answer.
    """
    headers = {"ETag": entity_tag(request, *versions), "Cache-Control": policy, **others}
    known = request.headers.get("if-none-match", "")
    tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
    if "*" in tags or headers["ETag"].removeprefix("W/") in tags:
        raise NotModifiedError(headers)
    return headers


def hashed_response(
    request: Request, content: bytes, media_type: str, *, policy: str = NO_CACHE
) -> Response:
    """Return a response whose entity tag is a hash of its content; errors as of `tagged`."""
    headers = tagged(request, sha256(content).hexdigest(), policy=policy)
    return Response(content, headers=headers, media_type=media_type)


def attachment(name: str) -> dict[str, str]:
    """Return the header that makes browsers save a file by this name: letters, digits, ``.-``."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


EXPORTED = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
}
"""Media types of exported files, by format."""


def exported(
    request: Request,
    version: str,
    contents: Mapping[str, Callable[[], Any]],
    name: str,
    form: str,
    *,
    indent: int | None = None,
) -> Response:
    """Return a file in one of some formats: a JSON document, rows of CSV, or a text.

    Browsers save it as `name`, but show JSON, which is on one line without an `indent`.
    """
    if form not in contents:
        raise HTTPException(404, f"no such format; choose one of {', '.join(contents)}")
    headers = tagged(request, version)
    if form != "json":
        headers |= attachment(f"{name}.{form}")
    content = contents[form]()
    file = io.StringIO()
    if form == "json":
        json.dump(content, file, ensure_ascii=False, indent=indent)
        file.write("\n")
    elif form == "csv":
        csv.writer(file).writerows(content)
    else:
        file.write(content)
    return Response(file.getvalue(), headers=headers, media_type=EXPORTED[form])


# -- static files ------------------------------------------------------------------------------

_VERSIONED = re.compile(r"-[0-9]+(\.[0-9]+)+[./]")

FOREVER = "public, max-age=31536000, immutable"
"""For files whose address changes with their content."""

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

    def names(self, folder: str = "") -> list[str]:
        """Return the paths of the files, such as `scripts/keys.js`; by default of all folders."""
        files = filter(Path.is_file, (self._folder / folder).rglob("*"))
        return sorted(file.relative_to(self._folder).as_posix() for file in files)

    def _hash(self, name: str) -> str:
        if name not in self._hashes:
            self._hashes[name] = sha256((self._folder / name).read_bytes()).hexdigest()[:12]
        return self._hashes[name]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file after the request's body, which can be too long."""
        await Request(scope, receive).body()
        await super().__call__(scope, receive, send)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with its cache policy, or 404."""
        if "\0" in path:  # which no file system takes
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        query = scope["query_string"].decode("latin-1")
        is_fixed = query == f"v={self._hash(path)}" if query else _VERSIONED.search(path)
        response.headers["Cache-Control"] = FOREVER if is_fixed else NO_CACHE
        return response


FilesDep = Annotated[VersionedFiles, of_app("files")]
