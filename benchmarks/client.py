"""A server process, and an HTTP client that sends what it is given, invalid addresses included.

It needs Linux.  Libraries such as httpx correct addresses, and take as much processor time for a
request as the server does.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

OURS = [sys.executable, "-m", "bullscows", "serve"]
"""Command of our server; ``--port`` follows."""
JSON = "Content-Type: application/json\r\n"
Connection: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Resources:
    """Memory in MB, open files and threads of a process."""

    megabytes: float
    peak: int
    files: int
    threads: int

    def __str__(self) -> str:
        return f"{self.megabytes:.1f} MB, {self.files} files, {self.threads} threads"


@dataclass(frozen=True)
class Served:
    """A running server."""

    port: int
    process: int

    @property
    def seconds(self) -> float:
        """Processor time used by the server and its workers."""
        workers = Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()
        ticks = 0
        for process in (self.process, *workers):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def settle(self) -> None:
        """Wait for three seconds without work."""
        quiet = 0
        while quiet < 3:
            before = self.seconds
            time.sleep(1)
            quiet = quiet + 1 if self.seconds <= before + 0.1 else 0

    def resources(self) -> Resources:
        """Return what the process uses at present."""
        lines = Path(f"/proc/{self.process}/status").read_text().splitlines()
        stated = dict(line.split(":", 1) for line in lines)
        return Resources(
            int(stated["VmRSS"].split()[0]) / 1024,
            int(stated["VmHWM"].split()[0]) // 1024,
            len(os.listdir(f"/proc/{self.process}/fd")),
            int(stated["Threads"]),
        )


@contextmanager
def server(command: Sequence[str] = OURS) -> Iterator[Served]:
    """Run a server on a free port, from when it has started and rests."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    process = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    served = Served(port, process.pid)
    try:
        while process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.2)
        served.settle()
        yield served
    finally:
        process.terminate()
        process.wait()


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
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    milliseconds: float = 0.0

    @property
    def is_failure(self) -> bool:
        """Whether this is no response or a 5xx other than that of a full queue."""
        return self.status == 0 or (self.status >= 500 and self.status != 503)

    async def read_head(self, reader: asyncio.StreamReader) -> None:
        """Read the status and the headers."""
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
        fields = (line.split(": ", 1) for line in lines[1:])
        self.headers = {name.lower(): value for name, value in fields}
        self.status = int(lines[0][9:12])

    async def read_body(self, reader: asyncio.StreamReader) -> None:
        """Read the rest."""
        body = b""
        if self.headers.get("transfer-encoding") == "chunked":
            while size := int(await reader.readline(), 16):
                body += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        elif self.status != 304:
            body = await reader.readexactly(int(self.headers.get("content-length", 0)))
        self.body = body.decode("latin-1")


class Client:
    """HTTP client with a number of connections; times include the wait for a free one."""

    def __init__(self, port: int, connections: int) -> None:
        self.port = port
        self.replies: list[Reply] = []
        self._free = asyncio.Queue[Connection | None]()
        for _ in range(connections):
            self._free.put_nowait(None)

    async def ask(self, request: Request) -> Reply:
        """Send a request; return and record the reply without its body."""
        due = time.perf_counter()
        connection = await self._free.get()
        reply = Reply(request)
        is_open = False
        try:
            connection = connection or await asyncio.open_connection("127.0.0.1", self.port)
            connection[1].write(request.text())
            await reply.read_head(connection[0])
            await reply.read_body(connection[0])
            is_open = reply.headers.get("connection") != "close"
        except (OSError, EOFError, ValueError):
            reply.status = 0
        finally:  # also when this is cancelled: the rest of the response is unread
            if connection and not is_open:
                connection[1].close()
            self._free.put_nowait(connection if is_open else None)
        reply.milliseconds = 1000 * (time.perf_counter() - due)
        self.replies.append(Reply(request, reply.status, milliseconds=reply.milliseconds))
        return reply

    def close(self) -> None:
        """Close all connections."""
        while not self._free.empty():
            if connection := self._free.get_nowait():
                connection[1].close()


def percentiles(replies: Iterable[Reply], *shares: float) -> list[float]:
    """Return percentiles of the times in milliseconds."""
    times = [reply.milliseconds for reply in replies]
    return list(map(float, np.percentile(times, shares))) if times else []
