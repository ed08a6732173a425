"""How often an address may do something in an hour, counted by each process in memory."""

from __future__ import annotations

from collections import deque

from bullscows_web.match.match import MatchError
from bullscows_web.web.addresses import network

HOUR = 3600
MAX_ADDRESSES = 10_000
"""The most addresses that are remembered; the oldest are forgotten."""


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
