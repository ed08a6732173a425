"""Pages of the lessons."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.learn.lessons import LearnPage
from bullscows_web.web.frame import redirect
from bullscows_web.web.rendering import respond

router = APIRouter(include_in_schema=False)


@router.get("/learn")
@router.get("/learn/{lesson}/{step}")
@router.get("/learn/{lesson}/{step}/{guesses}")
async def show(
    request: Request,
    lesson: str = "1",
    step: str = "1",
    guesses: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show a step; a valid `guess` redirects to the step after it, an invalid one is explained."""
    try:
        page = LearnPage.parse(lesson, step, guesses)
        if guess is None:
            return _show(request, page)
        return redirect(request, page.after(guess).path)
    except GuessError as error:
        return _show(request, replace(page, typed=guess or "", error=error), 422)
    except LookupError as error:
        raise HTTPException(404, str(error)) from None


def _show(request: Request, page: LearnPage, status: int = 200) -> Response:
    template = "learn/page.html"
    return respond(request, template, page, section="learn", status=status, lasting=True)
