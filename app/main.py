"""The application: settings in, ASGI app out.

`create_app` is a factory, so that tests and `uvicorn --factory app.main:create_app` make as many
as they like; nothing happens at import.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app import api, docs, errors, health, openapi
from app.analyst import Desk
from app.exports import Exports
from app.head import HeadMiddleware
from app.library import Library
from app.metrics import Metrics, MetricsMiddleware
from app.pages import error_page, install_pages
from app.preparation import prepare
from app.security import RequestGuard, SecurityHeaders
from app.serving import configure_logging
from app.settings import Settings
from app.workshop import Workshop
from engine import __version__
from engine.analysis.memory import MEGABYTE

DESCRIPTION = """\
You think of a code, the server guesses it along a strategy tree. A tree whose `proof` is `exact`
was proved optimal by an exhaustive search. `POST /api/v1/guess` names the best guess in any other
position too, and says what is proved of it.

A session's id is its whole state. The server stores nothing, so an earlier id is undo, and a
session lasts as long as its tree does.

The code of a puzzle, `/guess/RULES/SEED` or `/guess/RULES/YYYY-MM-DD` among the pages, is public by
design: it follows from that address. It is number `n mod size` of the codes of RULES in
lexicographic order, counted from 0, where n is the SHA-256 hash of the text
`bullscows/guess/RULES/SEED`, most significant byte first. So whoever wants to can work it out, and
a result that somebody shares proves nothing: do not build contests on puzzles. The puzzle of a day
opens at midnight UTC; before that its page is a problem `not-open` with status 404.

The pages of any site may use this API: every answer allows it (`Access-Control-Allow-Origin: *`),
and no request needs credentials.

Errors are problem documents (RFC 9457). Within `/api/v1` fields may be added; none is renamed,
removed or given another meaning.
"""
TAGS = [
    {"name": "trees", "description": "Strategy trees and their nodes."},
    {"name": "sessions", "description": "Games in which the server guesses."},
    {"name": "positions", "description": "The best guess in any position of any game."},
    {"name": "codes", "description": "Codes and answers."},
    {"name": "problems", "description": "What can go wrong."},
]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the library: a server that answers has verified every tree that it plays.

    Templates are compiled here as well, and what pages share is made, so that no visitor waits.
    """
    settings: Settings = app.state.settings
    app.state.library = Library.open(settings.trees)
    app.state.metrics.count_trees(app.state.library)
    app.state.renderer.compile()
    app.openapi()
    prepare(app.state.library)
    app.state.desk = Desk(
        settings.search_seconds, settings.searches_waiting, settings.memory * MEGABYTE
    )
    app.state.workshop = Workshop()
    with closing(Exports(settings.cache)) as exports:
        exports.prune(app.state.library)
        app.state.exports = exports
        yield
    app.state.desk.close()


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return a server with these settings, by default those of the environment."""
    settings = settings or Settings()
    configure_logging()
    app = FastAPI(
        title="Bulls & Cows, solved",
        summary="Strategy trees for Bulls & Cows and Mastermind, and games along them.",
        description=DESCRIPTION,
        version=__version__,
        license_info={"name": "MIT License", "identifier": "MIT"},
        openapi_tags=TAGS,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.metrics = Metrics()
    errors.install(app, error_page)
    app.include_router(health.router)
    app.include_router(api.router)
    app.include_router(docs.router)
    openapi.install(app)
    install_pages(app)
    add_middleware(app, settings)
    return app


def add_middleware(app: FastAPI, settings: Settings) -> None:
    """Wrap the routes; what is added last is outermost."""
    app.add_middleware(GZipMiddleware)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(RequestGuard, hosts=settings.hosts)
    app.add_middleware(errors.ErrorBoundary)
    app.add_middleware(SecurityHeaders, behind_tls=settings.behind_tls)
    app.add_middleware(MetricsMiddleware, metrics=app.state.metrics)
