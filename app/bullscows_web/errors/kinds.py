"""The kinds of problems and their exceptions.

Status, title and advice of each kind are in `kinds.toml`; the texts of their pages are in
`templates/error/words.html`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
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
    SearchStoppedError,
    TooExpensiveError,
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
    detail: str = ""
    """Message shown instead of the error's own, if that is for the log only."""
    level: str = "DEBUG"
    """The log level."""
    retry_seconds: int | None = None
    """The `Retry-After` header."""


def _read_kinds() -> dict[str, Kind]:
    """Return the kinds of problems by slug."""
    text = Template(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).substitute(
        first=FIRST,
        session=text_patterns.SESSION.wanted,
        relabelling=text_patterns.TOKEN.wanted,
        busy_seconds=RETRY_SECONDS,
    )
    return {slug: Kind(slug=slug, **kind) for slug, kind in tomllib.loads(text).items()}


Key: TypeAlias = type[Exception] | tuple[type[Exception], str]
"""An exception, or an exception with its `what`."""

SLUGS: Mapping[Key, str] = {
    (NotFoundError, "tree"): "unknown-tree",
    (NotFoundError, "game"): "unknown-game",
    (NotFoundError, "puzzle"): "no-puzzle",
    (NotFoundError, "level"): "unknown-level",
    NotOpenError: "not-open",
    (MalformedError, "answer"): "impossible-answer",
    AnswerError: "impossible-answer",
    CodeError: "malformed-code",
    RulesError: "malformed-rules",
    (MalformedError, "position"): "malformed-position",
    (MalformedError, "relabelling"): "malformed-relabelling",
    (MalformedError, "history"): "malformed-history",
    (MalformedError, "day"): "no-day",
    (MalformedError, "puzzle"): "malformed-puzzle",
    (MalformedError, "duel"): "malformed-duel",
    (MalformedError, "turns"): "malformed-turns",
    (MalformedError, "fields"): "conflicting-fields",
    ObjectiveError: "malformed-objective",
    GameTooLargeError: "game-too-large",
    RequestValidationError: "invalid-request",
    BrokenStateError: "broken-seal",
    OtherGameError: "sealed-for-another-game",
    ContradictionError: "contradiction",
    GameOverError: "game-over",
    InconsistentError: "inconsistent-turns",
    TooFewTurnsError: "too-few-turns",
    UnavailableError: "tree-unavailable",
    (MatchError, "unknown"): "unknown-match",
    (MatchError, "expired"): "expired-match",
    (MatchError, "token"): "not-a-player",
    (MatchError, "waiting"): "match-not-started",
    (MatchError, "turn"): "not-your-turn",
    (MatchError, "played"): "turn-played",
    (MatchError, "finished"): "match-finished",
    (MatchError, "unfinished"): "match-unfinished",
    (MatchError, "full"): "match-full",
    (MatchError, "often"): "too-many-created",
    (MatchError, "key"): "key-reused",
    (StoreError, "unavailable"): "matches-unavailable",
    (StoreError, "locked"): "matches-unavailable",
    (StoreError, "full"): "matches-full",
    SecretKeyError: "no-seal-key",
    BusyError: "busy",
    (BusyError, "address"): "too-many-searches",
    SearchStoppedError: "search-stopped",
    TooExpensiveError: "too-expensive",
    OutOfTimeError: "time-over",
    Exception: "internal-error",
}
_BY_SLUG = _read_kinds()
KINDS: Mapping[Key, Kind] = {error: _BY_SLUG[slug] for error, slug in SLUGS.items()}

EXPECTED: tuple[type[Exception], ...] = (
    FieldError,
    *{key[0] if isinstance(key, tuple) else key: None for key in KINDS if key is not Exception},
)
"""The exceptions that `describe` explains."""


def kinds() -> list[Kind]:
    """Return all kinds of problems, by slug."""
    return [kind for _, kind in sorted(_BY_SLUG.items())]


def kind_of(error: Exception) -> Kind:
    """Return the kind of an exception, by its class and its `what`, or by a base class."""
    what = getattr(error, "what", None)
    if what and (kind := KINDS.get((type(error), what))):
        return kind
    return next(KINDS[base] for base in type(error).__mro__ if base in KINDS)
