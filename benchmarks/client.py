"""An HTTP client that sends what it is given, invalid addresses included.

Libraries such as httpx correct addresses, and take as much processor time for a request as the
server does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

JSON = "Content-Type: application/json\r\n"
Connection: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Request:
    """An HTTP request; `kind` is its column in a table."""

    path: str
    method: str = "GET"
    headers: str = ""
    body: str = ""
    kind: str = ""

    def text(self) -> bytes:
        """Return the request as it is sent."""
        length = f"Content-Length: {len(self.body)}\r\n" if self.body else ""
        head = f"{self.method} {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{self.headers}{length}"
        return f"{head}\r\n{self.body}".encode("utf-8", "surrogateescape")


@dataclass
class Reply:
    """The response to a request; status 0 if there is none."""

    request: Request
    status: int = 0
    body: str = ""
    milliseconds: float = 0.0


class Client:
    """HTTP client with a number of connections; times include the wait for a free one."""

    def __init__(self, port: int, connections: int) -> None:
        self.port = port
        self.replies: list[Reply] = []
        """Each reply so far, without its body."""
        self._limit = asyncio.Semaphore(connections)
        self._idle: list[Connection] = []

    async def ask(self, request: Request) -> Reply:
        """Send a request and return the reply."""
        due = time.perf_counter()
        reply = Reply(request)
        async with self._limit:
            connection = self._idle.pop() if self._idle else None
            is_open = False
            try:
                connection = connection or await asyncio.open_connection("127.0.0.1", self.port)
                connection[1].write(request.text())
                is_open = await read(connection[0], reply)
            except (OSError, EOFError, ValueError):
                reply.status = 0
            finally:  # also when this is cancelled: the rest of the response is unread
                if connection and is_open:
                    self._idle.append(connection)
                elif connection:
                    connection[1].close()
        reply.milliseconds = 1000 * (time.perf_counter() - due)
        self.replies.append(Reply(request, reply.status, milliseconds=reply.milliseconds))
        return reply

    def close(self) -> None:
        """Close all connections."""
        while self._idle:
            self._idle.pop()[1].close()


async def read(reader: asyncio.StreamReader, reply: Reply) -> bool:
    """Read a response; return whether the connection stays open."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:-2])
    reply.status = int(lines[0][9:12])
    body = b""
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
    elif reply.status != 304:
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    reply.body = body.decode("latin-1")
    return headers.get("connection") != "close"


def percentiles(replies: Iterable[Reply], *shares: float) -> list[float]:
    """Return percentiles of the times in milliseconds."""
    times = [reply.milliseconds for reply in replies]
    return list(map(float, np.percentile(times, shares))) if times else []
