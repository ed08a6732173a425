"""What `bullscows serve` does before and after the server: read its settings, say what is closed.

Settings that can't be are refused here, in a sentence, before any process of the server begins.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from bullscows_web.server.settings import LOCAL_HOSTS, Settings

logger = logging.getLogger(__name__)

COUNTERS = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client is told where several processes count together."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def read_settings() -> Settings:
    """Return the settings of the environment.

    Raises
    ------
    ValueError
        With a line for each variable that can't be understood.
    """
    try:
        return Settings()
    except ValidationError as error:
        lines = [
            f"BULLSCOWS_{str(item['loc'][0]).upper()}: {item['msg']}" for item in error.errors()
        ]
        raise ValueError("; ".join(lines)) from error


def announce(settings: Settings, host: str) -> None:
    """Say in the log by which names the server may be asked, and whether it shows its counters."""
    names = ", ".join(settings.hosts)
    if "*" in settings.hosts:
        logger.info("answering to any host name; BULLSCOWS_HOSTS=name,... names those to answer to")
    elif settings.hosts == LOCAL_HOSTS and host not in LOOPBACK:
        logger.warning(
            "listening on %s, but answering to %s only: set BULLSCOWS_HOSTS=name,... to the names "
            "or addresses by which visitors ask",
            host,
            names,
        )
    else:
        logger.info("answering to %s (BULLSCOWS_HOSTS)", names)
    if settings.metrics:
        logger.info("showing counters at /metrics to whoever asks: keep visitors from it")
    else:
        logger.info("/metrics is off; BULLSCOWS_METRICS=true shows counters there")
    if settings.shown_jobs is not None:
        logger.info("showing the jobs of %s at /status/jobs", settings.shown_jobs)


@contextmanager
def shared_counters(workers: int) -> Iterator[None]:
    """Let the processes of this server count together, in a folder of this run.

    Each process writes its own files there, and whichever is asked for `/metrics` adds them all
    up, those of processes that have ended included; so does `/status`.  One process needs none.
    """
    if workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="bullscows-metrics-") as folder:
        os.environ[COUNTERS] = folder
        try:
            yield
        finally:
            del os.environ[COUNTERS]
