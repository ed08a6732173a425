"""The pages of a game: its beginning, the board, the end, and "None of these is right"."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import RedirectResponse

from bullscows.game.notation import read_code
from bullscows.game.rules import AnswerIndex, CodeError
from bullscows_web.play.pages import PlayPage, WrongAnswersPage, suspects, unoffered
from bullscows_web.trees.library import Entry, EntryDep, LibraryDep
from bullscows_web.trees.links import Links
from bullscows_web.trees.pages import GamesPage
from bullscows_web.trees.position import ContradictionError, GamePosition, typed_answer
from bullscows_web.web.caching import NO_STORE
from bullscows_web.web.dependencies import IN_TURN, QueueDep, count_guess, pegs_in
from bullscows_web.web.frame import frame_of
from bullscows_web.web.rendering import respond

router = APIRouter(include_in_schema=False)


async def get_position(
    request: Request, library: LibraryDep, tree: str, token: str, answers: str = ""
) -> GamePosition:
    """Return the position of `/play/{tree}/{token}/{answers}`, and count its guess."""
    position = GamePosition.parse(library, tree, token, answers)
    if not position.is_finished:
        count_guess(request, position.entry.name)
    return position


PositionDep = Annotated[GamePosition, Depends(get_position)]


@router.get("/play/{tree}/{token}/none", dependencies=[IN_TURN])
@router.get("/play/{tree}/{token}/{answers}/none", dependencies=[IN_TURN])
def show_wrong_answers(
    request: Request,
    position: PositionDep,
    answer: Annotated[str, Query(max_length=20)] = "",
    secret: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Look for the earlier answers that may be wrong, because none of the offered ones fits.

    The right answer to the guess on the board shortens the list; the secret shows which answers
    are wrong.  A game that has ended offers no answer, and one that
    is offered after all can just be given: both lead to the game.
    """
    if position.is_finished:
        return _to_game(request, position)
    if answer:
        return _after_answer(request, position, typed_answer(position.entry.rules, answer))
    if pegs := pegs_in(request.query_params, position.entry.rules):
        return RedirectResponse(_links(request).wrong_answers(position, secret=pegs), 303)
    page = _diagnosis(position, secret)
    status = 422 if page.secret_error else 200
    return respond(
        request, "play/wrong_answers.html", page, section="play", status=status, versioned=True
    )


def _to_game(request: Request, position: GamePosition) -> Response:
    return RedirectResponse(_links(request).position(position), 303)


def _after_answer(request: Request, position: GamePosition, answer: AnswerIndex) -> Response:
    try:
        return _to_game(request, position.after(answer))
    except ContradictionError:
        right = position.entry.rules.answers[answer]
        page = WrongAnswersPage(position, right, suspects(position, answer))
        return respond(request, "play/wrong_answers.html", page, section="play", versioned=True)


def _diagnosis(position: GamePosition, typed: str) -> WrongAnswersPage:
    """Return the page about no secret, a secret, or a text that is none and stays as typed."""
    rules = position.entry.rules
    page = WrongAnswersPage(position, None, suspects(position), unoffered(position), typed.strip())
    if not page.secret:
        return page
    try:
        code = read_code(rules, page.secret)
    except CodeError:
        return page
    return replace(page, secret=rules.text(code), code=code)


@router.get("/play/{tree}/{token}")
@router.get("/play/{tree}/{token}/{answers}")
async def show(
    request: Request, queue: QueueDep, position: PositionDep, analysis: str = ""
) -> Response:
    """Show the guess and the possible answers, or the end; with an analysis if that is wanted.

    A page is rendered here and now; an analysis waits for its turn in the queue.
    """
    page = PlayPage(position, analysis)

    def render() -> Response:
        return respond(request, "play/page.html", page, section="play", versioned=True)

    return await queue.make(render) if page.guess_analysis else render()


@router.get("/play")
def start(
    request: Request,
    library: LibraryDep,
    tree: Annotated[str, Query(max_length=100)] = "",
    shuffle: bool = False,
) -> Response:
    """Show the strategies to choose from, or draw a relabelling and begin a game with one."""
    if not tree:
        return respond(
            request, "play/choose.html", GamesPage(library.games), section="play", versioned=True
        )
    return _begin(request, library.tree(tree), shuffle=shuffle)


@router.get("/play/{tree}")
def start_anew(request: Request, entry: EntryDep) -> Response:
    """Begin a game whose address names the tree alone, under a relabelling as the form has it."""
    return _begin(request, entry, shuffle=True)


def _begin(request: Request, entry: Entry, *, shuffle: bool) -> Response:
    position = GamePosition.start(entry, shuffle=shuffle)
    return RedirectResponse(_links(request).position(position), 303, NO_STORE)


def _links(request: Request) -> Links:
    return Links(frame_of(request, "play"))
