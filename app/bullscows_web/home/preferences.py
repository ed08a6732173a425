"""The page on which visitors choose how pegs look; what they choose stays in their browser."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class PreferencesPage:
    """The choices, which the template names; the server doesn't learn them."""


@router.get("/preferences")
def show(request: Request) -> Response:
    """Show what can be chosen."""
    page = PreferencesPage()
    return respond(request, "home/preferences.html", page, section="more", lasting=True)
