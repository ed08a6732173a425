"""Matches and races over JSON: the server referees, players prove themselves with a token.

A player sends ``Authorization: Bearer PLAYER``.  Without it `GET` shows what spectators see.
Responses with a token are never stored; views have an entity tag, so that polling is cheap.
``GET /matches/{id}/events`` is a stream of versions for `EventSource`, which cannot send a token
and needs none: on each event ask for the view.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.sse import EventSourceResponse, ServerSentEvent
from fastapi.types import DecoratedCallable
from pydantic import BaseModel, Field, model_validator

from bullscows.game.rules import CodeError
from bullscows_web.api.guess_schemas import field_of_body, parsed_rules
from bullscows_web.api.openapi import BAD_BODY, PREFIX, problems
from bullscows_web.api.tree_schemas import CodeText, RulesText, Strict
from bullscows_web.errors.responses import Outcome
from bullscows_web.match.rules import (
    KEPT,
    MAX_NAME,
    MAX_PLAYERS,
    MAX_TURNS,
    New,
    Once,
    Player,
    Reason,
    label,
)
from bullscows_web.match.service import MatchesDep, View
from bullscows_web.web import text_patterns
from bullscows_web.web.caching import NO_STORE, PRIVATE, tagged
from bullscows_web.web.dependencies import client_of
from bullscows_web.web.exceptions import BusyError

router = APIRouter(
    prefix=f"{PREFIX}/matches",
    tags=["matches"],
    responses=problems(414, 503),
)


Secret = Annotated[
    CodeText | None, Field(description="Your code, or that of the race; null draws one.")
]
Name = Annotated[
    str, Field(max_length=MAX_NAME, description="Name that the others see.", examples=["Ada"])
]
Label = Annotated[str, Field(examples=["creator"])]
"""`creator`, `guest`; in a race also `guest2` to `guest7`."""


class RematchRequest(Strict):
    """The code for another match."""

    secret: Secret = None


class JoinRequest(RematchRequest):
    """A player who takes a seat."""

    name: Name = ""


class NewMatch(JoinRequest):
    """A match or a race to create."""

    kind: Literal["match", "race"] = Field(
        default="match",
        description="`match`: two codes, guesses in turn. `race`: one code, all guess at once.",
    )
    rules: RulesText
    begins: Literal["creator", "guest", "random"] = Field(
        default="creator", description="Who guesses first in a match."
    )
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)] = Field(
        default=2, description="Seats of a race, the creator's included; a match has two."
    )
    plays: bool = Field(
        default=True, description="False for a race whose creator sets the code and watches."
    )

    @model_validator(mode="after")
    def _fits_together(self) -> NewMatch:
        if self.kind == "match" and (self.players != 2 or not self.plays):
            raise ValueError("only a race has other numbers of players, or a creator who watches")
        if self.kind == "race" and self.plays and self.secret is not None:
            raise ValueError(
                "the creator of a race who plays must not know the code: leave out secret to have "
                "it drawn, or send plays false to set it and watch"
            )
        return self


class MatchGuess(Strict):
    """A guess."""

    guess: CodeText
    turn: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = Field(
        default=None,
        description="Number of your turn, from 1. With it a request can be repeated safely.",
    )


class MatchTurn(Outcome):
    """A guess of a match with its answer."""

    turn: int
    guess: str | None = Field(
        description="Null while you may not see it: in a race until the end, and for spectators a "
        "code that was found."
    )


class Side(BaseModel):
    """A player and their guesses."""

    player: Label
    name: str
    turns: list[MatchTurn]
    found: bool = Field(description="Whether this player found the code.")
    resigned: bool
    connected: bool = Field(description="Whether this player asked for the match lately.")
    secret: str | None = Field(description="This player's code, if you may see it.")

    @classmethod
    def of(cls, view: View, player: Player) -> Side:
        """Return the model of a player as the viewer sees them."""
        match = view.match
        answers = match.rules.answers
        return cls(
            player=label(player.seat),
            name=player.name,
            turns=[
                MatchTurn.of(answers[turn.answer], turn=number, guess=view.guess_of(player, turn))
                for number, turn in enumerate(player.turns, start=1)
            ],
            found=match.found(player),
            resigned=player.resigned,
            connected=match.is_connected(player),
            secret=view.secrets.get(player.seat),
        )


class MatchDetail(BaseModel):
    """A match as you may see it."""

    id: str
    kind: Literal["match", "race"]
    rules: str
    invite: str = Field(description="URL for the others.")
    version: int = Field(description="Grows with every change.")
    begins: Label
    size: int = Field(description="Seats.")
    to_move: Label | None = Field(
        description="Whose turn it is; null in a race, before the guest joins and at the end."
    )
    you: Side | None = Field(description="Your side; null for spectators.")
    opponent: Side | None = Field(description="The other side of your match.")
    players: list[Side] = Field(description="All sides, the creator first.")
    finished: bool
    reason: Reason | None = Field(description="Why it is finished; `limit`: too many turns.")
    winner: Label | Literal["draw"] | None = Field(
        description="The winner; `draw` for equal turns; null if nobody won."
    )
    secrets: dict[str, str] | None = Field(
        description="The code of each player, in a race the code of all; null until finished."
    )
    rematch: str | None = Field(description="Id of the next match; only for players.")
    expires: datetime = Field(description="When it is deleted if nothing happens.")


Detail = TypeVar("Detail", bound=MatchDetail)


class Seated(MatchDetail):
    """A match in which you have got a seat."""

    player: str = Field(description="Your token, for `Authorization: Bearer`. Keep it secret.")


def _described(request: Request, view: View, model: type[Detail]) -> Detail:
    """Return the model of a match, as the viewer sees it."""
    match = view.match
    you = view.you
    opponent = view.opponent
    shared = view.secrets.get(0) if match.kind == "race" else None
    winner = "draw" if match.reason == "draw" else None
    fields = {
        "id": match.id,
        "kind": match.kind,
        "rules": str(match.rules),
        "invite": f"{request.base_url}match/{match.id}",
        "version": match.version,
        "begins": label(match.begins),
        "size": match.size,
        "to_move": None if match.to_move is None else label(match.to_move),
        "you": you and Side.of(view, you),
        "opponent": opponent and Side.of(view, opponent),
        "players": [Side.of(view, player) for player in match.players],
        "finished": match.is_over,
        "reason": match.reason,
        "winner": winner if match.winner is None else label(match.winner),
        "secrets": {label(p.seat): shared or view.secrets[p.seat] for p in match.players}
        if match.is_over
        else None,
        "rematch": match.rematch if you else None,
        "expires": datetime.fromtimestamp(
            int(match.moved + KEPT) + request.app.state.matches.behind, UTC
        ),
        "player": view.token,
    }
    return model.model_validate(fields)


_bearer = HTTPBearer(auto_error=False, description="The token of a player.")


async def get_token(
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> str | None:
    """Return the token of a request; None without one."""
    return given.credentials if given else None


Id = Annotated[
    str, Path(pattern=text_patterns.MATCH.pattern, description="Id of the match or race.")
]
TokenDep = Annotated[str | None, Depends(get_token)]
IdempotencyKey = Annotated[
    Annotated[str, Field(pattern=text_patterns.KEY.pattern)] | None,
    Header(
        alias="Idempotency-Key",
        description="A UUID that you draw for this request: repeated with the same key, it takes "
        "one seat. Keep it as secret as a token.",
    ),
]


def _seated(request: Request, response: Response, view: View) -> Seated:
    """Return the match of a player who has got a seat, with their token."""
    response.headers.update(NO_STORE)
    response.headers["Location"] = f"{PREFIX}/matches/{view.match.id}"
    return _described(request, view, Seated)


def _moved(request: Request, response: Response, view: View) -> MatchDetail:
    """Return a match after a move."""
    response.headers.update(NO_STORE)
    return _described(request, view, MatchDetail)


def _post(
    path: str, operation: str, summary: str, *statuses: int
) -> Callable[[DecoratedCallable], DecoratedCallable]:
    """Return the decorator of a request that changes a match."""
    return router.post(
        f"/{{id}}/{path}",
        operation_id=operation,
        summary=summary,
        responses=problems(404, 409, 410, *statuses) | BAD_BODY,
    )


# -- routes ------------------------------------------------------------------------------------


@router.post(
    "",
    operation_id="createMatch",
    summary="Create a match",
    status_code=201,
    responses=problems(429) | BAD_BODY,
)
async def create_match(
    request: Request,
    response: Response,
    given: NewMatch,
    matches: MatchesDep,
    key: IdempotencyKey = None,
) -> Seated:
    """Create a match or a race and take its first seat.

    Send `invite` to the others. A match begins when the guest joins. In a race everyone guesses at
    once; it is finished when all seats are taken and everyone has found the code or resigned.
    Fewest turns win, then the time from the first guess to the last.
    """
    rules = parsed_rules(given.rules)
    new = New(rules, given.kind, given.secret, given.begins, given.players, given.plays, given.name)
    once = Once.of(key, "create", given.model_dump_json()) if key else None
    with field_of_body("secret", errors=(CodeError,)):
        view = await matches.create(new, client_of(request), once)
    return _seated(request, response, view)


@_post("join", "joinMatch", "Join a match")
async def join_match(
    request: Request,
    response: Response,
    id: Id,
    given: JoinRequest,
    matches: MatchesDep,
    key: IdempotencyKey = None,
) -> Seated:
    """Take the next seat. `secret` is ignored in a race."""
    once = Once.of(key, "join", id, given.model_dump_json()) if key else None
    with field_of_body("secret", errors=(CodeError,)):
        view = await matches.join(id, given.secret, given.name, once=once)
    return _seated(request, response, view)


@router.get(
    "/{id}",
    operation_id="getMatch",
    summary="Get a match",
    responses=problems(401, 404, 410, 422),
    openapi_extra={"security": [{}, {"HTTPBearer": []}]},
)
async def get_match(
    request: Request, response: Response, id: Id, token: TokenDep, matches: MatchesDep
) -> MatchDetail:
    """Return the match as its player sees it, or without a token as spectators do.

    To follow a match, ask again every two seconds with `If-None-Match`: the response is 304 until
    something changes. Or listen to `GET /api/v1/matches/{id}/events`, a stream of server-sent
    events whose data is the version of the match. A stream ends after 15 seconds; connect again.
    """

    def check(stamp: str) -> None:
        version = f"{request.base_url} {token is None} {stamp}"
        headers = tagged(request, version, policy=PRIVATE, Vary="Authorization")
        response.headers.update(headers)

    if "if-none-match" in request.headers:
        check((await matches.news(id, token))[1])
    view = await matches.view(id, token)
    check(view.stamp)
    return _described(request, view, MatchDetail)


@_post("guesses", "guessMatch", "Guess in a match", 401)
async def guess_match(
    request: Request,
    response: Response,
    id: Id,
    given: MatchGuess,
    token: TokenDep,
    matches: MatchesDep,
) -> MatchDetail:
    """Make a guess. A guess that was accepted with its `turn` can be sent again without effect.

    If the player who began finds the code, the other has one last guess; if both find theirs in
    the same turn, it is a draw.
    """
    with field_of_body("guess", errors=(CodeError,)):
        view = await matches.guess(id, token, given.guess, given.turn)
    return _moved(request, response, view)


@_post("resign", "resignMatch", "Resign a match", 401)
async def resign_match(
    request: Request, response: Response, id: Id, token: TokenDep, matches: MatchesDep
) -> MatchDetail:
    """Resign. The other player wins a match; a race goes on without you."""
    return _moved(request, response, await matches.resign(id, token))


@_post("rematch", "rematchMatch", "Start a rematch", 401, 429)
async def rematch(
    request: Request,
    response: Response,
    id: Id,
    given: RematchRequest,
    token: TokenDep,
    matches: MatchesDep,
) -> Seated:
    """Create the next match of the same players, or join the one that another player created.

    Your token stays the same. In a match the other player begins. In a race, the player who
    gives the secret watches.
    """
    with field_of_body("secret", errors=(CodeError,)):
        view = await matches.rematch(id, token, given.secret, client_of(request))
    return _seated(request, response, view)


async def get_version(id: Id, matches: MatchesDep) -> int:
    """Return the version of a match; raise `BusyError` if too many streams are open."""
    version = (await matches.news(id))[0].version
    if matches.watcher.is_full:
        raise BusyError("turn", 0)
    return version


@router.get("/{id}/events", response_class=EventSourceResponse, include_in_schema=False)
async def watch_match(
    id: Id, version: Annotated[int, Depends(get_version)], matches: MatchesDep
) -> AsyncIterator[ServerSentEvent]:
    """Stream the versions of a match."""
    yield ServerSentEvent(retry=1000)  # milliseconds
    async for each in matches.watcher.changes(id, version):
        yield ServerSentEvent(event="version", id=str(each), data=each)
