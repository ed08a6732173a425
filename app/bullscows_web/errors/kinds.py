"""The kinds of problems: what exceptions mean to clients and to visitors, in one table.

Titles and advice are part of the API and in English; headings and explanations are for pages and
translated.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from fastapi.exceptions import RequestValidationError

from bullscows.game.history import InconsistentError
from bullscows.game.objective import ObjectiveError
from bullscows.game.response_table import GameTooLargeError
from bullscows.game.result import TooFewTurnsError
from bullscows.game.rules import AnswerError, CodeError, RulesError
from bullscows_web.guess.puzzle import FIRST
from bullscows_web.language.catalogues import N_
from bullscows_web.web import text_patterns
from bullscows_web.web.exceptions import RETRY_SECONDS, FieldError, ProblemError


@dataclass(frozen=True)
class Kind:
    """A kind of problem."""

    slug: str
    """The last part of the address of its type; empty if the status says all."""
    status: int
    title: str
    advice: str = ""
    """Advice for the author of a client."""
    heading: str = ""
    """Heading of the page, to be translated; empty for one that its status decides, and for kinds
    that no page shows."""
    explanation: str = ""
    """Explanation and advice of the page, to be translated."""
    detail: str = ""
    """Message shown instead of the error's own, if that is for the log only."""
    level: str = "DEBUG"
    """The log level."""
    retry_seconds: int | None = None
    """The `Retry-After` header."""


