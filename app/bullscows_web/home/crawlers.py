"""Files that crawlers and browsers ask for by name, such as `robots.txt` and `favicon.ico`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.responses import FileResponse, PlainTextResponse

from bullscows_web.language.catalogues import languages
from bullscows_web.statistics.results import Results, ResultsDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.web.caching import FilesDep
from bullscows_web.web.dependencies import SettingsDep
from bullscows_web.web.frame import frame_of
from bullscows_web.web.rendering import document

files = APIRouter()
"""One of each for all languages."""

PAGES = (
    *("/", "/play", "/guess", "/duel", "/match", "/trees", "/compare", "/analyse", "/statistics"),
    *("/answer", "/daily", "/learn", "/learn/2/1", "/paste"),
    *("/statistics/columns", "/results", "/atlas", "/about", "/more", "/preferences", "/privacy"),
)
"""Pages that always exist."""

DISALLOWED = (
    "/play/",
    "/guess/*/",
    "/duel/*/",
    "/match/",
    "/analyse/*?",
    "/review/",
    "/puzzle/",
    "/embed/",
    "/api/",
)
"""Paths of games and searches, of which there are too many to crawl."""

VALID_DAYS = 180
"""Validity of `security.txt` in days."""


@files.get("/robots.txt")
def robots(request: Request) -> PlainTextResponse:
    """Keep crawlers away from games and searches."""
    prefixes = [language.prefix for language in languages()]
    disallowed = [f"Disallow: {prefix}{path}" for prefix in prefixes for path in DISALLOWED]
    sitemap = f"Sitemap: {frame_of(request).origin}/sitemap.xml"
    return PlainTextResponse("\n".join(("User-agent: *", *disallowed, "", sitemap, "")))


@files.get("/favicon.ico")
def favicon(static: FilesDep) -> FileResponse:
    """Return the icon for clients that read no HTML; pages name another one."""
    path, _ = static.lookup_path("icons/favicon.ico")
    return FileResponse(path, headers={"Cache-Control": "public, max-age=86400"})


@files.get("/apple-touch-icon.png")
def touch_icon(static: FilesDep) -> FileResponse:
    """Return the icon for phones that put a page on their home screen without reading it."""
    path, _ = static.lookup_path("icons/icon-192.png")
    return FileResponse(path, headers={"Cache-Control": "public, max-age=86400"})


@files.get("/sitemap.xml")
def sitemap(request: Request, library: LibraryDep, results: ResultsDep) -> Response:
    """List all pages but games, in all languages."""
    values = {"paths": list(pages(library, results)), "languages": languages()}
    return document(request, "home/sitemap.xml", "application/xml", values)


@files.get("/.well-known/security.txt")
def security(request: Request, settings: SettingsDep) -> PlainTextResponse:
    """Return the contact for vulnerability reports (RFC 9116), if the settings have one."""
    if not settings.security_contact:
        raise HTTPException(404, "the operator of this server has set no contact")
    expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=VALID_DAYS)
    lines = (
        f"Contact: {settings.security_contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(language.code for language in languages())}",
        f"Canonical: {frame_of(request).origin}/.well-known/security.txt",
        "",
    )
    return PlainTextResponse("\n".join(lines))


def pages(library: Library, results: Results) -> Iterator[str]:
    """Yield the paths of all pages but games, without a language."""
    yield from PAGES
    for entry in library:
        yield f"/trees/{entry.name}"
        yield f"/statistics/{entry.name}"
    for game in library.games:
        yield f"/analyse/{game.rules}"
    for name in results.tables:
        yield f"/results/{name}"
    for rules in results.atlas.games:
        yield f"/atlas/{rules}"
