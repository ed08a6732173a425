"""`bullscows serve`, which the console script finds by an entry point in `pyproject.toml`."""

from __future__ import annotations

from typing import Annotated

import typer

import bullscows_web
from bullscows_web.server.logs import configure_logging
from bullscows_web.server.processes import CONNECTIONS, run
from bullscows_web.server.settings import read_settings
from bullscows_web.server.start import (
    UNBOUND,
    AddressError,
    announce,
    check_address,
    shared_counters,
)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
    connections: Annotated[
        int, typer.Option(min=1, max=100_000, help="Concurrency limit of each process.")
    ] = CONNECTIONS,
    fd: Annotated[
        int | None,
        typer.Option(min=0, help="Inherited listening socket, instead of --host and --port."),
    ] = None,
) -> None:
    """Serve the pages and the JSON API.

    Settings come from BULLSCOWS_* environment variables (docs/reference/configuration.md). Exits
    with 2 if a setting is invalid or unknown, with 4 if the address cannot be bound.
    """
    try:
        settings = read_settings()
        if fd is None:
            check_address(host, port)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    except AddressError as error:
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
