"""The HTML pages: the same routes in every language, English at / and Russian at /ru/."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from app.i18n import languages
from app.pages import about, compare, downloads, play, start, statistics, trees
from app.pages.failure import error_page
from app.pages.render import Renderer

__all__ = ["error_page", "install_pages"]


def install_pages(app: FastAPI) -> None:
    """Add the pages to `app`; their templates come from the folder of its settings."""
    app.state.renderer = Renderer(app.state.settings.templates)
    app.include_router(start.negotiated)
    for files in (downloads.files, statistics.files):  # before the pages: their names have dots
        app.include_router(files)
    for language in languages():
        pages = APIRouter(prefix=language.prefix, include_in_schema=False)
        for module in (start, play, trees, compare, statistics, about):
            pages.include_router(module.router)
        app.include_router(pages)
