"""What makes the site usable offline: a manifest, a service worker, and a page of last resort.

The worker is a template, because it names the files to fetch first, whose addresses change with
their content, and because it has to change with everything that it keeps: with another version a
browser drops all that the last one kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from fastapi import APIRouter, Request, Response

from bullscows import __version__
from bullscows_web.language.catalogues import languages
from bullscows_web.play.pages import MAX_TURNS
from bullscows_web.trees.dependencies import LibraryDep
from bullscows_web.web.caching import compared
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import Renderer, respond

router = APIRouter(include_in_schema=False)
worker = APIRouter(include_in_schema=False)
"""The service worker, one for all languages, at the root because it serves what lies below."""

ROOMS = ("scripts", "styles")
"""The rooms of files that pages need offline, each file of them."""
FILES = ("vendor/htmx-4.0.1.min.js", "icons/favicon.svg")
"""What they need of others."""
ICONS = (("favicon.svg", "any"), ("icon-192.png", "192x192"), ("icon-512.png", "512x512"))


@dataclass(frozen=True)
class OfflinePage:
    """A page that can't be had."""

    @property
    def longest(self) -> int:
        """The most turns of a game that the tally counts."""
        return MAX_TURNS


@router.get("/offline")
def show(request: Request) -> Response:
    """Show what is shown in place of a page of which there is no copy."""
    return respond(request, "home/offline.html", OfflinePage())


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> Response:
    """Return what a browser asks before it installs the site; its own buttons stay, for Back."""
    frame, renderer = frame_of(request, ""), _renderer(request)
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
            {"src": renderer.asset(f"icons/{name}"), "sizes": sizes, "type": _icon_type(name)}
            | ({"purpose": "any maskable"} if sizes == "512x512" else {})
            for name, sizes in ICONS
        ],
    }
    text = json.dumps(content, ensure_ascii=False).encode()
    return compared(request, text, "application/manifest+json")


@worker.get("/worker.js")
def work(request: Request, library: LibraryDep) -> Response:
    """Return the service worker."""
    renderer, own = _renderer(request), request.app.state.files
    needed = [*FILES, *(name for room in ROOMS for name in own.names(room))]
    offline = [(f"{language.prefix}/", f"{language.prefix}/offline") for language in languages()]
    files = [*map(renderer.asset, needed), *(path for _, path in offline)]
    kept = "\n".join((__version__, library.version, renderer.version, *files))
    names = {
        "version": sha256(kept.encode()).hexdigest()[:16],
        "files": files,
        "offline": offline[::-1],  # the longer prefixes first
    }
    script = renderer.text("home/worker.js", names)
    return compared(request, script.encode(), "text/javascript; charset=utf-8")


def _renderer(request: Request) -> Renderer:
    renderer: Renderer = request.app.state.renderer
    return renderer


def _icon_type(name: str) -> str:
    return "image/svg+xml" if name.endswith(".svg") else "image/png"
