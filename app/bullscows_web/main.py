"""The application: settings in, ASGI app out.

`create_app` is a factory, so that tests and `uvicorn --factory bullscows_web.main:create_app` make
as many as they like; nothing happens at import.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

from fastapi import Depends, FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.middleware.trustedhost import TrustedHostMiddleware

from bullscows import __version__
from bullscows_web.analyse import explained_answer
from bullscows_web.analyse import pages as analyse
from bullscows_web.api import daily, matches, openapi
from bullscows_web.api import routes as api
from bullscows_web.duel import pages as duel
from bullscows_web.errors import responses
from bullscows_web.guess import routes as guess
from bullscows_web.guess import two_turns
from bullscows_web.home import crawlers, offline
from bullscows_web.home import pages as home
from bullscows_web.language.catalogues import languages
from bullscows_web.learn import lessons
from bullscows_web.match import routes as match
from bullscows_web.match.service import Matches
from bullscows_web.play import pages as play
from bullscows_web.review import pages as review
from bullscows_web.search.searcher import Tablebase
from bullscows_web.search.service import Executor, Processes, SearchService
from bullscows_web.server.http_server import configure_logging
from bullscows_web.server.settings import Settings
from bullscows_web.statistics import atlas, compare, figures, results
from bullscows_web.statistics.results import Results
from bullscows_web.trees import downloads, pasted
from bullscows_web.trees import pages as trees
from bullscows_web.trees.links import Links
from bullscows_web.web.caching import VersionedFiles
from bullscows_web.web.encrypted_state import StateCipher, secret_key
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.middleware import (
    ApiSharing,
    BodyLimit,
    HeadAsGet,
    HttpsScheme,
    RequestMetrics,
    SecurityHeaders,
    check_request,
)
from bullscows_web.web.queue import WorkQueue
from bullscows_web.web.rendering import Templates

# Routers are tried one by one, so frequent ones come first.
API = (api.router, daily.router, matches.router)

FILES = (
    home.machines,
    openapi.router,
    trees.renamed,
    downloads.files,
    figures.files,
    results.files,
    atlas.files,
    analyse.files,
    offline.worker,
    crawlers.files,
    home.negotiated,
)
"""For programs.  Names of files have a dot, which the routes of pages would match."""

PAGES = (
    guess.embedded,
    analyse.embedded,
    play.router,
    trees.router,
    guess.router,
    match.router,
    home.router,
    lessons.router,
    duel.router,
    pasted.router,
    compare.router,
    analyse.router,
    explained_answer.router,
    review.router,
    two_turns.router,
    figures.router,
    results.router,
    atlas.router,
    offline.router,
)
"""Pages exist in every language."""

PACKET = 1200
"""Minimum size of a compressed response: smaller ones fit in one packet anyway."""
COMPRESSION = 6
"""The gzip level: a first visit takes 1.9 kB less than at level 4, for 0.1 to 0.4 ms more in each
response."""


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the library: a server that answers has verified every tree that it plays.

    The search processes start meanwhile; nothing else is prepared.
    """
    settings: Settings = app.state.settings
    tablebase = Tablebase.open(settings.trees_dir)
    library = tablebase.library
    app.state.library = library
    app.state.metrics.trees.labels("playable").set(len(library))
    app.state.metrics.trees.labels("refused").set(len(library.failed))
    app.state.results = Results.open(settings.trees_dir)
    pages = app.state.metrics.queue.labels("pages")
    app.state.queue = WorkQueue(counted=pages.track_inprogress)
    executor = app.state.executor or Processes(settings)
    app.state.search = SearchService(settings, tablebase, app.state.metrics, executor)
    with closing(downloads.Exports(settings.cache_dir)) as app.state.exports:
        app.state.exports.prune(library)
        # The trees stay: a collection that visits their 100,000 objects pauses requests for 63 ms.
        gc.freeze()
        try:
            async with app.state.search.started(), app.state.matches.kept():
                yield
        finally:
            gc.unfreeze()


def create_app(settings: Settings | None = None, executor: Executor | None = None) -> FastAPI:
    """Return a server with these settings, by default those of the environment.

    `executor` runs searches; by default there are search processes.
    """
    settings = settings or Settings()
    configure_logging(settings.log_format)
    app = FastAPI(
        title="Bulls & Cows, solved",
        summary="Strategy trees for Bulls & Cows and Mastermind, and games along them.",
        description=openapi.DESCRIPTION,
        version=__version__,
        license_info={"name": "MIT License", "identifier": "MIT"},
        openapi_tags=openapi.TAGS,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(check_request)],
    )
    app.state.settings = settings
    app.state.executor = executor
    app.state.metrics = Metrics()
    app.state.cipher = StateCipher(lambda: secret_key(settings))
    responses.install(app)
    app.state.matches = Matches(settings, app.state.cipher, app.state.metrics)
    app.state.files = VersionedFiles(settings.static_dir)
    app.state.templates = Templates(settings.templates_dir, app.state.files.address, links=Links.of)
    include_routers(app)
    openapi.install(app)
    add_middleware(app, settings)
    return app


def include_routers(app: FastAPI) -> None:
    """Add all routes: those of pages exist in every language, English at / and Russian at /ru/.

    The description of the API has those of the API only.
    """
    app.mount("/static", app.state.files, name="static")
    for router in API:
        app.include_router(router)
    for router in FILES:
        app.include_router(router, include_in_schema=False)
    for language in languages():
        for router in PAGES:
            app.include_router(router, prefix=language.prefix, include_in_schema=False)


def add_middleware(app: FastAPI, settings: Settings) -> None:
    """Wrap the routes; the last one added is outermost."""
    app.add_middleware(BodyLimit)
    app.add_middleware(GZipMiddleware, minimum_size=PACKET, compresslevel=COMPRESSION)
    app.add_middleware(ApiSharing)
    app.add_middleware(
        TrustedHostMiddleware, allowed_hosts=settings.allowed_hosts, www_redirect=False
    )
    app.add_middleware(SecurityHeaders, behind_tls=settings.behind_tls)
    if settings.behind_tls:
        app.add_middleware(HttpsScheme)
    app.add_middleware(HeadAsGet)
    app.add_middleware(
        RequestMetrics, metrics=app.state.metrics, logs_requests=settings.log_format == "json"
    )
