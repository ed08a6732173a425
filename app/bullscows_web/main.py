"""The application: settings in, ASGI app out.

`create_app` is a factory, so that tests and `uvicorn --factory bullscows_web.main:create_app` make
as many as they like; nothing happens at import.
"""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import chain, takewhile
from threading import Event, Thread

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from bullscows import __version__
from bullscows.analysis.memory import MEGABYTE, forget
from bullscows_web.analyse.search.lookup import ShippedOpenings
from bullscows_web.analyse.search.service import AnalysisService
from bullscows_web.api import openapi
from bullscows_web.duel.encrypted_state import StateCipher
from bullscows_web.duel.levels import grow, played
from bullscows_web.errors import responses
from bullscows_web.language.catalogues import languages
from bullscows_web.match.service import Matches
from bullscows_web.play.pages import GuessAnalysis
from bullscows_web.routers import API, FILES, PAGES
from bullscows_web.server.processes import configure_logging, share_heap
from bullscows_web.server.secret_key import secret_key
from bullscows_web.server.settings import Settings
from bullscows_web.statistics.figures import statistics as figures_of
from bullscows_web.statistics.results import Results
from bullscows_web.trees.exports import Exports
from bullscows_web.trees.library import Library
from bullscows_web.trees.links import Links
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import GamePosition
from bullscows_web.web.html.rendering import Templates
from bullscows_web.web.metrics import Metrics
from bullscows_web.web.middleware import Middleware
from bullscows_web.web.queue import WorkQueue
from bullscows_web.web.static_files import VersionedFiles

logger = logging.getLogger(__name__)

GIVEN_WAY = 1.0
"""How long each part of the preparation waits at most for those who are analysing."""

LOADING_SECONDS = 3
"""How long pages are not prepared while the search is being loaded, which takes a second unless it
is compiled: both are Python's own time, and who asks for a search waits longer than for a page."""

PACKET = 1200
"""Minimum size of a compressed response: smaller ones fit in one packet anyway."""
COMPRESSED = ("image/png", "font/woff2", "text/event-stream")
"""Media types that are compressed already, and events, which must not wait for others."""
COMPRESSION = 4
"""The gzip level: a page is 1 kB smaller than at level 1, for 0.3 ms more; level 6 saves 0.4 kB
more for another 0.3 ms."""


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the library: a server that answers has verified every tree that it plays.

    Data that pages share is prepared from then on, while the first requests are answered.
    """
    share_heap()
    settings: Settings = app.state.settings
    library = Library.open(settings.trees_dir)
    app.state.library = library
    app.state.metrics.count_trees(len(library), len(library.failed))
    app.state.results = Results.open(settings.trees_dir)
    in_line = app.state.metrics.in_line
    app.state.queue = WorkQueue(counted=lambda: in_line("pages"))
    app.state.growth = WorkQueue(counted=lambda: in_line("levels"))
    with (
        closing(Exports(settings.cache_dir)) as app.state.exports,
        closing(
            AnalysisService(
                settings.search_timeout,
                settings.search_queue_size,
                settings.memory_limit_mb * MEGABYTE,
                settings.presolve,
                ShippedOpenings.open(settings.trees_dir),
                app.state.metrics,
            )
        ) as app.state.analysis,
        preparing(app) as app.state.preparation,
    ):
        app.state.exports.prune(library)
        gc.freeze()  # the trees are there to stay: collections need not visit them
        try:
            async with app.state.matches.kept():
                yield
        finally:
            gc.unfreeze()


@contextmanager
def preparing(app: FastAPI) -> Iterator[Thread]:
    """Load the search, then prepare pages in a thread, until all is done or the server ends."""
    ended = Event()
    settings: Settings = app.state.settings
    loading = app.state.analysis.load() if settings.preload_search else None
    parts = chain(over(loading), prepare(app) if settings.prepare_pages else ())

    def work() -> None:
        try:
            for _ in takewhile(lambda _: not ended.is_set(), parts):
                give_way(app.state.analysis, ended)
        except Exception:  # the others are served all the same
            logger.exception("a page can't be prepared, nor be shown")

    thread = Thread(target=work, name="preparation", daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        ended.set()
        thread.join()


def give_way(analysis: AnalysisService, ended: Event) -> None:
    """Wait while somebody is analysing, for `GIVEN_WAY` seconds at most.

    Both need Python's own time, and a search gives it up and wants it back hundreds of times.
    """
    latest = time.monotonic() + GIVEN_WAY
    while analysis.is_asked and time.monotonic() < latest and not ended.wait(0.01):
        pass


def over(loading: Thread | None) -> Iterator[None]:
    """Wait until a thread is over, or for `LOADING_SECONDS`."""
    latest = time.monotonic() + LOADING_SECONDS
    while loading is not None and loading.is_alive() and time.monotonic() < latest:
        loading.join(0.05)
        yield


def prepare(app: FastAPI) -> Iterator[None]:
    """Make part by part what pages need and keep: a few seconds, and some megabytes.

    Otherwise the first request for each page and tree would block all others.
    """
    for language in languages():
        templates = app.state.templates.of(language)
        for name in templates.env.list_templates():
            templates.get_template(name)
            yield
    for entry in app.state.library:
        figures_of(entry)
        yield
        _ = entry.texts, GuessAnalysis(GamePosition.start(entry, shuffle=False)).comparison
        yield
    for game in GamesPage(app.state.library.games).featured:
        for level in played(game.rules):
            grow(game.rules, level)
            yield
    app.openapi()
    forget()


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return a server with these settings, by default those of the environment."""
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
    )
    app.state.settings = settings
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
    """Add all routes: those of pages exist in every language, English at / and Russian at /ru/."""
    app.mount("/static", app.state.files, name="static")
    for router in (*API, *FILES):
        app.include_router(router)
    for language in languages():
        for router in PAGES:
            app.include_router(router, prefix=language.prefix)


def add_middleware(app: FastAPI, settings: Settings) -> None:
    """Wrap the routes; the last one added is outermost."""
    app.add_middleware(
        GZipMiddleware,
        minimum_size=PACKET,
        compresslevel=COMPRESSION,
        exclude_content_types=COMPRESSED,
    )
    app.add_middleware(
        Middleware,
        metrics=app.state.metrics,
        error_response=responses.last_resort,
        hosts=settings.allowed_hosts,
        behind_tls=settings.behind_tls,
        logs_requests=settings.log_format == "json",
    )
