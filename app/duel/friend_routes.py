"""A code of one's own for a friend: written here, sealed into a link, guessed by whoever has it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import RedirectResponse

from app.duel.keeper import Kept
from app.duel.kept_pages import CodePage, KeptPage
from app.duel.seal import SealerDep
from app.duel.terms import open_code, seal_code
from app.guess.puzzle import entry_of
from app.guess.typed_guess import GuessError, read
from app.trees.dependencies import LibraryDep
from app.web.caching import NEVER_KEPT
from app.web.dependencies import IN_TURN, chosen_pegs
from app.web.frame import frame_of
from app.web.rendering import respond

router = APIRouter(dependencies=[IN_TURN])


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields that were sent in the body."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace")))


FormDep = Annotated[dict[str, str], Depends(read_form)]


@router.get("/duel/friend/{rules}")
def write(request: Request, library: LibraryDep, rules: str) -> Response:
    """Ask for a code."""
    page = CodePage(entry_of(library, rules).rules)
    return respond(request, "duel/friend.html", page, section="duel")


@router.post("/duel/friend/{rules}")
def seal(
    request: Request, library: LibraryDep, sealer: SealerDep, rules: str, told: FormDep
) -> Response:
    """Seal the code that was written; it comes in the body, so no address and no log has it."""
    game = entry_of(library, rules).rules
    pegs = [told.get(f"peg{place}", "")[:1] or "_" for place in range(1, game.positions + 1)]
    typed = told.get("code", "" if set(pegs) == {"_"} else "".join(pegs))
    text = "".join(typed.split()).lower()
    try:
        code = read(game, text[:100])
    except GuessError as error:
        page = CodePage(game, typed[:40], error)
        return respond(request, "duel/friend.html", page, section="duel", status=422)
    url = f"/duel/friend/{game}/{seal_code(sealer, game, code)}/link"
    return RedirectResponse(frame_of(request, "duel").url(url), 303, NEVER_KEPT)


@router.get("/duel/friend/{rules}/{seal}/link")
def show_link(
    request: Request, library: LibraryDep, sealer: SealerDep, rules: str, seal: str
) -> Response:
    """Show the link for the friend."""
    game = entry_of(library, rules).rules
    open_code(sealer, game, seal)
    page = CodePage(game, link=f"/duel/friend/{game}/{seal}")
    return respond(request, "duel/friend.html", page, section="duel")


@router.get("/duel/friend/{rules}/{seal}")
@router.get("/duel/friend/{rules}/{seal}/{guesses}")
def show(
    request: Request,
    library: LibraryDep,
    sealer: SealerDep,
    rules: str,
    seal: str,
    guesses: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show the game of whoever guesses a friend's code; a guess leads to the game after it."""
    rule = entry_of(library, rules).rules
    code = open_code(sealer, rule, seal)
    game = Kept.of_code(rule, code, guesses)
    page = KeptPage(game, f"/duel/friend/{rule}/{seal}", dodging=False, code=code)
    typed = chosen_pegs(request, rule) if guess is None else guess
    if guesses != game.guesses or (typed is not None and game.is_over):
        return RedirectResponse(frame_of(request, "duel").url(page.here), 303)
    if typed is None:
        return respond(request, "duel/keeper.html", page, section="duel")
    try:
        asked = Kept(game.history.after(made := game.ask(typed), rule.respond(made, code)))
    except GuessError as error:
        wrong = replace(page, typed=typed, error=error)
        return respond(request, "duel/keeper.html", wrong, section="duel", status=422)
    return RedirectResponse(frame_of(request, "duel").url(replace(page, game=asked).here), 303)
