"""The site offline: a web app manifest, a service worker, and a page for failed requests.

The worker is a template.  It names the files to cache first, whose addresses change with their
content, and its version changes with everything that it caches, so that browsers drop old copies.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_type
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from bullscows import __version__
from bullscows_web.guess.pages import LONGEST_SHOWN
from bullscows_web.language.catalogues import languages
from bullscows_web.learn.lessons import LearnPage, steps
from bullscows_web.play.pages import MAX_TURNS
from bullscows_web.trees.library import LibraryDep
from bullscows_web.trees.pages import GamesPage
from bullscows_web.web.caching import FilesDep, hashed_response
from bullscows_web.web.frame import frame_of
from bullscows_web.web.rendering import respond, templates_of

router = APIRouter()
worker = APIRouter()
"""The service worker of all languages, at the root, because its scope is the whole site."""

FOLDERS = ("scripts", "styles")
"""Static folders whose files are all cached."""
FILES = ("vendor/htmx-4.0.1.min.js", "icons/favicon.svg")
"""Further static files to cache."""
MAX_CODES = 10_000
"""The most codes of a game that is played offline: its tree takes about 170 kB as JSON."""
ICONS = (("favicon.svg", "any"), ("icon-192.png", "192x192"), ("icon-512.png", "512x512"))


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
def manifest(request: Request, static: FilesDep) -> Response:
    """Return the web app manifest; the browser's buttons stay visible, for Back."""
    frame = frame_of(request)
    _ = frame.language.gettext
    content = {
        "name": _("Bulls & Cows, solved"),
        "short_name": _("Bulls & Cows"),
        "lang": frame.language.code,
        "id": frame.url("/"),
        "start_url": frame.url("/"),
        "scope": "/",
        "display": "minimal-ui",
        "background_color": "#f3f5ef",
        "theme_color": "#0e4a33",
        "icons": [
            {"src": static.address(f"icons/{name}"), "sizes": sizes, "type": guess_type(name)[0]}
            | ({"purpose": "any maskable"} if sizes == "512x512" else {})
            for name, sizes in ICONS
        ],
        "shortcuts": [
            {"name": name, "url": frame.url(path)}
            for name, path in (
                (_("Daily"), "/daily"),
                (_("Computer guesses"), "/play"),
                (_("Duel"), "/duel"),
            )
        ],
    }
    text = json.dumps(content, ensure_ascii=False).encode()
    return hashed_response(request, text, "application/manifest+json")


def lesson_pages(step: LearnPage) -> list[str]:
    """Return the pages from which scripts make the others of a step: of an exercise two."""
    return [step.start, step.solved] if step.exercise else [step.start]


@worker.get("/worker.js")
def work(request: Request, library: LibraryDep, static: FilesDep) -> Response:
    """Return the service worker."""
    templates = templates_of(request)
    names = [*FILES, *(name for folder in FOLDERS for name in static.names(folder))]
    prefixes = [language.prefix for language in languages()]
    files = [*map(static.address, names), *(f"{prefix}/offline" for prefix in prefixes)]
    cached = "\n".join((__version__, library.version, templates.version, *files))
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
    english = templates.of(languages()[0])
    script = english.get_template("home/worker.js").render(values)
    return hashed_response(request, script.encode(), "text/javascript; charset=utf-8")
