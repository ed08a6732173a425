"""What the site shows beside `docs/`: the README first, other pages of the top, files linked to.

MkDocs calls these hooks (`release/mkdocs.yml`).  In the repository links lead from folder to
folder; on the site what stands outside `docs/` lies at its top, so links are written anew.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
LINK = re.compile(r"(\]\()(?![a-z]+:|#)([^)\s#]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the top, and whatever pages link to outside `docs/`."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for place in sorted(_linked(files)):
        files.append(File.generated(config, place, abs_src_path=str(ROOT / place)))
    return files


def _linked(files: Files) -> set[str]:
    """Return what the pages link to that is neither in `docs/` nor a page of the top."""
    found = {
        _place(page.src_uri, target)
        for page in files.documentation_pages()
        for _, target in LINK.findall(_text(page.src_uri))
    }
    return {place for place in found if _is_outside(place) and (ROOT / place).is_file()}


def _is_outside(place: str) -> bool:
    return not place.startswith("docs/") and place not in PAGES


def _text(page: str) -> str:
    return (ROOT / _origin(page)).read_text(encoding="utf-8")


def _origin(page: str) -> str:
    """Return the place of a page in the repository."""
    return page if page in PAGES else f"docs/{page}"


def _place(page: str, target: str) -> str:
    """Return the place in the repository that a page's link leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(_origin(page)), target))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Write a page's links as they are on the site."""
    del config, files
    here = page.file.src_uri

    def moved(link: re.Match[str]) -> str:
        place = _place(here, link[2]).removeprefix("docs/")
        return link[1] + posixpath.relpath(place, posixpath.dirname(here) or ".")

    return LINK.sub(moved, markdown)
