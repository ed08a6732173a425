"""The page behind the last tab of a phone: the places that have no tab of their own."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class MorePage:
    """The places, which the template names."""


@router.get("/more")
def show(request: Request) -> Response:
    """Show where else to look."""
    return respond(request, "home/more.html", MorePage(), section="more", lasting=True)
