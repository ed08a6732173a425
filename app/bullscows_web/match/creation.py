"""Creation of matches: what a match is created from, its limit per address, ids and tokens."""

from __future__ import annotations

import base64
import binascii
import secrets
from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bullscows.game.rules import CodeIndex, Rules
from bullscows_web.match.rules import DAY, KEPT, MAX_NAME, Kind, MatchError
from bullscows_web.web.addresses import network

HOUR = 3600
MAX_ADDRESSES = 10_000
"""The most addresses that are remembered; the oldest are forgotten."""

Begins: TypeAlias = Literal["creator", "guest", "random"]


@dataclass(frozen=True)
class New:
    """A match to create."""

    rules: Rules
    kind: Kind = "match"
    secret: CodeIndex | None = None
    """The creator's code, or that of the race; None draws one."""
    begins: Begins = "creator"
    size: int = 2
    plays: bool = True
    """False for a race whose creator watches."""
    name: str = ""


class AddressLimit:
    """Counts what each address creates; IPv6 addresses of one network (/64) count together."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._times: dict[str, deque[float]] = {}

    def count(self, address: str, now: float) -> None:
        """Count a creation; raise `MatchError` if the address had its share."""
        client = network(address)
        times = self._times.pop(client, deque())
        self._times[client] = times  # the latest is last
        while times and not 0 <= now - times[0] < HOUR:
            times.popleft()
        if len(times) >= self._most:
            raise MatchError("often", f"an address may create {self._most} {self._what} in an hour")
        times.append(now)
        if len(self._times) > MAX_ADDRESSES:
            del self._times[next(iter(self._times))]


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