KINDS = (
    Kind(
        "unknown-tree",
        404,
        "There is no such tree",
        "GET /api/v1/trees lists the trees",
        heading=N_("There is no such tree."),
        explanation=N_("There is no tree %(name)s. The page “Trees” lists all trees."),
    ),
    Kind(
        "unknown-game",
        404,
        "There is no such game",
        "/guess lists the games",
        heading=N_("There is no such game."),
        explanation=N_("This page does not offer the game %(name)s."),
    ),
    Kind(
        "no-puzzle",
        404,
        "This day has no puzzle",
        f"the first puzzle is that of {FIRST}",
        heading=N_("This day has no puzzle."),
        explanation=N_("The first puzzle is that of %(day)s."),
    ),
    Kind(
        "no-win-in-two",
        404,
        "This position is no puzzle",
        "/puzzle/RULES redirects to a position that can be won in two",
        heading=N_("This position is no puzzle."),
        explanation=N_(
            "No guess is sure to win in two turns here, or so few codes are left that any does."
        ),
    ),
    Kind(
        "unknown-level",
        422,
        "This game has no such level",
        "leave the level out, or choose one that /duel/RULES lists",
        heading=N_("There is no such level."),
        explanation=N_("Choose one of the levels that are listed for %(game)s."),
    ),
    Kind(
        "not-open",
        404,
        "This puzzle is not open yet",
        "days are in UTC; /guess/RULES/today redirects to the latest puzzle",
        heading=N_("This puzzle has not opened yet."),
        explanation=N_(
            "The puzzle of %(day)s opens at %(time)s UTC that day. It opens at the same moment "
            "everywhere."
        ),
    ),
    Kind(
        "impossible-answer",
        422,
        "There is no such answer",
        "a session lists the possible answers",
        heading=N_("This game has no such answer."),
        explanation=N_(
            "Answers are written as bulls.cows with hyphens between them, for example 0.1-1.1."
        ),
    ),
    Kind(
        "malformed-code",
        422,
        "This is not a code",
        "the rules give the number of symbols, their range, and whether they repeat",
    ),
    Kind(
        "malformed-rules",
        422,
        "These are not rules",
        "p4c10n is Bulls & Cows, p4c6r is Mastermind",
        heading=N_("There is no such game."),
        explanation=N_(
            "The name of a game is p with 1 to %(positions)d places, c with 1 to %(symbols)d "
            "symbols, and a letter: r if symbols may repeat, n if they may not, z if they may not "
            "and no code begins with 0; b at the end for answers of bulls only. Without repeats "
            "there must be at least as many symbols as places. Bulls & Cows is p4c10n, Mastermind "
            "p4c6r."
        ),
    ),
    Kind(
        "malformed-position",
        422,
        "This is not a position",
        text_patterns.SESSION.wanted,
        explanation=N_("The answers in an address take at most %(characters)s characters."),
    ),
    Kind(
        "malformed-relabelling",
        422,
        "This is not a relabelling",
        text_patterns.TOKEN.wanted,
        explanation=N_(
            "The part after the name of the tree is the shuffle of digits and places. %(part)s "
            "is not one; write 0 for none."
        ),
    ),
    Kind(
        "malformed-history",
        422,
        "These are not turns of a game",
        "write guess:answer with - between turns, for example 0123:0.1-4567:1.1",
        explanation=N_(
            "Write guesses with their answers and hyphens between them, for example "
            "0123:0.1-4567:1.1."
        ),
    ),
    Kind(
        "no-day",
        422,
        "There is no such day",
        f"write year-month-day, from {FIRST} to today",
        heading=N_("The calendar has no such day."),
        explanation=N_("Write a day as year-month-day, for example %(first)s."),
    ),
    Kind(
        "malformed-puzzle",
        422,
        "This is not a puzzle",
        ("write rules/seed, and guesses with - between them, for example p4c10n/k3f9/0123-4567"),
        explanation=N_(
            "The name of a puzzle has at most %(seed)s small letters and digits, and at most "
            "%(guesses)s guesses follow it."
        ),
    ),
    Kind(
        "malformed-duel",
        422,
        "These are not the moves of a duel",
        "write your guesses and answers in turn, for example 0123-0.1-4567",
        explanation=N_(
            "After the encrypted part come your guesses and your answers in turn, with hyphens "
            "between them, for example 0123-0.1-4567. You answer each of my guesses once."
        ),
    ),
    Kind(
        "malformed-turns",
        422,
        "These are not the turns of a game",
        (
            "write guesses, for example 0123-4567; against the adversary guesses with their "
            "answers, for example 0123:0.1-1456:1.1"
        ),
        explanation=N_(
            "Write guesses with hyphens between them, for example 0123-4567. Against the "
            "adversary, write guesses with their answers, for example 0123:0.1-1456:1.1. At "
            "least one code must fit all answers, and no turn can follow the end."
        ),
    ),
    Kind(
        "conflicting-fields",
        422,
        "These fields exclude each other",
        ("leave out guesses or candidates_only: guesses are evaluated without that restriction"),
    ),
    Kind(
        "malformed-objective",
        422,
        "This is not an objective",
        "write average for the fewest turns in total; last and movers need max_turns",
    ),
    Kind(
        "game-too-large",
        422,
        "This game is too large",
        "ask for a game of fewer codes",
        heading=N_("This game is too large for that."),
        explanation=N_("Games with up to %(codes)s codes can be analysed."),
    ),
    Kind(
        "invalid-request",
        422,
        "The request is not well formed",
        "/openapi.json describes every request",
    ),
    Kind(
        "broken-seal",
        422,
        "This encrypted state is damaged",
        "copy the whole address; state of another server or key cannot be read",
        heading=N_("This link is damaged."),
        explanation=N_(
            "The long part of the address is the hidden code, encrypted. It was cut short or "
            "changed, or it comes from another server: copy the whole link again, or ask for a "
            "new one."
        ),
    ),
    Kind(
        "sealed-for-another-game",
        422,
        "This encrypted state belongs to another game",
        "copy the whole address, the game included",
        heading=N_("This link belongs to another game."),
        explanation=N_(
            "The address names %(named)s, but the encrypted code in it belongs to %(game)s."
        ),
    ),
    Kind(
        "contradiction",
        409,
        "No code fits all answers",
        "change one of the answers under corrections, or go back to an earlier session",
        heading=N_("No game of this tree has these answers."),
    ),
    Kind(
        "game-over",
        409,
        "The game is over",
        "go back to an earlier session, or start another with POST /api/v1/sessions",
        heading=N_("This game is over already."),
        explanation=N_(
            "These answers find the code %(code)s at turn %(turn)d, and nothing comes after that."
        ),
    ),
    Kind(
        "inconsistent-turns",
        409,
        "No code fits all turns",
        "change one of the answers under corrections",
        heading=N_("No code fits all answers."),
        explanation=N_("At least one of the answers is wrong."),
    ),
    Kind(
        "too-few-turns",
        409,
        "No strategy finds every code in so few turns",
        "allow more turns, or leave max_turns out",
    ),
    Kind(
        "tree-unavailable",
        503,
        "This tree is not available",
        "play another one until the operator replaces its file",
        heading=N_("This tree is not available: its file is damaged."),
        explanation=N_("The other trees still play, and no game is lost."),
        level="WARNING",
        retry_seconds=600,
    ),
    Kind(
        "unknown-match",
        404,
        "There is no such match",
        "copy the whole address of the invitation",
        heading=N_("There is no such match."),
        explanation=N_(
            "The link is cut short or mistyped: copy the whole link again, or ask for a new one."
        ),
    ),
    Kind(
        "expired-match",
        410,
        "This match was deleted",
        "create another with POST /api/v1/matches",
        heading=N_("This match was deleted."),
        explanation=N_("Matches are deleted 30 days after the last move."),
    ),
    Kind(
        "not-a-player",
        401,
        "This request needs the token of a player",
        ("send Authorization: Bearer PLAYER with the player of the response that gave you a seat"),
        heading=N_("Only the players of this match can do this."),
    ),
    Kind(
        "match-not-started",
        409,
        "The match has not started",
        "send the invite to the guest and wait",
    ),
    Kind(
        "not-your-turn",
        409,
        "It is not your turn",
        "GET the match until to_move is you",
    ),
    Kind(
        "turn-played",
        409,
        "This turn was played with another guess",
        "GET the match to see your turns",
    ),
    Kind(
        "match-finished",
        409,
        "The match is finished",
        "start another with POST /api/v1/matches/{id}/rematch",
        heading=N_("This match is over."),
    ),
    Kind(
        "match-unfinished",
        409,
        "The match is not finished",
        "finish or resign it first",
        heading=N_("This match is not over yet."),
    ),
    Kind(
        "match-full",
        409,
        "All seats are taken",
        "watch the match with GET, or create another",
        heading=N_("All seats are taken."),
        explanation=N_("You can watch this match."),
    ),
    Kind(
        "key-reused",
        422,
        "This Idempotency-Key was used for another request",
        ("draw another Idempotency-Key for each new request; repeat one only with the same body"),
    ),
    Kind(
        "too-many-created",
        429,
        "This address has created too many matches or results",
        "create the next one later",
        heading=N_("You have created too many matches."),
        explanation=N_("Try again in an hour."),
        retry_seconds=600,
    ),
    Kind(
        "matches-unavailable",
        503,
        "The database of matches is not available",
        "retry later; everything else on this server works",
        heading=N_("Matches are not available now."),
        explanation=N_(
            "The database of matches does not answer; the server's log says why. All other "
            "games work."
        ),
        detail="the database of matches does not answer; the server's log says why",
        level="WARNING",
        retry_seconds=30,
    ),
    Kind(
        "matches-full",
        503,
        "The database of matches is full",
        "retry later; everything else on this server works",
        heading=N_("There is no room for another match now."),
        explanation=N_("Try again later. All other games work."),
        detail="there is no room for a match; the server's log says why",
        level="WARNING",
        retry_seconds=600,
    ),
    Kind(
        "no-seal-key",
        503,
        "This server has no secret key",
        "the operator has to set a key or a writable state folder",
        heading=N_("This server has no secret key."),
        explanation=N_(
            "Duels need a secret key, which the server could not read or store; its log says "
            "why. All other games work."
        ),
        detail="this server has no secret key; its log says why",
        level="ERROR",
        retry_seconds=600,
    ),
    Kind(
        "busy",
        503,
        "Too many requests are waiting",
        "retry after the seconds of Retry-After",
        heading=N_("Too many requests at once."),
        explanation=N_("Try again in a few seconds."),
        retry_seconds=RETRY_SECONDS,
    ),
    Kind(
        "too-many-searches",
        429,
        "This address has too many searches in progress",
        "retry after the seconds of Retry-After, and send one request after the other",
        heading=N_("Too many requests at once."),
        explanation=N_(
            "Several pages that you opened are still being computed. Try again in a few seconds."
        ),
        retry_seconds=RETRY_SECONDS,
    ),
    Kind(
        "search-stopped",
        503,
        "The search was stopped",
        "retry after the seconds of Retry-After, or ask about fewer turns, guesses or codes",
        heading=N_("The search took too long."),
        explanation=N_("It was stopped, so that others need not wait. You can try again."),
        retry_seconds=RETRY_SECONDS,
    ),
    Kind(
        "too-expensive",
        422,
        "This request is too expensive",
        "ask about fewer turns, guesses or players, or about a smaller game",
        heading=N_("This game is too large for that."),
        explanation=N_("Review one side at a time, or fewer turns."),
    ),
    Kind(
        "time-over",
        503,
        "No time was left for this position",
        "request it again, with fewer others",
        retry_seconds=RETRY_SECONDS,
    ),
    Kind(
        "internal-error",
        500,
        "Something went wrong on this server",
        "if it happens again, see the server's log",
        heading=N_("Something went wrong."),
        explanation=N_(
            "The error is on the server, which has logged it. Your games are not lost: try again, "
            "or go on with another page."
        ),
        detail="the error has been logged",
        level="ERROR",
    ),
)
"""All kinds of problems that have an address."""

