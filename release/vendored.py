"""The parts of others that stand in `static/vendor/` as files, which no package manager knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "static" / "vendor"


@dataclass(frozen=True)
class Vendored:
    """A part of others, with the files of it that are ours to carry."""

    name: str
    version: str
    licence: str
    """As an SPDX expression."""
    package: str
    """Its address as a package (purl) in the npm registry, from where it came."""
    files: tuple[str, ...]
    """Names within `FOLDER`, the licence's text last."""


VENDORED = (
    Vendored(
        name="htmx",
        version="4.0.1",
        licence="0BSD",
        package="pkg:npm/htmx.org@4.0.1",
        files=("htmx-4.0.1.min.js", "htmx-LICENSE.txt"),
    ),
    Vendored(
        name="Onest",
        version="5.3.1",
        licence="OFL-1.1",
        package="pkg:npm/%40fontsource/onest@5.3.1",
        files=("onest-bold-5.3.1.woff2", "onest-LICENSE.txt"),
    ),
    Vendored(
        name="Swagger UI",
        version="5.35.0",
        licence="Apache-2.0",
        package="pkg:npm/swagger-ui-dist@5.35.0",
        files=(
            "swagger-ui-5.35.0.min.css",
            "swagger-ui-5.35.0.min.js",
            "swagger-ui-5.35.0.LICENSE.txt",
        ),
    ),
)
