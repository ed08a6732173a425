"""The application: settings in, ASGI app out.

`create_app` is a factory, so that tests and `uvicorn --factory app.main:create_app` make as many
as they like; nothing happens at import.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from app import health
from app.library import Library
from app.metrics import Metrics, MetricsMiddleware
from app.settings import Settings
from engine import __version__


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the library: a server that answers has verified every tree that it plays."""
    app.state.library = Library.open(app.state.settings.trees)
    app.state.metrics.count_trees(app.state.library)
    yield


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return a server with these settings, by default those of the environment."""
    settings = settings or Settings()
    app = FastAPI(
        title="Bulls & Cows, solved",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.metrics = Metrics()
    app.add_middleware(MetricsMiddleware, metrics=app.state.metrics)
    app.include_router(health.router)
    app.mount("/static", StaticFiles(directory=settings.static, check_dir=False), name="static")
    return app
