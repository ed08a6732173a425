"""The HTTP server: uvicorn with limits, which loses no request when it ends.

A process that is to end goes on for a moment: it takes the connections that the system has already
made for it, and says `Connection: close` with every answer.  Newcomers are turned away first
(`bullscows_web.server.newcomers`).  uvicorn closes the socket over connections that nobody has
taken, and those that are about to send.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import resource
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace

from uvicorn import Server
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import multiprocess

from bullscows_web.server.connection import Configuration, State
from bullscows_web.server.limits import Limits
from bullscows_web.server.logs import Format, uvicorn_logging
from bullscows_web.server.newcomers import has_newcomers, turn_away

logger = logging.getLogger("uvicorn.error")

BACKLOG = 512
"""Connections that the system makes before a process takes them."""
OTHER_FILES = 64
"""What a process has open besides connections."""
M_ARENA_MAX = -8
"""The number by which malloc.h knows how many heaps there may be."""
START_SECONDS = 60
"""What a worker may take to start, or not answer its parent, before it is killed and replaced."""
SHUTDOWN_SECONDS = 20
"""What answers under way may take after that."""


class LimitedServer(Server):
    """uvicorn's server of one process, with limits and a shutdown that loses nothing."""

    def __init__(self, config: Configuration) -> None:
        super().__init__(config)
        self.server_state: State = State(config.limits)
        self._limits = config.limits

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Run until told to end; while it starts, nothing is looked through for garbage."""
        gc.disable()
        share_heap()
        super().run(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then listen.

        What is there by then is there to stay, a million parts of trees above all: to look through
        them again and again would double the time of the start, and delay answers later.
        """
        await super().startup(sockets)
        gc.freeze()
        gc.enable()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve what is on its way, then end."""
        listeners = [item.fileno() for server in self.servers for item in server.sockets]
        if sockets is None:  # no parent who would do it, when all processes end
            turn_away(listeners)
        self.server_state.crowd.drain()
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while self._goes_on(loop.time() - begun, listeners, is_alone=sockets is None):
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)

    def _goes_on(self, seconds: float, listeners: Sequence[int], *, is_alone: bool) -> bool:
        """Whether to wait for more, having waited for so long.

        Beside other processes it does even if it has no connection: where a signal goes to all of
        them, the parent may be the last to hear of it and turn newcomers away.
        """
        moment = self._limits.drain_seconds
        if self.force_exit or seconds >= 2 * moment:
            return False
        if has_newcomers(listeners):
            return True
        return seconds < moment and not (is_alone and not self.server_state.crowd)


def share_heap() -> None:
    """Let all threads of this process take memory from one heap, where the C library can.

    Else each has its own, and what is free in one serves no other: 20 MB of a worker.
    """
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
    except (AttributeError, OSError):  # not the GNU C library
        return


class Worker(multiprocess.Process):
    """One of several processes."""

    config: Configuration

    @property
    def server(self) -> Server:
        """The server of this process."""
        if self._server is None:
            self._server = LimitedServer(self.config)
        return self._server

    def start(self) -> None:
        """Start the process, and let go of its end of the pipe.

        Else a process that is killed while its parent waits for it to answer is missed for as long
        as one may take to start: the pipe would not end.
        """
        super().start()
        self.child_conn.close()


class Workers(multiprocess.Multiprocess):
    """The parent of several processes; SIGHUP replaces them one by one."""

    def terminate_all(self) -> None:
        """Turn newcomers away, then let the workers end, and the last of them close the socket."""
        turn_away([item.fileno() for item in self.sockets])
        super().terminate_all()
        for item in self.sockets:
            item.close()


multiprocess.Process = Worker  # type: ignore[misc]  # uvicorn's parent knows no other way


def run(
    app: str, *, host: str, port: int, workers: int, limits: Limits, log_format: Format = "text"
) -> None:
    """Run the factory `app` until SIGTERM or SIGINT; exit with 3 if the server can't start."""
    limits = replace(limits, connections=affordable(limits.connections))
    config = Configuration(
        app,
        limits=limits,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_worker_healthcheck=START_SECONDS,
        log_config=uvicorn_logging(log_format),
    )
    if workers > 1:
        Workers(config, [config.bind_socket()]).run()
        return
    server = LimitedServer(config)
    try:
        server.run()
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def affordable(connections: int) -> int:
    """Let this process have that many connections open; return how many it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + BACKLOG + OTHER_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    affordable = max(1, allowed - BACKLOG - OTHER_FILES)
    if affordable < connections:
        logger.warning(
            "%d connections at once instead of %d: allow %d open files (LimitNOFILE, ulimit -n)",
            affordable,
            connections,
            wanted,
        )
    return affordable
