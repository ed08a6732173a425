"""A match or a race as a value: players, turns, whose turn it is, how it ended.

In a *match* two players have a code each and guess in turn.  If the first player finds the other's
code, the second has one last guess; finding it too makes a draw.  In a *race* all players guess one
code, each at their own pace: fewest turns win, then the time from the first guess to the last.  The
creator of a race may only watch (`Player.plays`): that is how a code is set for a friend.

A match is abandoned `ABANDONED` seconds and expires `KEPT` seconds after its last move.  Nothing
here knows the database or the codes: `Player.secret` is encrypted.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from hmac import compare_digest
from typing import Literal, TypeAlias

from bullscows.game.history import History
from bullscows.game.rules import AnswerIndex, CodeIndex, Rules
from bullscows_web.web.exceptions import ProblemError

DAY = 86_400
ABANDONED = 7 * DAY
"""Seconds without a move after which a match is over."""
KEPT = 30 * DAY
"""Seconds after the last move until a match is deleted."""
CONNECTED = 30
"""Seconds after its last request for which a player counts as connected."""
MAX_TURNS = 50
"""The most guesses of a player: more than anyone needs, so that no match grows without end."""
MAX_PLAYERS = 8
MAX_NAME = 20

Kind: TypeAlias = Literal["match", "race"]
Begins: TypeAlias = Literal["creator", "guest", "random"]
Seat: TypeAlias = int
"""0 is the creator, 1 the guest; a race has up to `MAX_PLAYERS` seats."""
Reason: TypeAlias = Literal["found", "draw", "resigned", "abandoned", "limit"]
"""Why it is over; `limit`: nobody found a code in `MAX_TURNS` turns."""
Refusal: TypeAlias = Literal[
    "unknown-match",
    "expired-match",
    "not-a-player",
    "match-not-started",
    "not-your-turn",
    "turn-played",
    "match-finished",
    "match-unfinished",
    "match-full",
    "too-many-created",
    "key-reused",
]


class MatchError(ProblemError):
    """A request that the rules of matches refuse; `slug` says why."""

    def __init__(self, slug: Refusal, message: str) -> None:
        super().__init__(message)
        self.slug: Refusal = slug


class StoreError(ProblemError):
    """The database of matches is missing or broken; nothing was changed."""

    slug = "matches-unavailable"


class FullError(StoreError):
    """There is no room for another match."""

    slug = "matches-full"


class LockedError(StoreError):
    """The database did not become free in `BUSY_SECONDS`."""


BUSY_SECONDS = 5.0
"""How long a request waits for the database, and a change for others."""


@dataclass(frozen=True)
class Move:
    """A guess with its answer."""

    guess: CodeIndex
    answer: AnswerIndex
    at: float
    """When it was made, Unix time."""


@dataclass(frozen=True)
class Player:
    """A player."""

    seat: Seat
    token: str
    """Hash of the player's token; see `hashed`."""
    secret: str | None
    """The encrypted code; in a race the creator has that of all."""
    name: str = ""
    plays: bool = True
    """False for the creator of a race who set its code and watches."""
    resigned: bool = False
    seen: float = 0.0
    """When the player last asked for the match, Unix time, a few seconds late."""
    turns: tuple[Move, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds from the first guess to the last."""
        return max(self.turns[-1].at - self.turns[0].at, 0.0) if self.turns else 0.0


@dataclass(frozen=True)
class New:
    """A match to create."""

    rules: Rules
    kind: Kind = "match"
    secret: str | None = None
    """The creator's code, or that of the race; None draws one."""
    begins: Begins = "creator"
    size: int = 2
    plays: bool = True
    """False for a race whose creator watches."""
    name: str = ""


@dataclass(frozen=True)
class Once:
    """A request for a seat that a client can repeat: it is carried out once."""

    key: str
    """Hash of the `Idempotency-Key` of the request."""
    request: str
    """Hash of all that it asks for."""

    @classmethod
    def of(cls, key: str, *request: str) -> Once:
        """Return the hashes of a key and of what is asked with it."""
        return cls(hashed(key), hashed("\n".join(request)))


@dataclass(frozen=True)
class News:
    """State of a match for polls: its version, and who is there."""

    version: int
    moved: float
    tokens: tuple[str, ...]
    """Hash of the token of each seat."""
    seen: tuple[float, ...]
    """When each player was last seen, Unix time."""

    def seat_of(self, token: str | None) -> Seat | None:
        """Return the seat of a token, compared in constant time; None if nobody has it."""
        known = hashed(token or "")
        found = None
        for seat, each in enumerate(self.tokens):
            if compare_digest(each, known):
                found = seat
        return found

    def stamp(self, seat: Seat | None, now: float) -> str:
        """Return a text that changes whenever the view from a seat does."""
        connected = [is_connected(seen, now) for seen in self.seen]
        return f"{self.version} {seat} {connected} {now - self.moved > ABANDONED}"


@dataclass(frozen=True)
class Match:
    """A match at the moment `now`."""

    id: str
    kind: Kind
    rules: Rules
    size: int
    """Seats."""
    begins: Seat
    created: float
    moved: float
    """When something last happened in it, Unix time."""
    version: int = 1
    """Grows with every change that players can see."""
    rematch: str | None = None
    """The id of the next match of the same players."""
    players: tuple[Player, ...] = ()
    now: float = field(default=0.0, compare=False)

    # -- what holds ----------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken; a match starts then, a race at once."""
        return len(self.players) == self.size

    @property
    def has_expired(self) -> bool:
        """Whether it is to be deleted."""
        return self.now - self.moved > KEPT

    @cached_property
    def reason(self) -> Reason | None:
        """Why it is over; None while it goes on."""
        reason = self._race_reason() if self.kind == "race" else self._match_reason()
        return reason or ("abandoned" if self.now - self.moved > ABANDONED else None)

    @property
    def is_over(self) -> bool:
        """Whether no guess can follow."""
        return self.reason is not None

    @property
    def winner(self) -> Seat | None:
        """The seat of the winner; None in a draw, or if nobody won."""
        match self.reason:
            case "found":
                return min((p for p in self.players if self.found(p)), key=self._rank).seat
            case "resigned" if self.kind == "match" and self.is_full:
                return next(player.seat for player in self.players if not player.resigned)
            case _:
                return None

    @property
    def to_move(self) -> Seat | None:
        """Whose turn it is in a match; None in a race, before the start and at the end."""
        if self.kind == "race" or not self.is_full or self.is_over:
            return None
        first = self.players[self.begins]
        second = self.players[1 - self.begins]
        return first.seat if len(first.turns) == len(second.turns) else second.seat

    def found(self, player: Player) -> bool:
        """Whether a player found the code."""
        return bool(player.turns) and player.turns[-1].answer == self.rules.win

    def history_of(self, player: Player) -> History:
        """Return the guesses of a player with their answers."""
        return History(self.rules, tuple((turn.guess, turn.answer) for turn in player.turns))

    def may_guess(self, seat: Seat) -> bool:
        """Whether a player may guess now."""
        if self.kind == "match":
            return self.to_move == seat
        return not self.is_over and not self._is_done(self.players[seat])

    def is_connected(self, player: Player) -> bool:
        """Whether a player asked for the match a moment ago."""
        return is_connected(player.seen, self.now)

    def _is_done(self, player: Player) -> bool:
        out = player.resigned or not player.plays or len(player.turns) >= MAX_TURNS
        return out or self.found(player)

    def _rank(self, player: Player) -> tuple[int, float]:
        return len(player.turns), player.seconds if self.kind == "race" else 0.0

    def _match_reason(self) -> Reason | None:
        if any(player.resigned for player in self.players):
            return "resigned"
        if not self.is_full or len({len(player.turns) for player in self.players}) > 1:
            return None
        finders = sum(map(self.found, self.players))
        if finders:
            return "found" if finders == 1 else "draw"
        return "limit" if len(self.players[0].turns) >= MAX_TURNS else None

    def _race_reason(self) -> Reason | None:
        racers = [player for player in self.players if player.plays]
        if not (self.is_full and all(map(self._is_done, racers))):
            return None
        ranks = sorted(self._rank(player) for player in racers if self.found(player))
        if not ranks:
            return "resigned" if all(player.resigned for player in racers) else "limit"
        return "draw" if ranks[:1] == ranks[1:2] else "found"

    # -- what a request may do -----------------------------------------------------------------

    @property
    def news(self) -> News:
        """The match as polls see it."""
        tokens = tuple(player.token for player in self.players)
        return News(self.version, self.moved, tokens, tuple(p.seen for p in self.players))

    def player_of(self, token: str | None) -> Player:
        """Return the player of a token; raise `MatchError` if nobody has it."""
        seat = self.news.seat_of(token)
        if seat is None:
            raise MatchError(
                "not-a-player", "only a player of this match, with their token, may do this"
            )
        return self.players[seat]

    def check_join(self) -> None:
        """Raise `MatchError` if nobody can join."""
        if self.is_over:
            raise MatchError("match-finished", "this match is over")
        if self.is_full:
            raise MatchError("match-full", f"all {self.size} seats of this {self.kind} are taken")

    def is_repeated(self, player: Player, guess: CodeIndex, turn: int | None) -> bool:
        """Return whether a move was made before; `MatchError`: another was, or it is not due."""
        done = len(player.turns)
        if turn is not None and turn <= done:
            if player.turns[turn - 1].guess == guess:
                return True
            raise MatchError("turn-played", f"turn {turn} was played with another guess")
        self._check_guess(player)
        if turn is not None and turn > done + 1:
            raise MatchError(
                "not-your-turn", f"the next turn of this player is {done + 1}, not {turn}"
            )
        return False

    def _check_guess(self, player: Player) -> None:
        if self.is_over:
            raise MatchError("match-finished", f"this {self.kind} is over")
        if self.kind == "match" and not self.is_full:
            raise MatchError("match-not-started", "the guest has not joined yet")
        if self.kind == "race" and self._is_done(player):
            raise MatchError("match-finished", "this player has no guess left in the race")
        if not self.may_guess(player.seat):
            raise MatchError("not-your-turn", "it is the other player's turn")

    # -- what a viewer may see -----------------------------------------------------------------

    def shows_guess(self, player: Player, turn: Move, viewer: Seat | None) -> bool:
        """Whether a viewer may read a guess: in races only their own, spectators no found code."""
        if self.is_over or viewer == player.seat:
            return True
        if self.kind == "race":
            return self._set_it(viewer)
        return viewer is not None or turn.answer != self.rules.win

    def shows_secret(self, seat: Seat, viewer: Seat | None) -> bool:
        """Whether a viewer may read the code of a seat: their own, and all at the end."""
        if self.is_over:
            return True
        return self._set_it(viewer) if self.kind == "race" else seat == viewer

    def _set_it(self, viewer: Seat | None) -> bool:
        return viewer is not None and not self.players[viewer].plays


def is_connected(seen: float, now: float) -> bool:
    """Return whether a player seen at this time counts as connected; clocks may differ."""
    return abs(now - seen) < CONNECTED


def label(seat: Seat) -> str:
    """Return what the API calls a seat: `creator`, `guest`, `guest2`, ..."""
    return ("creator", "guest")[seat] if seat < 2 else f"guest{seat}"


def hashed(token: str) -> str:
    """Return the SHA-256 hash under which a token is stored."""
    return sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a token of 128 random bits."""
    return secrets.token_urlsafe(16)


def new_id(now: float) -> str:
    """Return an id: the day, by which `is_old` knows deleted matches, and 128 random bits."""
    raw = int(now // DAY).to_bytes(2, "big") + secrets.token_bytes(16)
    return base64.b32encode(raw).decode().rstrip("=").lower()


def is_old(id: str, now: float) -> bool:
    """Return whether a match of this id may have existed and been deleted."""
    try:
        raw = base64.b32decode(id.upper() + "===")
    except binascii.Error:
        return False
    return int.from_bytes(raw[:2], "big") * DAY < now - KEPT


def cleaned(name: str) -> str:
    """Return a name without invisible characters."""
    shown = "".join(character for character in name if character.isprintable())
    return " ".join(shown.split())[:MAX_NAME]
