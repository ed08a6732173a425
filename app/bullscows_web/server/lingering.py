"""Closing a connection so that its last answer arrives.

A socket that is closed over unread bytes takes back what was sent before: the client gets a reset.
So `close` ends our side only; the client ends its own, or whoever closed loses patience.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class LingeringTransport(asyncio.Transport):
    """A socket's transport whose `close` ends our side only, and tells the connection."""

    def __init__(self, transport: asyncio.Transport, closed: Callable[[], None]) -> None:
        super().__init__()
        self._transport = transport
        self._closed = closed
        self._closing = False

    def close(self) -> None:
        """Send what is to be sent, then the end; the client's own end closes the socket."""
        if not self.is_closing():
            self._closing = True
            self._transport.write_eof()
            self._closed()

    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._closing or self._transport.is_closing()

    def abort(self) -> None:
        """Close the socket at once."""
        self._closing = True
        self._transport.abort()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send, unless the connection is closed."""
        if not self.is_closing():
            self._transport.write(data)

    def pause_reading(self) -> None:
        """Leave what comes to the system's buffer."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read on."""
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the socket."""
        return self._transport.get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        """Return how many bytes the system has not taken yet."""
        return self._transport.get_write_buffer_size()
