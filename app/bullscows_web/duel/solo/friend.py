"""A code for a friend, encrypted in a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from bullscows.game.rules import Rules
from bullscows_web.duel.encrypted_state import CipherDep
from bullscows_web.duel.solo.game import SoloPage, answered, guesses_of, made
from bullscows_web.duel.terms import decrypt_code, encrypt_code
from bullscows_web.guess.puzzle import RulesDep
from bullscows_web.guess.typed_guess import GuessError, read
from bullscows_web.trees.pages import OfGame
from bullscows_web.web.caching import NEVER_KEPT
from bullscows_web.web.dependencies import IN_TURN, FormDep, typed_code
from bullscows_web.web.html.frame import redirect
from bullscows_web.web.html.rendering import respond

router = APIRouter(dependencies=[IN_TURN], include_in_schema=False)


@dataclass(frozen=True)
class CodePage(OfGame):
    """Context of the form for a code, or of the link to it."""

    rules: Rules
    typed: str = ""
    """The typed text, if it is not a code."""
    error: GuessError | None = None
    link: str = ""
    """The path that the friend gets."""


@router.get("/duel/friend/{rules}")
def write(request: Request, rules: RulesDep) -> Response:
    """Show the form for a code."""
    return respond(request, "duel/friend.html", CodePage(rules), section="duel")


@router.post("/duel/friend/{rules}")
def encrypt(request: Request, cipher: CipherDep, rules: RulesDep, form: FormDep) -> Response:
    """Encrypt the code; it arrives in the body, so that no URL and no log contains it."""
    typed = typed_code(form, rules, "code")
    try:
        code = read(rules, typed)
    except GuessError as error:
        page = CodePage(rules, typed[:40], error)
        return respond(request, "duel/friend.html", page, section="duel", status=422)
    url = f"/duel/friend/{rules}/{encrypt_code(cipher, rules, code)}/link"
    return redirect(request, url, headers=NEVER_KEPT)


@router.get("/duel/friend/{rules}/{token}/link")
def show_link(request: Request, cipher: CipherDep, rules: RulesDep, token: str) -> Response:
    """Show the link for the friend."""
    decrypt_code(cipher, rules, token)
    page = CodePage(rules, link=f"/duel/friend/{rules}/{token}")
    return respond(request, "duel/friend.html", page, section="duel")


@router.get("/duel/friend/{rules}/{token}")
@router.get("/duel/friend/{rules}/{token}/{guesses}")
def show(
    request: Request,
    cipher: CipherDep,
    rules: RulesDep,
    token: str,
    guesses: str = "",
    guess: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Show the game of the friend; a guess redirects to the game after it."""
    code = decrypt_code(cipher, rules, token)
    base = f"/duel/friend/{rules}/{token}"
    page = SoloPage(guesses_of(rules, code, guesses), base, code=code)
    asked = made(request, page, guesses, guess)
    if isinstance(asked, Response):
        return asked
    return answered(request, page, asked, rules.respond(asked, code))
