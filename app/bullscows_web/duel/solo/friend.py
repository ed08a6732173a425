"""A code for a friend, encrypted in a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.rules import CodeIndex
from bullscows_web.duel.encrypted_state import CipherDep, StateCipher
from bullscows_web.duel.solo.game import CodePage, SoloGame, SoloPage, after, made, to
from bullscows_web.duel.terms import decrypt_code, encrypt_code
from bullscows_web.guess.puzzle import entry_of
from bullscows_web.guess.typed_guess import GuessError, read
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.web.caching import NEVER_KEPT
from bullscows_web.web.dependencies import IN_TURN, FormDep, typed_code
from bullscows_web.web.html.frame import frame_of
from bullscows_web.web.html.rendering import respond

router = APIRouter(include_in_schema=False)
in_turn = APIRouter(dependencies=[IN_TURN], include_in_schema=False)


@in_turn.get("/duel/friend/{rules}")
def write(request: Request, library: LibraryDep, rules: str) -> Response:
    """Show the form for a code."""
    page = CodePage(entry_of(library, rules).rules)
    return respond(request, "duel/friend.html", page, section="duel")


@in_turn.post("/duel/friend/{rules}")
def encrypt(
    request: Request, library: LibraryDep, cipher: CipherDep, rules: str, form: FormDep
) -> Response:
    """Encrypt the code; it arrives in the body, so that no URL and no log contains it."""
    game = entry_of(library, rules).rules
    typed = typed_code(form, game, "code")
    try:
        code = read(game, typed)
    except GuessError as error:
        page = CodePage(game, typed[:40], error)
        return respond(request, "duel/friend.html", page, section="duel", status=422)
    url = f"/duel/friend/{game}/{encrypt_code(cipher, game, code)}/link"
    return RedirectResponse(frame_of(request, "duel").url(url), 303, NEVER_KEPT)


@in_turn.get("/duel/friend/{rules}/{token}/link")
def show_link(
    request: Request, library: LibraryDep, cipher: CipherDep, rules: str, token: str
) -> Response:
    """Show the link for the friend."""
    game = entry_of(library, rules).rules
    decrypt_code(cipher, game, token)
    page = CodePage(game, link=f"/duel/friend/{game}/{token}")
    return respond(request, "duel/friend.html", page, section="duel")


@in_turn.get("/duel/friend/{rules}/{token}")
@in_turn.get("/duel/friend/{rules}/{token}/{guesses}")
def show(
    request: Request,
    library: LibraryDep,
    cipher: CipherDep,
    rules: str,
    token: str,
    guesses: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show the game of the friend; a guess redirects to the game after it."""
    page, code = _page(library, cipher, rules, token, guesses)
    asked = made(request, page, guesses, guess)
    if isinstance(asked, Response):
        return asked
    return to(request, after(page, asked, page.rules.respond(asked, code)))


router.include_router(in_turn)


def _page(
    library: Library, cipher: StateCipher, rules: str, token: str, guesses: str
) -> tuple[SoloPage, CodeIndex]:
    rule = entry_of(library, rules).rules
    code = decrypt_code(cipher, rule, token)
    game = SoloGame.of_code(rule, code, guesses)
    return SoloPage(game, f"/duel/friend/{rule}/{token}", is_adversary=False, code=code), code
