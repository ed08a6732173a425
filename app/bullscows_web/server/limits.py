"""How many connections a process holds, and which of them goes when one more comes.

A connection either waits for its client (for a request, for the rest of one, or for an answer to
be read) or is being answered.  One more than allowed closes the one that has waited longest, of the
address that has most waiting ones: who holds many connections crowds out only their own, and a
visitor gets in.  If all of them are being answered, the newcomer is refused.
"""

from __future__ import annotations

import socket
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal, Protocol

ConnectionRefusal = Literal["connections", "evicted", "head", "body", "slow", "pipelined"]
"""Why a connection was not served: there were too many of them and all were being answered, or it
made room for another; its first line and headers were too long, or the body; it took too long over
its request, or over reading an answer; it sent too many requests ahead."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one connection may take, and how many a process holds; docs/operations.md lists them."""

    connections: int = 1000
    head_bytes: int = 16_384
    """First line and headers of a request together, as in Node."""
    body_bytes: int = 1 << 20
    """Body with all that frames it, trailers too; the application refuses far shorter ones."""
    pipelined: int = 8
    """Requests that wait on one connection for the answer to the one before."""
    head_seconds: float = 10
    """From a connection's beginning, or the first byte of a later request, to the last header."""
    body_seconds: float = 10
    idle_seconds: int = 75
    """Between two requests; longer than proxies keep a connection to us idle (nginx: 60)."""
    stall_seconds: float = 15
    """In which a client that reads slowly must have read `stall_bytes`."""
    stall_bytes: int = 16_384
    linger_seconds: float = 2
    """From our end of a connection to the client's."""
    drain_seconds: float = 1
    """For which clients hear, before the process ends, that their connections will be closed."""


class Member(Protocol):
    """A connection, as far as its number matters."""

    @property
    def address(self) -> str:
        """Where it comes from."""

    def evict(self) -> None:
        """Close it at once."""

    def drain(self) -> None:
        """Say with the answer under way that it will be closed."""


class Crowd:
    """The connections of one process."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._members: set[Member] = set()
        self._waiting: defaultdict[str, dict[Member, None]] = defaultdict(dict)
        self.draining = False
        """Whether the process is about to end."""

    def __len__(self) -> int:
        return len(self._members)

    def admit(self, member: Member) -> bool:
        """Take in a connection, at the cost of another if there are too many.

        False says that there is no other to close: then this one has to be told so, and closed.
        """
        is_full = len(self._members) >= self._limit
        self._members.add(member)
        victim = self._longest_waiting() if is_full else None
        if victim is not None:
            self.leave(victim)
            victim.evict()
        return not is_full or victim is not None

    def wait(self, member: Member, waits: bool) -> None:
        """Note that a connection begins to wait for its client, or that it is being answered."""
        of_address = self._waiting[member.address]
        of_address.pop(member, None)
        if waits and member in self._members:
            of_address[member] = None
        if not of_address:
            del self._waiting[member.address]

    def drain(self) -> None:
        """Say with every answer from now on that its connection will be closed."""
        self.draining = True
        for member in self._members:
            member.drain()

    def leave(self, member: Member) -> None:
        """Forget a connection that is closed."""
        self.wait(member, False)
        self._members.discard(member)

    def _longest_waiting(self) -> Member | None:
        crowded = max(self._waiting.values(), key=len, default=None)
        return next(iter(crowded)) if crowded else None


def network(host: str) -> str:
    """Return what one visitor may have many of: an IPv4 address, or an IPv6 network of 64 bits."""
    if ":" not in host:
        return host
    packed = socket.inet_pton(socket.AF_INET6, host.partition("%")[0])
    return packed[:8].hex()
