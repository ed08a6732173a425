"""The server's log: text for people, or one JSON object a line for programs.

As text, requests have uvicorn's lines, with the client's address and the whole path.  In JSON, a
request has its class and the template of its route, which say nothing about the visitor.
"""

from __future__ import annotations

import logging
from logging.config import dictConfig
from typing import Any, Literal

from uvicorn.config import LOGGING_CONFIG

import bullscows_web

Format = Literal["text", "json"]

REQUESTS = f"{bullscows_web.__name__}.requests"
"""Logger of the JSON line of each request."""
FIELDS = ("method", "class", "route", "status", "ms")
"""Fields of the line of a request."""

JSON_LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "style": "{",
            "fmt": "{levelname}{name}{message}",
            "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "exception"},
            "timestamp": "time",
            "json_ensure_ascii": False,
        }
    },
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["lines"], "level": "WARNING"},
    "loggers": {
        "uvicorn": {"level": "INFO"},
        "uvicorn.access": {"propagate": False},  # replaced by the lines of `REQUESTS`
        bullscows_web.__name__: {"level": "INFO"},
    },
}


def uvicorn_logging(format_: Format) -> dict[str, Any]:
    """Return the logging configuration that uvicorn applies in each of its processes."""
    return JSON_LOGGING if format_ == "json" else LOGGING_CONFIG


def configure_logging(format_: Format) -> None:
    """Show the server's own log lines; as text only if the process has no handlers of its own."""
    if format_ == "json":
        dictConfig(JSON_LOGGING)
        return
    logging.basicConfig(format="%(levelname)s:  %(message)s")
    logging.getLogger(bullscows_web.__name__).setLevel(logging.INFO)
