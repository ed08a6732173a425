"""Pages of matches: start, invitation, boards, end.

Every change is a POST that redirects, so that everything works without scripts. A player's token
is in a cookie that scripts cannot read; the middleware refuses the forms of other sites. A private
link carries the token as its fragment, which a browser sends to nobody: `match.js` posts it here.
Nothing is kept by caches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request, Response

from bullscows.game.rules import Rules
from bullscows_web.guess.puzzle import MAX_CODES, small_game
from bullscows_web.guess.typed_guess import GuessError, read, read_new
from bullscows_web.language.catalogues import languages
from bullscows_web.language.words import BULLS_COWS
from bullscows_web.match.pages import LossesPage, MatchPage, StartPage
from bullscows_web.match.rules import (
    KEPT,
    MAX_PLAYERS,
    Begins,
    MatchError,
    New,
    Once,
    new_token,
)
from bullscows_web.match.service import Matches, MatchesDep, View
from bullscows_web.review.reviewed import Game, review
from bullscows_web.search.service import SearchDep
from bullscows_web.trees.custom_game import CustomGame, CustomGameDep
from bullscows_web.trees.library import LibraryDep
from bullscows_web.web import text_patterns
from bullscows_web.web.caching import NO_STORE, PRIVATE, hashed_response
from bullscows_web.web.dependencies import FormDep, WordQuery, client_of, typed_code
from bullscows_web.web.frame import PollsQuery, redirect, wants_fragment
from bullscows_web.web.queue import WorkQueue
from bullscows_web.web.rendering import respond

router = APIRouter()

COOKIE = "match_"
"""Name of a player's cookie, before the id of the match."""
MAX_DIGITS = 4
"""The most digits of a number in a form."""
LISTED = 30
"""The most matches that a browser keeps; the cookies of older ones are deleted, as many at once."""
MAX_COOKIES = 2_000
"""The most cookies that are read: more than browsers keep."""
ROUNDED = 5
"""Seconds to which presence is rounded down."""
_TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
_PRIVATE = re.compile(rf"([a-z2-7]{{29}})#({_TOKEN.pattern})\s*$", re.ASCII)
"""The end of a private link."""
_PASSED = frozenset(
    {"not-your-turn", "turn-played", "match-not-started", "match-finished", "match-full"}
)
"""Refusals of a move by a page that is not up to date: its reload says all."""


# -- start -------------------------------------------------------------------------------------


@router.get("/match")
async def start(
    request: Request,
    library: LibraryDep,
    matches: MatchesDep,
    custom: CustomGameDep,
    rules: WordQuery = "",
    kind: WordQuery = "",
) -> Response:
    """Show the form of a new match, and the matches of this browser."""
    custom = replace(custom, most=MAX_CODES)
    if custom.is_chosen:
        return redirect(request, f"/match?rules={custom.rules}")
    game = small_game(rules) if rules else BULLS_COWS
    tokens = _tokens(request)
    views = await matches.views(tokens, LISTED)
    gone = [id for id in tokens if id not in {view.match.id for view in views}]
    open = [MatchPage(view) for view in views]
    page = StartPage(library.games, game, custom, open, form={"kind": kind})
    response = await _page(request, "match/start.html", page, custom.status)
    for id in gone[:LISTED]:
        for path in _paths():
            response.delete_cookie(COOKIE + id, path)
    return response


@router.get("/match/size")
def size(request: Request, library: LibraryDep, custom: CustomGameDep) -> Response:
    """Say how many codes the game has whose numbers are being typed."""
    page = StartPage(library.games, BULLS_COWS, replace(custom, most=MAX_CODES))
    return respond(request, "match/start.html", page, block=custom.block)


