"""The kinds of problems: status, slug and title of each exception, in one table.

The texts of their pages are in `templates/error/words.html`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fastapi.exceptions import RequestValidationError

from bullscows.analysis.findings import TooFewTurnsError
from bullscows.game.history import InconsistentError
from bullscows.game.objective import ObjectiveError
from bullscows.game.responses import GameTooLargeError
from bullscows.game.rules import AnswerError, CodeError, RulesError
from bullscows_web.guess.daily import FIRST
from bullscows_web.match.match import MatchError, StoreError
from bullscows_web.server.secret_key import SecretKeyError
from bullscows_web.trees.position import ContradictionError, GameOverError
from bullscows_web.web import text_patterns
from bullscows_web.web.errors import (
    RETRY_SECONDS,
    BrokenStateError,
    BusyError,
    FieldError,
    MalformedError,
    NotFoundError,
    NotOpenError,
    OtherGameError,
    OutOfTimeError,
    UnavailableError,
)


@dataclass(frozen=True)
class Kind:
    """A kind of problem."""

    status: int
    slug: str
    """The last part of the address of its type; empty if the status says all."""
    title: str
    advice: str = ""
    """Advice for the author of a client."""
    level: int = logging.DEBUG
    """The log level."""
    retry_seconds: int | None = None
    """The `Retry-After` header."""


Key: TypeAlias = type[Exception] | tuple[type[Exception], str]
"""An exception, or an exception with its `what`."""

IMPOSSIBLE_ANSWER = Kind(
    422, "impossible-answer", "There is no such answer", "a session lists the possible answers"
)

KINDS: Mapping[Key, Kind] = {
    (NotFoundError, "tree"): Kind(
        404, "unknown-tree", "There is no such tree", "GET /api/v1/trees lists the trees"
    ),
    (NotFoundError, "game"): Kind(
        404, "unknown-game", "There is no such game", "/guess lists the games"
    ),
    (NotFoundError, "puzzle"): Kind(
        404, "no-puzzle", "This day has no puzzle", f"the first puzzle is that of {FIRST}"
    ),
    (NotFoundError, "level"): Kind(
        422,
        "unknown-level",
        "This game has no such level",
        "leave the level out, or choose one that /duel/RULES lists",
    ),
    NotOpenError: Kind(
        404,
        "not-open",
        "This puzzle is not open yet",
        "days are in UTC; /guess/RULES/today redirects to the latest puzzle",
    ),
    (MalformedError, "answer"): IMPOSSIBLE_ANSWER,
    AnswerError: IMPOSSIBLE_ANSWER,
    CodeError: Kind(
        422,
        "malformed-code",
        "This is not a code",
        "the rules give the number of symbols, their range, and whether they repeat",
    ),
    RulesError: Kind(
        422, "malformed-rules", "These are not rules", "p4c10n is Bulls & Cows, p4c6r is Mastermind"
    ),
    (MalformedError, "position"): Kind(
        422, "malformed-position", "This is not a position", text_patterns.SESSION.wanted
    ),
    (MalformedError, "relabelling"): Kind(
        422, "malformed-relabelling", "This is not a relabelling", text_patterns.TOKEN.wanted
    ),
    (MalformedError, "history"): Kind(
        422,
        "malformed-history",
        "These are not turns of a game",
        "write guess:answer with - between turns, for example 0123:0.1-4567:1.1",
    ),
    (MalformedError, "day"): Kind(
        422, "no-day", "There is no such day", f"write year-month-day, from {FIRST} to today"
    ),
    (MalformedError, "puzzle"): Kind(
        422,
        "malformed-puzzle",
        "This is not a puzzle",
        "write rules/seed, and guesses with - between them, for example p4c10n/k3f9/0123-4567",
    ),
    (MalformedError, "duel"): Kind(
        422,
        "malformed-duel",
        "These are not the moves of a duel",
        "write your guesses and answers in turn, for example 0123-0.1-4567",
    ),
    (MalformedError, "turns"): Kind(
        422,
        "malformed-turns",
        "These are not the turns of a game",
        "write guesses, for example 0123-4567; against the adversary guesses with their answers, "
        "for example 0123:0.1-1456:1.1",
    ),
    (MalformedError, "fields"): Kind(
        422,
        "conflicting-fields",
        "These fields exclude each other",
        "leave out guesses or candidates_only: guesses are evaluated without that restriction",
    ),
    ObjectiveError: Kind(
        422,
        "malformed-objective",
        "This is not an objective",
        "write average for the fewest turns in total; last and movers need max_turns",
    ),
    GameTooLargeError: Kind(
        422, "game-too-large", "This game is too large", "ask for a game of fewer codes"
    ),
    RequestValidationError: Kind(
        422,
        "invalid-request",
        "The request is not well formed",
        "/openapi.json describes every request",
    ),
    BrokenStateError: Kind(
        422,
        "broken-seal",
        "This encrypted state is damaged",
        "copy the whole address; state of another server or key cannot be read",
    ),
    OtherGameError: Kind(
        422,
        "sealed-for-another-game",
        "This encrypted state belongs to another game",
        "copy the whole address, the game included",
    ),
    ContradictionError: Kind(
        409,
        "contradiction",
        "No code fits all answers",
        "change one of the answers under corrections, or go back to an earlier session",
    ),
    GameOverError: Kind(
        409,
        "game-over",
        "The game is over",
        "go back to an earlier session, or start another with POST /api/v1/sessions",
    ),
    InconsistentError: Kind(
        409,
        "inconsistent-turns",
        "No code fits all turns",
        "change one of the answers under corrections",
    ),
    TooFewTurnsError: Kind(
        409,
        "too-few-turns",
        "No strategy finds every code in time",
        "allow more turns, or leave max_turns out",
    ),
    (UnavailableError, "tree"): Kind(
        503,
        "tree-unavailable",
        "This tree is not available",
        "play another one until the operator replaces its file",
        level=logging.WARNING,
        retry_seconds=600,
    ),
    (UnavailableError, "jobs"): Kind(
        503,
        "jobs-unreadable",
        "The list of jobs is not available",
        "ask again later; the server's log says why",
        level=logging.WARNING,
        retry_seconds=60,
    ),
    (MatchError, "unknown"): Kind(
        404, "unknown-match", "There is no such match", "copy the whole address of the invitation"
    ),
    (MatchError, "expired"): Kind(
        410, "expired-match", "This match was deleted", "create another with POST /api/v1/matches"
    ),
    (MatchError, "token"): Kind(
        401,
        "not-a-player",
        "This needs the token of a player",
        "send Authorization: Bearer PLAYER with the player of the response that gave you a seat",
    ),
    (MatchError, "waiting"): Kind(
        409,
        "match-not-started",
        "The match has not started",
        "send the invite to the guest and wait",
    ),
    (MatchError, "turn"): Kind(
        409, "not-your-turn", "It is not your turn", "GET the match until to_move is you"
    ),
    (MatchError, "played"): Kind(
        409,
        "turn-played",
        "This turn was played with another guess",
        "GET the match to see your turns",
    ),
    (MatchError, "finished"): Kind(
        409,
        "match-finished",
        "The match is finished",
        "start another with POST /api/v1/matches/{id}/rematch",
    ),
    (MatchError, "unfinished"): Kind(
        409, "match-unfinished", "The match is not finished", "finish or resign it first"
    ),
    (MatchError, "full"): Kind(
        409, "match-full", "All seats are taken", "watch the match with GET, or create another"
    ),
    (MatchError, "often"): Kind(
        429,
        "too-many-created",
        "Too much was created from this address",
        "create the next one later",
        retry_seconds=600,
    ),
    (StoreError, "unavailable"): Kind(
        503,
        "matches-unavailable",
        "The database of matches is not available",
        "retry later; all else on this server works",
        level=logging.WARNING,
        retry_seconds=30,
    ),
    (StoreError, "full"): Kind(
        503,
        "matches-full",
        "The database of matches is full",
        "retry later; all else on this server works",
        level=logging.WARNING,
        retry_seconds=600,
    ),
    SecretKeyError: Kind(
        503,
        "no-seal-key",
        "This server has no secret key",
        "the operator has to set a key or a writable state folder",
        level=logging.ERROR,
        retry_seconds=600,
    ),
    BusyError: Kind(
        503,
        "busy",
        "Too many requests are waiting",
        "retry after the seconds of Retry-After",
        retry_seconds=RETRY_SECONDS,
    ),
    OutOfTimeError: Kind(
        503,
        "time-over",
        "No time was left for this position",
        "request it again, with fewer others",
        retry_seconds=RETRY_SECONDS,
    ),
    Exception: Kind(
        500,
        "internal-error",
        "Something went wrong here",
        "if it happens again, see the server's log",
        level=logging.ERROR,
    ),
}

LOGGED: Mapping[str, str] = {
    "no-seal-key": "this server has no secret key; its log says why",
    "matches-unavailable": "the database of matches does not answer; the server's log says why",
    "matches-full": "there is no room for a match; the server's log says why",
    "internal-error": "the error has been logged",
}
"""Details of errors whose own message is for the log only."""

EXPECTED: tuple[type[Exception], ...] = (
    FieldError,
    *{key[0] if isinstance(key, tuple) else key: None for key in KINDS if key is not Exception},
)
"""The exceptions that `describe` explains."""


def kinds() -> list[Kind]:
    """Return all kinds of problems, by slug."""
    found = {kind.slug: kind for kind in KINDS.values()}
    return [kind for _, kind in sorted(found.items())]


def kind_of(error: Exception) -> Kind:
    """Return the kind of an exception, by its class and its `what`, or by a base class."""
    what = getattr(error, "what", None)
    if what and (kind := KINDS.get((type(error), what))):
        return kind
    return next(KINDS[base] for base in type(error).__mro__ if base in KINDS)