_HTTP_PAGES = {
    403: (
        N_("This request was rejected."),
        N_("It was made by a page of another site. Open the page here, and try again."),
    ),
    404: (
        N_("Page not found."),
        N_("Check the address, or continue from one of these pages."),
    ),
    405: (
        N_("This address cannot be opened like this."),
        N_("It accepts only what a form sends, or is only for reading."),
    ),
    413: (
        N_("This is too long."),
        N_("The server takes at most %(body)s bytes at once. Go back and shorten the text."),
    ),
    414: (
        N_("This address is too long."),
        N_("An address can have at most %(url)s characters."),
    ),
}
"""Heading and explanation of kinds without an address, by status."""


def http_kind(status: int) -> Kind:
    """Return the kind of an error of which its status says all."""
    heading, explanation = _HTTP_PAGES.get(status, ("", ""))
    title = HTTPStatus(status).phrase
    return Kind("", status, title, heading=heading, explanation=explanation)


_BY_SLUG = {kind.slug: kind for kind in KINDS}

_SLUGS: dict[type[Exception], str] = {
    AnswerError: "impossible-answer",
    CodeError: "malformed-code",
    RulesError: "malformed-rules",
    ObjectiveError: "malformed-objective",
    GameTooLargeError: "game-too-large",
    InconsistentError: "inconsistent-turns",
    TooFewTurnsError: "too-few-turns",
    RequestValidationError: "invalid-request",
}
"""The kinds of exceptions that are not of this server."""

EXPECTED: tuple[type[Exception], ...] = (ProblemError, FieldError, *_SLUGS)
"""The exceptions that `describe` explains."""


def kinds() -> list[Kind]:
    """Return all kinds of problems, by slug."""
    return sorted(KINDS, key=lambda kind: kind.slug)


def kind_of(error: Exception) -> Kind:
    """Return the kind of an exception; one that is not expected is an internal error."""
    if isinstance(error, ProblemError):
        return _BY_SLUG[error.slug]
    slugs = (_SLUGS[base] for base in type(error).__mro__ if base in _SLUGS)
    return _BY_SLUG[next(slugs, "internal-error")]