@router.post("/match")
async def create(
    request: Request, library: LibraryDep, matches: MatchesDep, form: FormDep
) -> Response:
    """Create a match, and give its creator the cookie."""
    game = small_game(form.get("rules", ""))
    kind = form.get("kind", "match")
    begins = form.get("begins")
    try:
        secret = _secret(form, game) if kind != "race" else None
    except GuessError as error:
        custom = CustomGame(most=MAX_CODES)
        page = StartPage(library.games, game, custom, form=form, error=error)
        return await _page(request, "match/start.html", page, 422)
    new = New(
        game,
        "match" if kind == "match" else "race",
        secret,
        cast(Begins, begins) if begins in ("creator", "guest") else "random",
        2 if kind == "match" else _number(form.get("players", ""), 2, MAX_PLAYERS),
        kind != "set",
        form.get("name", ""),
    )
    token = form.get("token", "")
    once = Once.of(f"{token} {new}") if _TOKEN.fullmatch(token) else None
    view = await matches.create(new, client_of(request), once)
    if view.match.version > 1:  # the form is that of a match under way
        view = await matches.create(new, client_of(request))
    return _seated(request, view)


@router.post("/match/open")
async def reopen(request: Request, matches: MatchesDep, form: FormDep) -> Response:
    """Open a private link on this device: give it the cookie."""
    found = _PRIVATE.search(form.get("link", "")[:300])
    if found is None:
        raise MatchError("unknown-match", "this is not the private link of a match")
    return _seated(request, replace(await matches.view(*found.groups()), token=found[2]))


def _secret(form: dict[str, str], rules: Rules) -> str | None:
    """Return the code in a form; None to draw one; raise `GuessError` if it is no code."""
    typed = typed_code(form, rules, "code")
    return rules.text(read(rules, typed)) if typed else None


