"""A connection that no client can hold for as long as it likes, nor fill with what it likes.

uvicorn reads a request for as long as bytes come, or don't come, and keeps all of them.  Here each
phase of a connection has its limit (`Limits`), and a connection that passes one is closed: with an
answer where nothing else is being answered (408, 414, 431, 503), else without.  What an application
takes for an answer is not limited here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum
from http import HTTPStatus
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from bullscows_web.server.limits import ConnectionRefusal, Crowd, Limits, network
from bullscows_web.server.lingering import LingeringTransport
from bullscows_web.server.newcomers import heed


class Phase(Enum):
    """What a connection waits for."""

    HEAD = "the first line and the headers of a request"
    BODY = "the body of a request"
    ANSWER = "the application"
    READING = "the client, to read an answer"
    IDLE = "another request"
    CLOSING = "the client's end"


class State(ServerState):
    """What the connections of a process share."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.crowd = Crowd(limits.connections)


class Configuration(Config):
    """uvicorn's configuration, with limits."""

    def __init__(self, app: str, *, limits: Limits, **options: Any) -> None:
        options |= {"http": Connection, "ws": "none", "timeout_keep_alive": limits.idle_seconds}
        super().__init__(app, **options)
        self.limits = limits


class Connection(HttpToolsProtocol):
    """uvicorn's connection over httptools, with limits of time, size and number."""

    def __init__(
        self,
        config: Configuration,
        server_state: State,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits: Limits = config.limits
        self._crowd: Crowd = server_state.crowd
        self._count: Callable[[ConnectionRefusal], None] = app_state.get("refused", _uncounted)
        self._phase: Phase | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._reading: Phase | None = None  # the part of a request that the parser is in
        self._head_bytes = 0
        self._body_bytes = 0
        self._fed = 0
        self._unread = 0  # bytes of an answer when its reader was last looked at
        self.address = ""

    # What the socket says

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place among the others, or answer 503."""
        lingering = LingeringTransport(cast(asyncio.Transport, transport), self._linger)
        super().connection_made(lingering)
        self.address = network(self.client[0]) if self.client else ""
        if self._crowd.draining:
            heed(self.transport.get_extra_info("socket"))
        if self._crowd.admit(self):
            self._settle()
        else:
            self._count("connections")
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many requests are being answered.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place up."""
        super().connection_lost(exc)
        self._crowd.leave(self)
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, never more than the rest of a head may have."""
        while data and not self.transport.is_closing():
            size = self._limits.head_bytes - max(self._head_bytes, 0)
            self._feed(data[:size])
            data = data[size:]
        self._settle()

    def _feed(self, piece: bytes) -> None:
        self._fed = len(piece)
        super().data_received(piece)
        if self._reading is Phase.BODY:
            self._body_bytes += len(piece)
            if self._body_bytes > self._limits.body_bytes:
                self._count("body")
                self.transport.close()
        if self._reading is not Phase.HEAD:
            self._head_bytes = 0
            return
        self._head_bytes += len(piece)
        if self._head_bytes >= self._limits.head_bytes:
            self._refuse_head()

    def pause_writing(self) -> None:
        """Begin to watch the reader."""
        super().pause_writing()
        self._settle()

    def resume_writing(self) -> None:
        """Trust the reader again."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._settle()

    # What the parser says

    def on_message_begin(self) -> None:
        """Note that a head begins."""
        self._reading = Phase.HEAD
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Take the request; the last ones of too many on one connection are dropped."""
        self._reading, self._body_bytes = Phase.BODY, 0
        super().on_headers_complete()
        if self._crowd.draining:
            self.cycle.keep_alive = False
        if len(self.pipeline) > self._limits.pipelined:
            self._count("pipelined")
            self.pipeline.popleft()
            self.pipeline[0][0].keep_alive = False

    def on_message_complete(self) -> None:
        """Note that the next byte begins a head, somewhere within the piece that was fed."""
        self._reading = None
        self._head_bytes = -self._fed
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request, if there is one."""
        super().on_response_complete()
        self._settle()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: who asks for another protocol is answered in this one."""

    # What the server says

    def drain(self) -> None:
        """Say with the answer under way that the connection will be closed.

        The parent of several processes may have turned newcomers away before this one heard of it.
        """
        heed(self.transport.get_extra_info("socket"))
        self._end_after_answer()

    def shutdown(self) -> None:
        """Close the connection, if no request is on its way; else after the answer."""
        if self._phase is Phase.HEAD and self._reading is None:
            self._expect(self._limits.drain_seconds)  # just made: its request is on its way
        elif self._reading is None and not self._is_answering:
            self.transport.close()
        else:
            self._end_after_answer()

    def evict(self) -> None:
        """Close the connection at once, for another one."""
        self._count("evicted")
        self.transport.abort()

    def _end_after_answer(self) -> None:
        if self._request is not None:
            self._request.keep_alive = False

    def _linger(self) -> None:
        """Wait for the client's end, unread."""
        self.flow.resume_reading()
        self._settle()

    @property
    def _request(self) -> RequestResponseCycle | None:
        """The last request, None before the first."""
        return cast("RequestResponseCycle | None", self.cycle)

    @property
    def _is_answering(self) -> bool:
        return self._request is not None and not self._request.response_complete

    # Phases

    def _settle(self) -> None:
        """Note which phase the connection is in, and begin to wait for its end."""
        phase = self._current_phase()
        if phase is self._phase:
            return
        self._phase = phase
        self._crowd.wait(self, phase is not Phase.ANSWER)
        self._unread = self.transport.get_write_buffer_size()
        self._expect(self._seconds(phase))
        if phase is Phase.IDLE and self._crowd.draining:
            self.transport.close()

    def _seconds(self, phase: Phase) -> float | None:
        """Return how long a phase may last; uvicorn itself watches idle connections."""
        if phase is Phase.HEAD:
            hurries = self._crowd.draining
            return self._limits.drain_seconds if hurries else self._limits.head_seconds
        if phase is Phase.BODY:
            return self._limits.body_seconds
        if phase is Phase.READING or (phase is Phase.CLOSING and self._unread):
            return self._limits.stall_seconds
        return self._limits.linger_seconds if phase is Phase.CLOSING else None

    def _current_phase(self) -> Phase:
        if self.transport.is_closing():
            return Phase.CLOSING
        if self.flow.write_paused:
            return Phase.READING
        if self._reading is Phase.BODY and not self.pipeline:
            return Phase.BODY
        if self._is_answering:
            return Phase.ANSWER
        is_new = self._request is None
        return Phase.HEAD if is_new or self._reading is Phase.HEAD else Phase.IDLE

    def _expect(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        """End a phase that has lasted too long."""
        if self._phase is Phase.HEAD:
            if self._reading is Phase.HEAD:
                self._count("slow")
                self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The request did not come in time.")
            else:
                self.transport.close()
        elif self._has_read():
            self._expect(self._limits.stall_seconds)
        else:
            if self._phase is not Phase.CLOSING:
                self._count("slow")
            self.transport.abort()

    def _has_read(self) -> bool:
        """Whether a client that is slow to read has read enough since it was last looked at."""
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        return 0 < self._unread <= before - self._limits.stall_bytes

    def _refuse_head(self) -> None:
        self._count("head")
        limit = self._limits.head_bytes
        if len(self.url) > limit // 2:
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG, f"The address is over {limit} bytes.")
        else:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self._refuse(status, f"First line and headers have at most {limit} bytes together.")

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        """Answer one line of plain text and close; only close if another answer is under way."""
        if not self._is_answering:
            fields = [
                *self.server_state.default_headers,
                (b"content-type", b"text/plain; charset=utf-8"),
                (b"content-length", str(len(reason)).encode()),
                (b"connection", b"close"),
            ]
            lines = [name + b": " + value + b"\r\n" for name, value in fields]
            head = b"".join([STATUS_LINE[status], *lines, b"\r\n"])
            self.transport.write(head + reason.encode())
        self.transport.close()


def _uncounted(_reason: ConnectionRefusal) -> None:
    """Count nothing: the application has not said where."""
