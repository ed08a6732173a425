"""`bullscows serve`, which the console script finds by an entry point in `pyproject.toml`.

Before the server starts it checks the address and logs the exposure.  The list of commands imports
this module, so the settings, uvicorn and whatever else is slow are imported by the functions.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

import bullscows_web

if TYPE_CHECKING:
    from bullscows_web.server.settings import Settings

logger = logging.getLogger(__name__)

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
UNBOUND = 4
"""Exit code of a server that cannot listen on its address."""
CONNECTIONS = 500
"""Default concurrency limit of a process; with more connections or requests it answers 503."""


def check_address(host: str, port: int) -> None:
    """Bind an address and release it.

    Raises `OSError` if the port is used or not permitted, or the host is no address of this
    machine.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind(address)
    except OSError as error:
        option = "--port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "--host"
        raise OSError(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another with {option}"
        ) from error


def announce(settings: Settings, host: str) -> None:
    """Log the host names of the server, its exposure, and whether it shows its metrics."""
    from bullscows_web.server.settings import LOCAL_HOSTS

    names = ", ".join(settings.allowed_hosts)
    if "*" in settings.allowed_hosts:
        logger.info("answering to any host name; restrict them with BULLSCOWS_ALLOWED_HOSTS")
    elif settings.allowed_hosts == LOCAL_HOSTS and host not in LOOPBACK:
        logger.warning(
            "listening on %s, but answering to %s only: set BULLSCOWS_ALLOWED_HOSTS to the names "
            "or addresses that visitors use",
            host,
            names,
        )
    else:
        logger.info("answering to %s (BULLSCOWS_ALLOWED_HOSTS)", names)
    if host not in LOOPBACK:
        logger.info(
            "listening on %s without protection from slow clients or too many connections: fit for "
            "a trusted network; on the internet put a reverse proxy in front "
            "(docs/guides/public-server.md)",
            host,
        )
    if settings.metrics:
        logger.info("/metrics is on: block it in the reverse proxy")
    else:
        logger.info("/metrics is off; BULLSCOWS_METRICS=true turns it on")


@contextmanager
def shared_counters(workers: int) -> Iterator[None]:
    """Make several worker processes share their counters, in a temporary folder.

    Each process writes its own files there.  `/metrics` and `/status` of any process add them up,
    those of stopped processes included.
    """
    from bullscows_web.server.settings import COUNTERS

    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="bullscows-metrics-") as folder:
        os.environ[COUNTERS] = folder
        try:
            yield
        finally:
            del os.environ[COUNTERS]


def serve(
    host: Annotated[str, typer.Option(metavar="NAME", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="Port; 0 takes a free one.")
    ] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Processes.")] = 1,
    connections: Annotated[
        int,
        typer.Option(min=1, max=100_000, metavar="N", help="Concurrency limit of each process."),
    ] = CONNECTIONS,
    fd: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Inherited listening socket, instead of --host and --port."
        ),
    ] = None,
) -> None:
    """Serve the pages and the JSON API.

    Settings come from BULLSCOWS_* environment variables (docs/reference/configuration.md). Exits
    with 2 if a setting is invalid or unknown, with 4 if the address cannot be bound.
    """
    from bullscows_web.server.http_server import configure_logging, run
    from bullscows_web.server.settings import read_settings

    try:
        settings = read_settings()
        if fd is None:
            check_address(host, port)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    except OSError as error:
        typer.echo(f"bullscows: {error}", err=True)
        raise typer.Exit(UNBOUND) from None
    configure_logging(settings.log_format)
    announce(settings, host)
    with shared_counters(workers):
        run(
            f"{bullscows_web.__name__}.main:create_app",
            host=host,
            port=port,
            fd=fd,
            workers=workers,
            connections=connections,
            log_format=settings.log_format,
        )
