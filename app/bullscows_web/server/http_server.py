"""The HTTP server: stock uvicorn with the options that this application needs, and its log.

It is meant for one machine, a trusted network, or a reverse proxy in front: the proxy takes care of
slow clients, of the number of connections a client may have, and of response caching
(docs/guides/public-server.md).

As text, the log has uvicorn's lines of requests, with the client's address and the whole path.  In
JSON, a request has its class and the template of its route, which say nothing about the visitor.
"""

from __future__ import annotations

import logging
from typing import Literal

import uvicorn
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter
from uvicorn.config import LOGGING_CONFIG

import bullscows_web

Format = Literal["text", "json"]

REQUESTS = f"{bullscows_web.__name__}.requests"
"""Logger of the JSON line of each request."""
FIELDS = ("method", "class", "route", "status", "ms")
"""Fields of the line of a request."""


def configure_logging(format_: Format) -> None:
    """Show the server's own log lines; the process keeps handlers that it has.

    As text these write the lines; in JSON they do so as well, and the lines are added once.
    """
    logging.getLogger(bullscows_web.__name__).setLevel(logging.INFO)
    if format_ == "text":
        logging.basicConfig(format="%(levelname)s:  %(message)s")
        return
    logging.getLogger("uvicorn").setLevel(logging.INFO)
    root = logging.getLogger()
    if not any(isinstance(handler.formatter, JsonFormatter) for handler in root.handlers):
        lines = logging.StreamHandler()
        lines.setFormatter(json_formatter())
        root.addHandler(lines)


def json_formatter() -> JsonFormatter:
    """Return what writes a log record as one JSON object on a line."""
    return JsonFormatter(
        "{levelname}{name}{message}",
        style="{",
        rename_fields={"levelname": "level", "name": "logger", "exc_info": "exception"},
        timestamp="time",
        json_ensure_ascii=False,
        reserved_attrs=[*RESERVED_ATTRS, "color_message"],  # uvicorn's second text of a line
    )


BACKLOG = 512
"""Connections that the operating system accepts before a process takes them."""
HEAD_BYTES = 16_384
"""Size limit of an incomplete request head; the h11 parser alone has one."""
KEEP_ALIVE_SECONDS = 75
"""How long an idle connection stays open: longer than the proxies keep theirs (60 s)."""
HEALTH_SECONDS = 20
"""How long a worker may take to start or to answer its parent before it is killed and replaced."""
SHUTDOWN_SECONDS = 20
"""How long requests in progress may take after a signal to stop."""


def run(
    app: str,
    *,
    host: str,
    port: int,
    connections: int,
    fd: int | None = None,
    workers: int = 1,
    log_format: Format = "text",
) -> None:
    """Run the application factory `app`, such as `module:name`, until SIGTERM or SIGINT.

    Each process takes at most `connections` at once; SIGHUP to their parent replaces them one by
    one.  `fd` is the file descriptor of a listening socket to use instead of `host` and `port`,
    such as 3 under systemd.  Raises `SystemExit` with status 3 if the application cannot start.
    """
    uvicorn.run(
        app,
        factory=True,
        host=host,
        port=port,
        fd=fd,
        workers=workers,
        ws="none",
        server_header=False,
        backlog=BACKLOG,
        limit_concurrency=connections,
        h11_max_incomplete_event_size=HEAD_BYTES,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_worker_healthcheck=HEALTH_SECONDS,
        access_log=log_format == "text",
        log_config=LOGGING_CONFIG if log_format == "text" else None,
    )
