"""Texts in addresses, and addresses of clients.

A history is written as ``h=0123:0.1-4567:1.1``.
"""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from fastapi import Request

from bullscows.game.history import MAX_HISTORY, History, HistoryError
from bullscows.game.rules import Rules
from bullscows_web.web.errors import MalformedError


def address_text(history: History) -> str:
    """Return the text of a history in an address; inverse of `read_address`.

    Raises `MalformedError` if there are too many turns.
    """
    return "-".join(_checked(history).texts)


def read_address(rules: Rules, text: str) -> History:
    """Read a history in an address; inverse of `address_text`.

    Raises `MalformedError` if a turn is not written so, or there are too many. Raises `CodeError`
    or `AnswerError` if a guess or an answer does not exist in the game.
    """
    try:
        history = History.parse(rules, text.replace("-", " "))
    except HistoryError as error:
        raise MalformedError("history", str(error)) from None
    return _checked(history)


def _checked(history: History) -> History:
    if len(history) > MAX_HISTORY:
        message = f"a position has at most {MAX_HISTORY} turns behind it here, not {len(history)}"
        raise MalformedError("history", message)
    return history


def client_of(request: Request) -> str:
    """Return the network that counts as one client: an IPv4 address, or /64 of IPv6."""
    address = request.client.host if request.client else ""
    try:
        found = ip_address(address)
    except ValueError:  # a socket file, or a test
        return address
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else address
