"""The HTML pages: the same routes in every language, English at / and Russian at /ru/."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.responses import RedirectResponse

from app.contexts import address
from app.i18n import languages
from app.pages import (
    about,
    analyse,
    compare,
    doubt,
    downloads,
    guess,
    offline,
    play,
    start,
    statistics,
    trees,
)
from app.pages.failure import error_page
from app.pages.render import Renderer
from app.static import VersionedFiles

__all__ = ["error_page", "install_pages"]


def install_pages(app: FastAPI) -> None:
    """Add the pages to `app` and their files, both from the folders of its settings."""
    files = VersionedFiles(app.state.settings.static)
    app.state.files = files
    app.state.renderer = Renderer(app.state.settings.templates, files.address)
    app.mount("/static", files, name="static")
    app.include_router(start.negotiated)
    app.include_router(offline.worker)
    for router in (downloads.files, statistics.files):  # before the pages: their names have dots
        app.include_router(router)
    for language in languages():
        pages = APIRouter(prefix=language.prefix, include_in_schema=False)
        for module in (
            start,
            doubt,
            play,
            guess,
            trees,
            compare,
            analyse,
            statistics,
            about,
            offline,
        ):
            pages.include_router(module.router)
            _forgive_slashes(pages, module.router)
        app.include_router(pages)


def _forgive_slashes(pages: APIRouter, router: APIRouter) -> None:
    """Add to `pages` what leads from a page's address with a slash at its end to the page.

    Only pages have it: elsewhere an address with a slash more is an address that doesn't exist.
    """
    for route in router.routes:
        if isinstance(route, APIRoute) and not route.path.endswith("/"):
            pages.add_api_route(f"{route.path}/", _without_slash, methods=["GET"])


async def _without_slash(request: Request) -> RedirectResponse:
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse(address(request.scope["path"].rstrip("/"), query), 308)
