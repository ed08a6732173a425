"""Turning newcomers away before a listening socket is closed, so that no connection is lost by it.

An option of the socket does it: from then on the system begins no connection.  (The clients'
systems ask again after a second, and find no server or the next one.)  Those that are made already
can be taken.  One that was being made gets the option from its listener, as it gets all others: the
system would drop what it sends from then on, so whoever takes it has to `heed` it.  Its client's
system, which was not answered, sends again what was dropped.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

logger = logging.getLogger("uvicorn.error")

_IP_MINTTL, _IPV6_MINHOPCOUNT = 21, 73  # Linux's own; the module socket doesn't know them
_MOST_HOPS = 255


def turn_away(listeners: Sequence[int]) -> None:
    """Let no new connections be begun; those that are made can still be taken.

    The socket is told to heed only packets that may pass 255 routers yet. Most systems begin with
    64 or 128, so what they send is dropped. Anybody may say so; a filter, which would do the same,
    newer systems take from the administrator of the network alone, who this server seldom is.

    Linux only: elsewhere a connection made in the last instant may be lost.
    """
    if sys.platform != "linux":
        return
    for listener in listeners:
        try:
            with socket.socket(fileno=os.dup(listener)) as itself:
                _heed_from(itself, _MOST_HOPS)
        except OSError as error:  # not a socket of TCP
            logger.warning("newcomers can't be turned away: %s", error)


def heed(connection: socket.socket) -> None:
    """Take what comes on a connection, even if it was made while newcomers were turned away."""
    if sys.platform != "linux" or connection.fileno() < 0:  # it is closed
        return
    with suppress(OSError):  # none of TCP
        _heed_from(connection, 0)


def has_newcomers(listeners: Sequence[int]) -> bool:
    """Whether connections wait to be taken."""
    poll = select.poll()
    for listener in listeners:
        poll.register(listener, select.POLLIN)
    return bool(poll.poll(0))


def _heed_from(itself: socket.socket, hops: int) -> None:
    """Let the system drop packets that may pass fewer routers yet than these."""
    itself.setsockopt(socket.IPPROTO_IP, _IP_MINTTL, hops)
    if itself.family == socket.AF_INET6:
        itself.setsockopt(socket.IPPROTO_IPV6, _IPV6_MINHOPCOUNT, hops)
