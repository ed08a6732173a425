"""The site offline: a web app manifest, a service worker, and a page for failed requests.

The worker is a template.  It names the files to cache first, whose addresses change with their
content, and its version changes with everything that it caches, so that browsers drop old copies.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from bullscows import __version__
from bullscows_web.guess.pages import LONGEST_SHOWN
from bullscows_web.language.catalogues import languages
from bullscows_web.learn.lessons import LearnPage, steps
from bullscows_web.play.pages import MAX_TURNS
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.pages import GamesPage
from bullscows_web.web.caching import FilesDep
from bullscows_web.web.rendering import document, respond, templates_of

router = APIRouter()
worker = APIRouter()
"""The service worker of all languages, at the root, because its scope is the whole site."""

FOLDERS = ("scripts", "styles")
"""Static folders whose files are all cached."""
FILES = ("vendor/htmx-4.0.1.min.js", "icons/favicon.svg")
"""Further static files to cache."""
MAX_CODES = 10_000
"""The most codes of a game that is played offline: its tree takes about 170 kB as JSON."""


@dataclass(frozen=True)
class OfflinePage:
    """The page shown for a page without a cached copy."""

    longest: ClassVar[int] = MAX_TURNS
    """The most turns that the statistics of a browser count."""
    bars: ClassVar[int] = LONGEST_SHOWN
    """The number of bars of the results of puzzles."""


@router.get("/offline")
def show(request: Request) -> Response:
    """Show that the requested page is not available offline."""
    return respond(request, "home/offline.html", OfflinePage())


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> Response:
    """Return the web app manifest; the browser's buttons stay visible, for Back."""
    return document(request, "home/manifest.webmanifest", "application/manifest+json")


def lesson_pages(step: LearnPage) -> list[str]:
    """Return the pages from which scripts make the others of a step: of an exercise two."""
    return [step.start, step.solved] if step.exercise else [step.start]


@worker.get("/worker.js")
def work(request: Request, library: LibraryDep, static: FilesDep) -> Response:
    """Return the service worker."""
    names = [*FILES, *(name for folder in FOLDERS for name in static.names(folder))]
    prefixes = [language.prefix for language in languages()]
    files = [*map(static.address, names), *(f"{prefix}/offline" for prefix in prefixes)]
    cached = "\n".join((__version__, library.version, templates_of(request).version, *files))
    first = [game.entries[0] for game in GamesPage(library.games).featured]
    values = {
        "version": sha256(cached.encode()).hexdigest()[:16],
        "files": files,
        "prefixes": prefixes[::-1],  # the longer ones first
        "lessons": [path for each in steps() for path in lesson_pages(each)],
        "puzzles": [f"/guess/{entry.rules}" for entry in first[:1]],
        "games": [entry.name for entry in first],
        "trees": [entry.name for entry in library if entry.rules.size <= MAX_CODES],
    }
    return document(request, "home/worker.js", "text/javascript; charset=utf-8", values)