def _number(text: str, least: int, most: int) -> int:
    """Return the number in a field, or the closest that is allowed; `least` if it is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return min(max(int(text) if is_number else least, least), most)


def _tokens(request: Request) -> dict[str, str]:
    """Return the tokens of this browser by the ids of their matches."""
    tokens = {
        name.removeprefix(COOKIE): token
        for name, token in islice(request.cookies.items(), MAX_COOKIES)
        if name.startswith(COOKIE)
    }
    return {
        id: token for id, token in tokens.items() if re.fullmatch(text_patterns.MATCH.pattern, id)
    }


# -- one match ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """A browser at a match: its cookie says who it is."""

    request: Request
    matches: Matches
    id: str

    @property
    def token(self) -> str | None:
        """The token of the player, or the one that a guest can join with."""
        return self.request.cookies.get(COOKIE + self.id)

    async def view(self) -> View:
        """Return the view of the player; otherwise that of a spectator."""
        if self.token:
            try:
                return await self.matches.view(self.id, self.token)
            except MatchError as error:
                if error.slug != "not-a-player":
                    raise
        return await self.matches.view(self.id)

    async def after_move(self, move: Awaitable[View]) -> Response:
        """Make a move, then show the match, also if the page from which it came was out of date."""
        try:
            return _seated(self.request, await move)
        except MatchError as error:
            if error.slug not in _PASSED:
                raise
            return _to(self.request, self.id)

    async def show(self, page: MatchPage) -> Response:
        """Render the page of a match; 422 with the error of a form."""
        return await _page(self.request, "match/page.html", page, 422 if page.error else 200)


async def visit_of(request: Request, matches: MatchesDep, id: str) -> Visit:
    """Return the visit of a browser; raise `MatchError` if the address has no id of a match."""
    if not re.fullmatch(text_patterns.MATCH.pattern, id):
        raise MatchError("unknown-match", f"there is no match {id[:40]!r}")
    return Visit(request, matches, id)


VisitDep = Annotated[Visit, Depends(visit_of)]


@router.get("/match/{id}")
async def show(visit: VisitDep, start: bool = False, offers: bool = False) -> Response:
    """Show a match to a player, a guest or a spectator; a new guest gets a token to join with."""
    page = MatchPage(await visit.view(), starts=start, offers=offers)
    response = await visit.show(page)
    if not visit.token and page.state == "invited":
        _give(visit.request, response, visit.id, new_token())
    return response


@router.get("/match/{id}/presence")
async def show_presence(visit: VisitDep) -> Response:
    """Return the version of the match, and when each player was seen, rounded for the tag.

    The browser compares these times with the header `Date`, so with the clock of the system.
    """
    news, _ = await visit.matches.news(visit.id, visit.token)
    seen = [int(at // ROUNDED * ROUNDED) + visit.matches.behind for at in news.seen]
    content = json.dumps({"version": news.version, "seen": seen}).encode()
    return hashed_response(visit.request, content, "application/json", policy=PRIVATE)


@router.get("/match/{id}/losses")
async def show_losses(visit: VisitDep, search: SearchDep, polls: PollsQuery = 0) -> Response:
    """Show what the guesses of each player lost, once the match is over."""
    request = visit.request
    page = MatchPage(await visit.view())
    if not wants_fragment(request) or not page.reviewed:
        return _to(request, visit.id)
    games = [Game(side.history) for side in page.reviewed]
    found = await search.run(request, partial(review, games=games))
    losses = LossesPage(page, found, polls)
    return respond(request, "match/_losses.html", losses, no_store=True)


@router.post("/match/{id}/join")
async def join(visit: VisitDep, form: FormDep) -> Response:
    """Take a seat; with the token that the page has given, a second time changes nothing."""
    view = await visit.view()
    name = form.get("name", "")
    try:
        secret = _secret(form, view.match.rules)
    except GuessError as error:
        return await visit.show(MatchPage(view, name=name, error=error))
    return await visit.after_move(visit.matches.join(visit.id, secret, name, visit.token))


@router.post("/match/{id}/guess")
async def guess(visit: VisitDep, form: FormDep) -> Response:
    """Make a guess; its turn is a field of the form, so that it can be sent again."""
    view = await visit.view()
    rules = view.match.rules
    made = [turn.guess for turn in view.you.turns] if view.you else []
    turn = _number(form.get("turn", ""), 1, 99) if "turn" in form else None
    typed = typed_code(form, rules, "guess")
    try:
        code = read_new(rules, typed, made if turn is None or turn > len(made) else [])
    except GuessError as error:
        return await visit.show(MatchPage(view, error=error))
    return await visit.after_move(
        visit.matches.guess(visit.id, visit.token, rules.text(code), turn)
    )


@router.post("/match/{id}/resign")
async def resign(visit: VisitDep) -> Response:
    """Resign."""
    return await visit.after_move(visit.matches.resign(visit.id, visit.token))


@router.post("/match/{id}/rematch")
async def rematch(visit: VisitDep, form: FormDep) -> Response:
    """Create the next match, or join the one that another player created."""
    view = await visit.view()
    request = visit.request
    try:
        secret = _secret(form, view.match.rules)
    except GuessError as error:
        return await visit.show(MatchPage(view, error=error))
    client = client_of(request)
    following = await visit.matches.rematch(visit.id, visit.token, secret, client)
    return _seated(request, following, "?offers=on")


@router.post("/match/{id}/key")
async def show_key(visit: VisitDep) -> Response:
    """Show the private link of a player; a GET never does, so that no reload shows it."""
    page = MatchPage(await visit.matches.view(visit.id, visit.token or ""))
    return await _page(visit.request, "match/key.html", page)


# -- cookies, responses ------------------------------------------------------------------------


def _seated(request: Request, view: View, query: str = "") -> Response:
    """Lead a player to their match, with their token as a cookie."""
    response = _to(request, view.match.id + query)
    _give(request, response, view.match.id, view.token or "")
    return response


def _give(request: Request, response: Response, id: str, token: str) -> None:
    """Set the cookie of a match below the pages of matches, in each language."""
    for path in _paths():
        response.set_cookie(
            COOKIE + id,
            token,
            max_age=KEPT,
            path=path,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )


def _paths() -> list[str]:
    return [f"{language.prefix}/match" for language in languages()]


def _to(request: Request, id: str) -> Response:
    return redirect(request, f"/match/{id}", headers=NO_STORE)


async def _page(request: Request, template: str, page: object, status: int = 200) -> Response:
    """Render a page in the queue."""
    queue: WorkQueue = request.app.state.queue
    return await queue.make(partial(respond, request, template, page, status=status, no_store=True))
