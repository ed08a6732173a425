"""The duel: its levels, its turns, and the answers that may be wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from bullscows.game.rules import Rules
from bullscows_web.duel import solo
from bullscows_web.duel.levels import FORMER, LevelName, levels, played
from bullscows_web.duel.pages import ChoicePage, CorrectionsPage, DuelPage, LevelsPage
from bullscows_web.duel.state import Duel, Terms
from bullscows_web.guess.puzzle import RulesDep
from bullscows_web.guess.typed_guess import GuessError
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import Library, LibraryDep
from bullscows_web.trees.position import typed_answer
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import IN_TURN, GuessQuery, guess_in
from bullscows_web.web.encrypted_state import CipherDep
from bullscows_web.web.exceptions import NotFoundError
from bullscows_web.web.frame import redirect
from bullscows_web.web.rendering import respond


def duel_of(
    library: LibraryDep, cipher: CipherDep, rules: RulesDep, token: str, moves: str = ""
) -> Duel:
    """Return the duel of a page's URL; see `Duel.parse`."""
    return Duel.parse(library, cipher, rules, token, moves)


DuelDep = Annotated[Duel, Depends(duel_of)]


router = APIRouter(include_in_schema=False)
in_turn = APIRouter(dependencies=[IN_TURN], include_in_schema=False)


@router.get("/duel", dependencies=[IN_TURN])
def choose(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Show the games to choose from, or the levels of a game that is described by its numbers."""
    page = _choice(library, custom or CustomGame())
    if custom is not None and not page.custom.flaw:
        return redirect(request, f"/duel/{custom.rules}")
    status = 200 if custom is None else 422
    return respond(request, "duel/choose.html", page, section="duel", status=status)


@router.get("/duel/size")
def size(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Say how many codes the game has whose numbers are being typed."""
    page = _choice(library, custom or CustomGame("", ""))
    return respond(request, "duel/choose.html", page, section="duel", block="size")


def _choice(library: Library, custom: CustomGame) -> ChoicePage:
    played = frozenset(game.rules for game in library.games)
    return ChoicePage(library.games, replace(custom, played=played))


router.include_router(solo.router)  # before the tokens: their names are no games


@in_turn.get("/duel/{rules}")
def choose_level(request: Request, library: LibraryDep, rules: RulesDep) -> Response:
    """Show the levels of a game, and how each fares."""
    page = LevelsPage(rules, levels(library, rules))
    return respond(request, "duel/levels.html", page, section="duel")


@in_turn.get("/duel/{rules}/new")
def begin(
    request: Request,
    library: LibraryDep,
    cipher: CipherDep,
    rules: RulesDep,
    level: Annotated[str, Query(max_length=20)] = "",
    begins: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """Draw a code and encrypt it into the URL; by default the visitor begins, at the weakest."""
    terms = Terms.draw(rules, _level(library, rules, level), visitor_begins=begins != "computer")
    return redirect(request, f"/duel/{rules}/{terms.token(cipher)}", headers=NO_STORE)


@in_turn.get("/duel/{rules}/{token}/none")
@in_turn.get("/duel/{rules}/{token}/{moves}/none")
def show_corrections(
    request: Request,
    library: LibraryDep,
    duel: DuelDep,
    answer: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Show corrections, because none of the offered answers is right."""
    if duel.mover != "computer" and duel.refused is None:
        return _to(request, duel)
    if answer and duel.refused is None:
        duel = duel.answered(typed_answer(duel.rules, answer))
        if duel.refused is None:
            return _to(request, duel)
    return _corrections(request, library, duel, 200)


@in_turn.get("/duel/{rules}/{token}")
@in_turn.get("/duel/{rules}/{token}/{moves}")
def show(
    request: Request,
    library: LibraryDep,
    duel: DuelDep,
    moves: str = "",
    guess: GuessQuery = None,
) -> Response:
    """Show a duel; a valid guess redirects to the duel after it."""
    if duel.refused is not None:
        return _corrections(request, library, duel, 409)
    page = DuelPage(duel, library)
    typed = guess_in(request, duel.rules, guess)
    if moves != duel.moves or (typed is not None and duel.mover != "visitor"):
        return _to(request, duel)
    if typed is None:
        return respond(request, "duel/page.html", page, section="duel")
    try:
        return _to(request, duel.ask(typed))
    except GuessError as error:
        wrong = replace(page, error=error)
        return respond(request, "duel/page.html", wrong, section="duel", status=422)


router.include_router(in_turn)


def _level(library: Library, rules: Rules, name: str) -> LevelName:
    """Return a level by its name, or by its name in version 1.0; the weakest without a name."""
    known = played(library, rules)
    wanted = FORMER.get(name, name)
    found = next((each for each in known if each == wanted), None if name else known[0])
    if found is None:
        raise NotFoundError("level", name, rules)
    return found


def _to(request: Request, duel: Duel) -> Response:
    return redirect(request, f"/duel/{duel.path}")


def _corrections(request: Request, library: Library, duel: Duel, status: int) -> Response:
    page = CorrectionsPage(duel, library)
    return respond(request, "duel/corrections.html", page, section="duel", status=status)
