"""The server's log: lines for people, or one JSON object a line for programs.

Either says the same of the server itself.  Of requests the text has uvicorn's lines, with the
client's address and the whole path.  A JSON line has less: the class of what was answered and the
template of its route, which say nothing of the visitor.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from logging.config import dictConfig
from typing import Any, Literal

from uvicorn.config import LOGGING_CONFIG

import bullscows_web

Format = Literal["text", "json"]

REQUESTS = f"{bullscows_web.__name__}.requests"
"""The logger of the lines on requests, where there is one for each."""
FIELDS = ("method", "class", "route", "status", "ms")
"""What such a line says beside when, how important and by whom."""


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as its line."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.name == REQUESTS:
            told |= {name: getattr(record, name) for name in FIELDS}
        else:
            told["message"] = record.getMessage()
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


JSON_LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": f"{__name__}.{JsonLines.__name__}"}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["lines"], "level": "WARNING"},
    "loggers": {
        "uvicorn": {"level": "INFO"},
        "uvicorn.access": {"propagate": False},  # the application says less of each, and its class
        bullscows_web.__name__: {"level": "INFO"},
    },
}


def uvicorn_logging(format_: Format) -> dict[str, Any]:
    """Return the set-up that uvicorn makes in each of its processes."""
    return JSON_LOGGING if format_ == "json" else LOGGING_CONFIG


def configure_logging(format_: Format) -> None:
    """Let the server's own lines be seen; as text a no-op where the process has set up its own."""
    if format_ == "json":
        dictConfig(JSON_LOGGING)
        return
    logging.basicConfig(format="%(levelname)s:  %(message)s")
    logging.getLogger(bullscows_web.__name__).setLevel(logging.INFO)
