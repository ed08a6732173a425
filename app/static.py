"""Files for browsers, under `/static`.

A file whose name carries its version, as in `htmx-4.0.1.min.js`, never changes and may be kept for
a year; any other is asked after each time, which costs one short 304.
"""

from __future__ import annotations

import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_VERSIONED = re.compile(r"-[0-9]+(\.[0-9]+)+[./]")

FOREVER = "public, max-age=31536000, immutable"
ASK = "no-cache"


class VersionedFiles(StaticFiles):
    """The files of one folder, with a cache policy by their names."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, or 404."""
        if "\0" in path:
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOREVER if _VERSIONED.search(path) else ASK
        return response
